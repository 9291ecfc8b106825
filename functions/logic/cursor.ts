import { timingSafeEqual } from 'node:crypto';
import { refuseField } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';

export const CURSOR_NEEDS = ['lookup'] as const;
type Ports = Needs<typeof CURSOR_NEEDS>;

/**
 * A list of one partner's rows. `filter` has everything that decides which rows the list has, and in which
 * order. The page size is not part of `filter`.
 */
export type Listing = {
  partnerId: string;
  name: string;
  filter: Readonly<Record<string, unknown>>;
};

const MAC_DIGITS = 64;

/**
 * Makes the cursor of the page that begins after `place`: docs/decisions.md, "Lists and searches". A place is
 * the key of a row. Rows that are added later therefore do not shift the pages. If `place` is undefined, the
 * list has no further page, and the cursor is undefined too.
 */
export async function cursorAt(
  place: string | undefined,
  listing: Listing,
  { lookup }: Ports,
): Promise<string | undefined> {
  if (place === undefined) return undefined;
  return Buffer.from(`${await macOf(place, listing, lookup)}${place}`).toString('base64url');
}

/**
 * Returns the place for which `cursorAt` made the cursor. Without a cursor, the result is undefined, which
 * means the first page. Refuses the request if `cursorAt` did not make the cursor, or made it for another
 * list.
 */
export async function placeAt(
  cursor: string | undefined,
  listing: Listing,
  { lookup }: Ports,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [mac, place] = [text.slice(0, MAC_DIGITS), text.slice(MAC_DIGITS)];
  if (!isSameSeal(mac, await macOf(place, listing, lookup))) {
    refuseField('cursor', 'must be the nextCursor of this list, with the same filters');
  }
  return place;
}

function macOf(
  place: string,
  { partnerId, name, filter }: Listing,
  lookup: Ports['lookup'],
): Promise<string> {
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined);
  const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return lookup.fingerprint(`cursor ${JSON.stringify([partnerId, name, sorted, place])}`);
}

function isSameSeal(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
