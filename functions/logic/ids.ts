import { createHash } from 'node:crypto';
import type { Reservation } from '../domain/partners/idempotency-ports.ts';
import type { Ids, Random } from '../domain/ports.ts';

/**
 * Crockford's base 32. The id of a purchase has only `[0-9A-Z]`. It may therefore serve as a Pix txid and as
 * the name of a Step Functions execution. Ids of purchases sort by time.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const TOKEN_CHARACTERS = 32;

export function newReservation(now: number, random: Random): Reservation {
  return { at: now, seed: Buffer.from(random.bytes(32)).toString('hex') };
}

/**
 * Makes ids from the reservation of a request alone. A repeated request has the same reservation, so it gets
 * the same ids.
 */
export function reservedIds({ at, seed }: Reservation): Ids {
  return {
    transaction: () => timeCharacters(at) + characters(idDigest(seed, 'transaction'), RANDOM_CHARACTERS),
    request: () => characters(idDigest(seed, 'request'), RANDOM_CHARACTERS),
    kycToken: () => `kyc_${characters(idDigest(seed, 'kycToken'), TOKEN_CHARACTERS)}`,
    quote: () => `quote_${characters(idDigest(seed, 'quote'), TOKEN_CHARACTERS)}`,
  };
}

function idDigest(seed: string, purpose: string): Buffer {
  return createHash('sha256').update(`${purpose}:${seed}`).digest();
}

function characters(bytes: Buffer, count: number): string {
  return Array.from(bytes.subarray(0, count), (byte) => ALPHABET[byte & 31]).join('');
}

function timeCharacters(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let index = 0; index < TIME_CHARACTERS; index++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** A shorter text would fit too many ids. */
const LEAST_CHARACTERS = 6;

/**
 * The time in which purchases with ids that begin with `text` were opened, in epoch milliseconds. `to` is
 * exclusive. Undefined if the text is too short or cannot begin an id.
 */
export function beginOfId(text: string): { from: number; to: number } | undefined {
  const digits = [...text.toUpperCase()].map((character) => ALPHABET.indexOf(character));
  const isShort = digits.length < LEAST_CHARACTERS;
  if (isShort || digits.length > TIME_CHARACTERS + RANDOM_CHARACTERS || digits.includes(-1)) return undefined;
  const known = digits.slice(0, TIME_CHARACTERS);
  const step = 32 ** (TIME_CHARACTERS - known.length);
  const from = step * known.reduce((sum, digit) => sum * 32 + digit, 0);
  return { from, to: from + step };
}
