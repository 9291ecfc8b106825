import { gzipSync } from 'node:zlib';
import type { Headers } from './api-event.ts';

/**
 * The answer as API Gateway sends it to this caller. It is compressed with gzip if it has at least `minimum`
 * bytes, the caller accepts gzip, and the function has not encoded it already.
 */
export function encoded(
  reply: { headers: Headers; body: Buffer },
  { minimum, accepted = '' }: { minimum: number | undefined; accepted: string | undefined },
): { headers: Headers; body: Buffer } {
  const isEncoded = Object.keys(reply.headers).some((name) => name.toLowerCase() === 'content-encoding');
  const isLong = minimum !== undefined && reply.body.length >= minimum;
  if (!isLong || isEncoded || !/\bgzip\b/.test(accepted)) return reply;
  return { headers: { ...reply.headers, 'Content-Encoding': 'gzip' }, body: gzipSync(reply.body) };
}
