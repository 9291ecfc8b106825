/** The console on AWS: one function behind its own API. `infra/console-grants.ts` has its rights. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import { lambda } from '../../functions/adapters/live/environment.ts';
import { once } from '../../functions/adapters/once.ts';
import { deskAt } from '../desk.ts';
import { DESK_MAKERS } from '../makers.ts';
import { consoleApp } from './app.ts';
import { openIdIssuer } from './issuer.ts';
import { issuerDoor, type RoleClaim } from './issuer-door.ts';

/** The setting `consoleSignIn`. `address` is the address of the console's first page. */
type SignIn = { address: string; issuer: string; clientId: string; roles: RoleClaim };

const openParts = once(async () => {
  await load(DESK_MAKERS, ['secrets', 'log']);
  return assemble(DESK_MAKERS, lambda).pick(['secrets', 'log']);
});

/** Makes the console again if its key has changed. A new key ends all sessions. */
const openApp = onceFor(async (key: string) => {
  const { log } = await openParts();
  const { address, roles, ...issuer } = JSON.parse(lambda.settings.require('consoleSignIn')) as SignIn;
  const signIn = openIdIssuer({ ...issuer, redirectUrl: `${address}/sign-in/callback` });
  const bytes = new TextEncoder().encode(key);
  const door = issuerDoor({ issuer: signIn, key: bytes, roles });
  const onError = (error: Error) => log.warn('a page of the console failed', error);
  return consoleApp({ desk: deskAt(lambda), key: bytes, door, onError });
});

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { secrets } = await openParts();
  const app = await openApp(await secrets.text(lambda.settings.require('consoleSecret')));
  return gatewayResult(await app.fetch(consoleRequest(event)));
}

/** Calls `make` only if the key is not that of the last call. */
function onceFor<Made>(make: (key: string) => Made): (key: string) => Made {
  let last: { key: string; made: Made } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, made: make(key) };
    return last.made;
  };
}

/**
 * Converts API Gateway's event to a `Request`. API Gateway accepts only HTTPS. The path in `requestContext`
 * begins with `/console`, which is the stage of the API.
 */
function consoleRequest({ body, isBase64Encoded, requestContext, ...event }: APIGatewayProxyEvent): Request {
  const { domainName, path, httpMethod: method } = requestContext;
  const query = new URLSearchParams(pairsOf(event.multiValueQueryStringParameters));
  const bytes = body === null ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const url = new URL(`https://${domainName}${path}`);
  url.search = query.toString();
  return new Request(url, { method, headers: pairsOf(event.multiValueHeaders), body: bytes });
}

const pairsOf = (all: Readonly<Record<string, string[] | undefined>> | null): [string, string][] =>
  Object.entries(all ?? {}).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );

/**
 * Converts a `Response` to API Gateway's result. Every body is text. A header such as `Set-Cookie` may occur
 * several times.
 */
async function gatewayResult(answer: Response): Promise<APIGatewayProxyResult> {
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, value] of answer.headers)
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
  return { statusCode: answer.status, multiValueHeaders, body: await answer.text() };
}
