import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { verifyWebhook } from '../../client/webhook.ts';

export type Received = { id: string; at: number; payload: string; headers: http.IncomingHttpHeaders };
export type Manner = { status: number; delayMs?: number };

/** A partner's webhook receiver on this machine. It answers as the test sets it. */
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
    /** The ids of all received events. */
    ids: () => new Set(received.map(({ id }) => id)),
    answerWith: (next: Manner) => Object.assign(says, { delayMs: 0 }, next),
    close,
  };
}

/** An address without a listener. */
export async function closedAddress(): Promise<string> {
  const { url, close } = await startReceiver();
  await close();
  return url;
}

/** True when `secret` signed the received message. */
export async function isSignedBy(secret: string, { payload, headers }: Received): Promise<boolean> {
  return verifyWebhook({ payload, headers, secret }).then(
    () => true,
    () => false,
  );
}
