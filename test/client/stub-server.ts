import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createOnrampClient, type OnrampClientOptions } from '../../client/onramp-client.ts';

export const apiKey = 'sk_sandbox_demo_key1_0000000000000000';

type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type StubAnswer = (response: ServerResponse, seen: Seen) => void;

/** A service that gives these answers in order. The last answer repeats. Stops with the test. */
export async function startStub(...answers: StubAnswer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    seen.push(one);
    answers[Math.min(seen.length, answers.length) - 1]?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export function ok(data: object, headers: Record<string, string> = {}): StubAnswer {
  return (response) => send(response, 200, { success: true, data }, headers);
}

export function refusal(
  status: number,
  code: string,
  { details = {}, headers = {} }: { details?: object; headers?: Record<string, string> } = {},
): StubAnswer {
  const error = { code, message: `told to refuse with ${code}`, details };
  return (response) => send(response, status, { success: false, error }, headers);
}

export function raw(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): StubAnswer {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** The connection breaks before the answer. */
export const hangUp: StubAnswer = (response) => void response.destroy();

/** The connection breaks in the middle of the answer's body. */
export const breakOff: StubAnswer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"success":true,');
  setImmediate(() => response.destroy());
};

/** No answer at all. */
export const silence: StubAnswer = () => {};

/** No answer's body. */
export const silenceAfterHeaders: StubAnswer = (response) => void response.writeHead(200).flushHeaders();

/** A client of the stub. Its waits take no time and are recorded, with jitter in the middle. */
export function clientOf(url: string, options: Partial<OnrampClientOptions> = {}) {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const client = createOnrampClient({ apiKey, baseUrl: url, sleep, random: () => 0.5, ...options });
  return { client, waits };
}

/** The reason of the promise's rejection. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string>) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
