import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A connection without requests stays open for one minute, as on AWS. Node's default is five seconds. With it
 * a busy machine would close a connection on which a client is just sending its next request.
 */
const KEEP_ALIVE_MS = 60_000;

/** Listens on this machine alone. Returns the URL. The port 0 takes a free one. */
export async function listen(server: Server, port: number): Promise<string> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
