import { timingSafeEqual } from 'node:crypto';
import { refuseField } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';

export const CURSOR_NEEDS = ['lookup'] as const;
type Ports = Needs<typeof CURSOR_NEEDS>;

/**
 * A list that belongs to one partner. `filter` has everything that decides which rows are in the list, and in
 * which order. The page size is not part of `filter`.
 */
export type Listing = {
  partnerId: string;
  name: string;
  filter: Readonly<Record<string, unknown>>;
};

const MAC_DIGITS = 64;

/**
 * Makes the cursor of the page that begins after `place`: docs/decisions.md, "Cursors of lists". A place is
 * the key of a row, so new rows do not move the pages. Undefined without a `place`, after the last page.
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
 * The place for which `cursorAt` made the cursor. Undefined without a cursor, for the first page. Refuses any other
 * text, and the cursor of another list.
 */
export async function placeAt(
  cursor: string | undefined,
  listing: Listing,
  { lookup }: Ports,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [mac, place] = [text.slice(0, MAC_DIGITS), text.slice(MAC_DIGITS)];
  if (!isSame(mac, await macOf(place, listing, lookup))) {
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

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
