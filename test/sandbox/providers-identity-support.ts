import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hono } from 'hono';
import { openWorld } from './providers-support.ts';

export const CLIENT = 'c'.repeat(64);
export const CPF = '52998224725';
export const CHECK = '01JABCDEFGHJKMNPQRSTVWXYZ0-1';
export const WEBHOOK_URL = 'http://127.0.0.1:1/v1/callbacks/identity';

export type Told = { url: string; body: Record<string, unknown>; raw: string; headers: Headers };

/** All simulators. `told` records the webhooks of the identity provider to the product. */
export function openIdentity() {
  const sandbox = openWorld({ settings: { identityWebhookUrl: WEBHOOK_URL } });
  const told: Told[] = [];
  sandbox.world.fetch = async (input, init) => {
    const raw = String(init?.body);
    told.push({ url: String(input), raw, body: JSON.parse(raw), headers: new Headers(init?.headers) });
    const answer = sandbox.answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return new Response(null, { status: answer });
  };

  const { identity } = sandbox.world.settings;
  /** Calls the provider as the product does, with a signature in Sumsub's form. */
  const api = async (method: string, path: string, body?: unknown) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const at = String(Math.floor(sandbox.clock.now.getTime() / 1000));
    const signed = `${at}${method}/identity${path}${text}`;
    return sandbox.app.request(`/identity${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-app-token': identity.appToken,
        'x-app-access-ts': at,
        'x-app-access-sig': createHmac('sha256', identity.secretKey).update(signed).digest('hex'),
      },
      ...(body !== undefined && { body: text }),
    });
  };
  const control = (path: string, body: unknown = {}) =>
    sandbox.call('POST', `/control/identity${path}`, body);
  return { ...sandbox, told, api, control };
}

export type Identity = ReturnType<typeof openIdentity>;

export type Applicant = {
  id: string;
  externalUserId: string;
  info: { firstName?: string; lastName?: string; dob?: string };
  review: {
    reviewStatus: string;
    levelName: string;
    reviewDate?: string;
    attemptCnt: number;
    reviewResult?: { reviewAnswer: string; reviewRejectType?: string };
  };
};

export async function createApplicant({ api }: Identity, tin: string, externalUserId = CLIENT) {
  const body = { externalUserId, fixedInfo: { country: 'BRA', tin } };
  const response = await api('POST', '/resources/applicants?levelName=onramp-identity', body);
  return { status: response.status, applicant: (await response.json()) as Applicant };
}

export async function readApplicant({ api }: Identity, externalUserId = CLIENT): Promise<Applicant> {
  const path = `/resources/applicants/-;externalUserId=${externalUserId}/one`;
  return (await (await api('GET', path)).json()) as Applicant;
}

type Action = { id: string; externalActionId: string; review: Applicant['review'] };

export async function listActions({ api }: Identity, applicantId: string): Promise<Action[]> {
  const path = `/resources/applicantActions/-;applicantId=${applicantId}?limit=100&offset=0&order=-createdAt`;
  return ((await (await api('GET', path)).json()) as { items: Action[] }).items;
}

/** Creates a link to the page: for one purchase, or without `externalActionId` for the person. */
export async function createLink({ api }: Identity, changes: Record<string, unknown> = {}): Promise<string> {
  const liveness = { levelName: 'onramp-liveness', externalActionId: CHECK };
  const body = { ...liveness, userId: CLIENT, ttlInSecs: 600, ...changes };
  const response = await api('POST', '/resources/sdkIntegrations/levels/-/websdkLink', body);
  return ((await response.json()) as { url: string }).url;
}

/** Serves the simulators on a port of this machine, for clients that need HTTP. */
export async function serve(app: Hono): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await app.request(`http://${request.headers.host}${request.url}`, {
      method: request.method,
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
