import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { verifyWebhook } from '../../client/webhook.ts';

export type Received = { id: string; at: number; payload: string; headers: http.IncomingHttpHeaders };
export type Manner = { status: number; delayMs?: number };

/** A partner's own webhook receiver on this machine, which answers as it is told to. */
export async function startReceiver(manner: Manner = { status: 204 }) {
  const received: Received[] = [];
  const says = { ...manner };
  const server = http.createServer(async (request, response) => {
    let payload = '';
    for await (const chunk of request) payload += chunk;
    const id = String(request.headers['webhook-id']);
    received.push({ id, at: Date.now(), payload, headers: request.headers });
    setTimeout(() => response.writeHead(says.status).end(), says.delayMs ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Every event that came, once each. */
    ids: () => new Set(received.map(({ id }) => id)),
    answerWith: (next: Manner) => Object.assign(says, { delayMs: 0 }, next),
    close,
  };
}

/** Whether `secret` signed what was received. */
export async function isSignedBy(secret: string, { payload, headers }: Received): Promise<boolean> {
  return verifyWebhook({ payload, headers, secret }).then(
    () => true,
    () => false,
  );
}
