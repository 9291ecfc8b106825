import { randomBytes } from 'node:crypto';

/**
 * The bytes of a token. Base64 makes 1,024 characters of them, the longest token that Step Functions gives.
 * With a shorter token, nobody would notice a store that cuts long tokens.
 */
const BYTES = 768;
const TOKEN = /^AQ[A-Za-z0-9+/]{1022}$/;

export function newToken(): string {
  return Buffer.concat([Buffer.from([1, 0]), randomBytes(BYTES - 2)]).toString('base64');
}

export function isToken(value: string): boolean {
  return TOKEN.test(value);
}
