import { randomBytes } from 'node:crypto';

/**
 * A token has 1,024 characters, the most that Step Functions gives. A shorter token would hide a store that cuts long
 * ones.
 */
const BYTES = 768;
const TOKEN = /^AQ[A-Za-z0-9+/]{1022}$/;

export function newToken(): string {
  return Buffer.concat([Buffer.from([1, 0]), randomBytes(BYTES - 2)]).toString('base64');
}

export function isToken(value: string): boolean {
  return TOKEN.test(value);
}
