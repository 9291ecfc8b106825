/**
 * The operators' console of a sandbox on this machine. Its code is loaded at the first request, so that the
 * sandbox starts quickly.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Target } from '../operations/outputs.ts';
import { readBody } from './cloud/wire.ts';

export type LocalConsole = {
  listener: RequestListener;
  /** Tells the console which sandbox it shows. Before this call the console answers 503. */
  open(target: Target): void;
};

type Answer = (request: Request) => Response | Promise<Response>;

export function localConsole(): LocalConsole {
  let answer: Promise<Answer> | undefined;
  let target: Target | undefined;
  return {
    open(given) {
      target = given;
    },
    listener(request, response) {
      if (!target) return void response.writeHead(503).end();
      answer ??= load(target);
      answer.then((each) => serve(request, response, each)).catch(() => response.destroy());
    },
  };
}

async function load(target: Target): Promise<Answer> {
  const [{ openDesk }, { consoleApp }, { demoDoor }] = await Promise.all([
    import('../operations/desk.ts'),
    import('../operations/console/app.ts'),
    import('../operations/console/demo-door.ts'),
  ]);
  const onError = (error: Error) => console.error(`console: ${error.stack}`);
  // Each start makes a new key to sign the sessions. All sessions from before the start are then invalid.
  const app = consoleApp({ desk: openDesk(target), key: randomBytes(32), door: demoDoor, onError });
  return (request) => app.fetch(request);
}

/** Answers one request of a Node server with a handler of the Fetch API. */
export async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const { status, headers, body } = await answer(await requestOf(request));
  response.writeHead(status, [...headers].flat());
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
}

async function requestOf(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request;
  const body = await readBody(request);
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: sent,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}
