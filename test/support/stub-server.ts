import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type StubRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  text: string;
};

/** `raw` is sent as it is. `fault`: no answer ever, a broken connection, or an answer that stops half-way. */
export type StubAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string;
  fault?: 'hang' | 'reset' | 'truncate';
};

export type Stub = { url: string; requests: StubRequest[]; close(): Promise<void> };

/** An HTTP server on this machine that answers with `handle` and records the requests. */
export async function startStub(
  handle: (request: StubRequest) => StubAnswer | Promise<StubAnswer>,
): Promise<Stub> {
  const requests: StubRequest[] = [];
  const server = http.createServer(async (incoming, response) => {
    const request = await read(incoming);
    requests.push(request);
    send(response, await handle(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

async function read(incoming: http.IncomingMessage): Promise<StubRequest> {
  const url = new URL(incoming.url ?? '/', 'http://stub');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  const { method = '', headers } = incoming;
  return { method, path: url.pathname, query: url.searchParams, headers, text };
}

function send(response: http.ServerResponse, { status = 200, headers, body, raw, fault }: StubAnswer): void {
  const text = raw ?? (body === undefined ? '' : JSON.stringify(body));
  if (fault === 'hang') return;
  if (fault === 'reset') return void response.destroy();
  const length = Buffer.byteLength(text) + (fault === 'truncate' ? 10 : 0);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers });
  if (fault !== 'truncate') return void response.end(text);
  response.write(text, () => response.destroy());
}
