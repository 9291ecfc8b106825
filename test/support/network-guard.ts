import net from 'node:net';
import { afterAll } from 'vitest';

// Tests must not reach beyond this machine, so every connection to a non-loopback address fails.
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\]|::ffff:127(\.\d+){3})$/;

const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: Parameters<typeof connect>) {
  const first = (Array.isArray(args[0]) ? args[0][0] : args[0]) as unknown;
  const host = hostOf(first, args[1] as unknown);
  if (host !== undefined && !LOOPBACK.test(host)) throw new Error(`test reached for the network: ${host}`);
  return connect.apply(this, args);
} as typeof connect;

afterAll(() => {
  net.Socket.prototype.connect = connect;
});

function hostOf(options: unknown, second: unknown): string | undefined {
  if (typeof options === 'object' && options !== null) return (options as { host?: string }).host;
  return typeof options === 'number' && typeof second === 'string' ? second : undefined;
}
