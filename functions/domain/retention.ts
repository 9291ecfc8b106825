/**
 * All data that we keep, with their personal data, the legal reason and the period. Stores take the `ttl` of their rows
 * from here, and `infra/` takes the retention of logs and queues. docs/retention.md is generated from this file. See
 * docs/operations.md, "A client's rights".
 *
 * Sources. Lei 13.709/2018 (LGPD), articles 7, 11 and 16. Lei 9.613/1998, article 10, § 2: five years, which the
 * authority may extend. Circular BCB 3.978/2020: ten years, from the first day of the year that follows. Resolução BCB
 * 520/2025: a provider of virtual assets needs an authorisation, and the Circular binds it. Código Civil, articles 205
 * and 1.194, and CTN, article 195: books until claims and taxes prescribe.
 */
import { KEPT_ELSEWHERE } from './retention/elsewhere.ts';
import { KEPT_IN_TABLES } from './retention/in-tables.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/** How long data are kept. `years` are calendar years, which begin on the first day of the next year. */
type Life = { minutes: number } | { days: number } | { years: number } | 'FOR_EVER';

export type Kept = {
  /** The kept data, in words. */
  what: string;
  table?: string;
  /** The personal data among them, and their form. */
  personal: string;
  /** The legal ground and the reason for the period. `GROUNDS` explains words in capitals. */
  because: string;
  life: Life;
  /** The instant from which the period is counted. */
  from: string;
  /** The data that an erasure deletes before the period ends: whole rows, or these fields. No law keeps them. */
  erased?: 'ROWS' | readonly string[];
};

/**
 * Legal grounds that several entries share. An entry names them in capitals, and the generated document explains them.
 */
export const GROUNDS = {
  DUTY: 'LGPD art. 7 II and art. 16 I. Lei 9.613/1998 art. 10 and Circular BCB 3.978/2020 demand ten years.',
  BOOKS: 'Books are kept until claims and taxes prescribe: Código Civil arts. 1.194 and 205, CTN art. 195.',
  CONTRACT: 'LGPD art. 7 V: performance of the purchase that the client asked for.',
  NO_LGPD: 'LGPD does not apply.',
};

/** Each kind of data by its name. */
export const RETENTION = { ...KEPT_IN_TABLES, ...KEPT_ELSEWHERE } satisfies Record<string, Kept>;

type Name = keyof typeof RETENTION;
/** The entries whose rows DynamoDB deletes at the end of their period. */
export type Mortal = {
  [N in Name]: (typeof RETENTION)[N] extends { table: string; life: object } ? N : never;
}[Name];
/** The entries of tables with personal data of clients. The text of any other entry begins with `none`. */
export type Personal = {
  [N in keyof typeof KEPT_IN_TABLES]: (typeof KEPT_IN_TABLES)[N]['personal'] extends `none${string}`
    ? never
    : N;
}[keyof typeof KEPT_IN_TABLES];
/** The tables whose rows have an entry in `RETENTION`. */
export type KeptTable = Extract<(typeof RETENTION)[Name], { table: string }>['table'];
/** The tables in which DynamoDB deletes some rows at the end of their period. */
export type EndingTable = (typeof RETENTION)[Mortal]['table'];

/** The end of a life that began at `at`. `at` and the end are epoch milliseconds. */
export function retentionEndOf(life: Exclude<Life, 'FOR_EVER'>, at: number): number {
  if ('minutes' in life) return at + life.minutes * MINUTE_MS;
  if ('days' in life) return at + life.days * DAY_MS;
  return Date.UTC(new Date(at).getUTCFullYear() + 1 + life.years, 0, 1);
}

/**
 * The `ttl` of a row for DynamoDB, in epoch seconds. DynamoDB deletes rows late, and a sandbox may never
 * delete them. Therefore no code reads `ttl` to tell whether a row is still valid. Rows have other instants
 * for that.
 */
export function ttlOf(kept: Mortal, at: number): number {
  return Math.ceil(retentionEndOf(RETENTION[kept].life, at) / 1000);
}

/** How many days the infrastructure keeps logs, or the messages of queues. */
export function daysKept(kept: 'logs' | 'sandboxLogs' | 'queues'): number {
  return RETENTION[kept].life.days;
}

/** How long the data are kept, in words. */
export function retentionWords({ life, from }: Pick<Kept, 'life' | 'from'>): string {
  return `${lifeInWords(life)}${from && ` from ${from}`}`;
}

export function lifeInWords(life: Life): string {
  if (life === 'FOR_EVER') return 'for ever';
  if ('minutes' in life) return `for ${life.minutes} minutes`;
  if ('days' in life) return life.days === 1 ? 'for one day' : `for ${life.days} days`;
  return `for ${life.years} calendar years`;
}

/** The entry's legal ground and reason. Each name of a shared ground is replaced by its text in `GROUNDS`. */
export function basisOf({ because }: Pick<Kept, 'because'>): string {
  return Object.entries(GROUNDS).reduce(
    (words, [name, ground]) => words.replace(name, ground.replace(/\.$/, '')),
    because,
  );
}
