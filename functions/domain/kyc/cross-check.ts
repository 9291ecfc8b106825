/**
 * Compares the data that a partner collected about a client (Model 3) with the registry and the document:
 * docs/decisions.md, "Data that the partner collected".
 */
import { nameWords, wordsAgree } from './person-name.ts';

/** The data about a client that a partner may send. */
export const COLLECTED = ['name', 'birthDate', 'documentNumber'] as const;
type Datum = (typeof COLLECTED)[number];

/** Data about a person: from the partner, the tax registry or a document. `birthDate` is an ISO date. */
export type PersonData = { name?: string; birthDate?: string; documentNumbers?: readonly string[] };

/**
 * A person's data as normalised texts, or as keyed hashes of these texts. `name` has the words of the name,
 * `birthDate` one date, `documentNumber` all numbers.
 */
export type Comparable = { [Name in Datum]?: string[] };

/** `UNKNOWN`: the source does not have this datum. */
export type Verdict = 'SAME' | 'OTHER' | 'UNKNOWN';
export type Verdicts = { [Name in Datum]?: Verdict };
/** How the partner's data compare with each source. A source that gave no person is absent. */
export type CrossCheck = { registry?: Verdicts; document?: Verdicts };

/** The texts that are compared. A datum without anything to compare is absent. */
export function comparableOf({ name = '', birthDate, documentNumbers = [] }: PersonData): Comparable {
  const texts: Required<Comparable> = {
    name: nameWords(name),
    birthDate: birthDate === undefined ? [] : [birthDate],
    documentNumber: documentNumbers.map(plainNumber).filter((number) => number !== ''),
  };
  return Object.fromEntries(
    COLLECTED.filter((datum) => texts[datum].length > 0).map((datum) => [datum, texts[datum]]),
  );
}

/**
 * Keeps only letters and digits, in upper case and without leading zeros. Offices print the same number with
 * and without separators and leading zeros.
 */
function plainNumber(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '');
}

const overlaps = (some: readonly string[], others: readonly string[]) =>
  some.some((each) => others.includes(each));

const AGREES: Record<Datum, (given: readonly string[], there: readonly string[]) => boolean> = {
  // The partner's data and the registry's data are about the same CPF. Therefore any number of middle names
  // may be missing. A document that shows the CPF is treated in the same way (`isOfPerson`).
  name: (given, there) => wordsAgree(given, there, Number.POSITIVE_INFINITY),
  birthDate: overlaps,
  documentNumber: overlaps,
};

/** Compares each datum that the partner gave with a source. Both sides must be texts, or both keyed hashes. */
export function compared(given: Comparable, there: Comparable): Verdicts {
  return Object.fromEntries(
    COLLECTED.filter((datum) => given[datum]).map((datum) => [datum, verdictOn(datum, given, there)]),
  );
}

function verdictOn(
  datum: Datum,
  { [datum]: given = [] }: Comparable,
  { [datum]: there }: Comparable,
): Verdict {
  if (there === undefined) return 'UNKNOWN';
  return AGREES[datum](given, there) ? 'SAME' : 'OTHER';
}

/**
 * Names the data that differ. Differences from the document are left out until the document is approved,
 * because before that the client may still show another document.
 */
export function differencesIn({ registry, document }: CrossCheck = {}, isApproved: boolean): string[] {
  return [
    ...othersIn(registry, 'the CPF registry'),
    ...(isApproved ? othersIn(document, 'the document') : []),
  ];
}

function othersIn(verdicts: Verdicts = {}, source: string): string[] {
  return COLLECTED.filter((datum) => verdicts[datum] === 'OTHER').map((datum) => `${datum} of ${source}`);
}
