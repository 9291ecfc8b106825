/**
 * Compares the parts of two texts about a person, so that a reviewer sees which are equal. It decides nothing:
 * the score of a case comes from the search of the lists.
 */

/** The parts of a text, in their order. `isEqual`: the other side has this part, too. */
export type ComparedText = { text: string; isEqual: boolean };
export type Compared = { client: ComparedText[][]; listed: ComparedText[][]; words: string };
type ComparedSides = { client: readonly string[]; listed: readonly string[] };

const WORD = /([\p{L}\p{N}\p{M}]+)/u;
const NUMBER = /([\p{L}\p{N}./-]+)/u;

export const MISSING = 'one side has none';

/** Compares names word by word, in any order, without accents and case. */
export function compareNames(sides: ComparedSides): Compared {
  const { client, listed, equal, all } = compareParts(sides, WORD, /./);
  return { client, listed, words: missingIn(sides) ?? `${equal} of ${all} words of the client are equal` };
}

/** Compares documents by their letters and digits. A word without a number, such as “CPF”, says nothing. */
export function compareDocuments(sides: ComparedSides): Compared {
  const { client, listed, equal } = compareParts(sides, NUMBER, /\d.*\d.*\d/);
  return { client, listed, words: missingIn(sides) ?? (equal > 0 ? 'an equal one' : 'none is equal') };
}

const missingIn = ({ client, listed }: ComparedSides) =>
  client.length === 0 || listed.length === 0 ? MISSING : undefined;

/** `form` splits a text into its parts. Only parts with the form `counts` are compared. */
function compareParts({ client, listed }: ComparedSides, form: RegExp, counts: RegExp) {
  const [ofClient, ofListed] = [client, listed].map((texts) => partKeys(texts, form, counts));
  const marked = (texts: readonly string[], other = new Set<string>()) =>
    texts.map((text) => text.split(form).map((part) => ({ text: part, isEqual: other.has(partKey(part)) })));
  const all = ofClient?.size ?? 0;
  const equal = [...(ofClient ?? [])].filter((key) => ofListed?.has(key)).length;
  return { client: marked(client, ofListed), listed: marked(listed, ofClient), all, equal };
}

const partKeys = (texts: readonly string[], form: RegExp, counts: RegExp): Set<string> =>
  new Set(texts.flatMap((text) => text.split(form).map(partKey)).filter((key) => counts.test(key)));

const partKey = (part: string): string =>
  part
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const PERIOD = /^(\d{4}-\d{2}-\d{2}) to (\d{4}-\d{2}-\d{2})$/;

/** Compares the client's day of birth with the listed days and periods: year with year, month with month. */
export function compareBirths(sides: ComparedSides): Compared {
  const [born = ''] = sides.client;
  const listed = sides.listed.map((text) => birthParts(text, born));
  const equal = [0, 1, 2].filter((place) =>
    listed.some((parts) => parts.length > 1 && parts[place]?.isEqual),
  );
  const isIn = listed.some((parts) => parts.length === 1 && parts[0]?.isEqual);
  const isSame = listed.some((parts) => parts.length > 1 && parts.every(({ isEqual }) => isEqual));
  const words = isSame ? 'the same day' : isIn ? 'within the period' : birthPartWords(equal);
  const isKnown = DAY.test(born) && sides.listed.some((text) => /\d{4}/.test(text));
  const own = isIn ? [{ text: born, isEqual: true }] : dayParts(born, (_, place) => equal.includes(place));
  return { client: born ? [own] : [], listed, words: isKnown ? words : MISSING };
}

const PLACES = ['year', 'month', 'day'];

function birthPartWords(equal: readonly number[]): string {
  const names = equal.map((place) => PLACES[place]);
  return names.length === 0 ? 'another day' : `another day, with an equal ${names.join(' and ')}`;
}

function birthParts(text: string, born: string): ComparedText[] {
  const [, from, to] = PERIOD.exec(text) ?? [];
  if (from && to) return [{ text, isEqual: born !== '' && from <= born && born <= to }];
  const own = DAY.exec(born)?.slice(1) ?? [];
  return dayParts(text, (part, place) => part === own[place]);
}

/** The year, the month and the day, each with the hyphen that follows it. */
function dayParts(text: string, isEqual: (part: string, place: number) => boolean): ComparedText[] {
  const parts = DAY.exec(text)?.slice(1);
  if (!parts) return [{ text, isEqual: false }];
  return parts.map((part, place) => ({
    text: place < 2 ? `${part}-` : part,
    isEqual: isEqual(part, place),
  }));
}
