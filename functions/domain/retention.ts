/**
 * The only description of the data that we keep: personal data and their form, reason and period. Stores take the
 * `ttl` of their rows from here, and infrastructure the retention of logs and queues. `docs/retention.md` is
 * generated from it. docs/decisions.md, "How long things are kept".
 *
 * Sources: Lei 13.709/2018 (LGPD), arts. 7, 11 and 16; Lei 9.613/1998, art. 10, § 2 (five years, which the authority
 * may extend); Circular BCB 3.978/2020 (ten years, from the first day of the year that follows); Res. BCB 520/2025 (a
 * provider of virtual assets needs the Central Bank's authorisation, and the Circular binds it); Código Civil, arts.
 * 205 and 1.194, and CTN, art. 195 (books until claims and taxes prescribe).
 */

/** `years` are whole calendar years: they begin on the first day of the year that follows. */
export type Life = { minutes: number } | { days: number } | { years: number } | 'FOR_EVER';

export type Kept = {
  /** The content, in words. */
  what: string;
  table?: string;
  /** The personal data in it, and their form. */
  personal: string;
  /** The legal ground and the reason for the period; `GROUNDS` explains the words in capitals. */
  because: string;
  life: Life;
  /** The instant that the life is counted from. */
  from: string;
};

/** The grounds that several entries share. An entry names them in capitals; the generated document explains them. */
export const GROUNDS = {
  DUTY: 'LGPD art. 7 II and art. 16 I. Lei 9.613/1998 art. 10 and Circular BCB 3.978/2020 demand ten years.',
  BOOKS: 'Books are kept until claims and taxes prescribe: Código Civil arts. 1.194 and 205, CTN art. 195.',
  CONTRACT: 'LGPD art. 7 V: performance of the purchase that the client asked for.',
  NO_LGPD: 'LGPD does not apply.',
};
const NONE = 'none';

export const RETENTION = {
  clients: {
    table: 'clients',
    what: 'a partner’s client',
    personal:
      'CPF and TOTP secret (ciphertext), keyed hash of the CPF, wallets and a day’s sum (plain), reviews',
    because: 'DUTY',
    life: { years: 10 },
    from: 'the end of the latest KYC token',
  },
  kycRecords: {
    table: 'kycRecords',
    what: 'the outcome of a KYC submission',
    personal:
      'keyed hash of the CPF; names, birth date, CNPJ (ciphertext); keyed biometric hash while PENDING',
    because: 'DUTY',
    life: { years: 10 },
    from: 'the end of the token',
  },
  partnerTokenUses: {
    table: 'kycRecords',
    what: 'the use of a partner’s KYC token, and its request',
    personal: 'keyed hashes',
    because: 'DUTY',
    life: { years: 10 },
    from: 'the end of the token that it led to',
  },
  evidence: {
    table: 'evidence',
    what: 'a decision: its inputs, findings, rules and person',
    personal:
      'keyed hashes, also of the biometric hash; wallets, end-to-end ids (plain); data that lists publish',
    because: 'DUTY; for the biometric hash LGPD art. 11 II g: fraud in identification',
    life: { years: 10 },
    from: 'the decision',
  },
  listPublications: {
    table: 'evidence',
    what: 'a publication of lists and its changes (evidence of kind `lists`)',
    personal: 'ids of the publishers’ entries',
    because: 'decisions cite it; the lists are public documents',
    life: 'FOR_EVER',
    from: '',
  },
  cases: {
    table: 'cases',
    what: 'a client who is close to a listed person, and the reviewer’s decision',
    personal: 'keyed hashes; data that the list publishes; the reviewer’s reason (plain)',
    because: 'DUTY',
    life: { years: 10 },
    from: 'the latest match of client and entry',
  },
  moneyCases: {
    table: 'moneyCases',
    what: 'a case of money, and a person’s decision',
    personal: 'keyed hash of the CPF; end-to-end ids, hashes of transfers, amounts, the reason (plain)',
    because: 'DUTY',
    life: { years: 10 },
    from: 'its closing and the lifting of its block; an open case stays',
  },
  booksCursor: {
    table: 'moneyCases',
    what: 'the progress of the comparison of the books',
    personal: 'none that stays: the id of the last posting, until the next run',
    because: 'NO_LGPD; one row for the clock and one for operators, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  transactions: {
    table: 'transactions',
    what: 'a purchase',
    personal: 'keyed hash of the CPF, wallet, amounts, the Pix’s end-to-end id (plain)',
    because: 'DUTY',
    life: { years: 10 },
    from: 'its last move',
  },
  strays: {
    table: 'strays',
    what: 'a Pix that was no purchase’s payment, and its return',
    personal: 'its end-to-end id, txid and amount (plain); not the payer',
    because: 'DUTY',
    life: { years: 10 },
    from: 'the last change of its return',
  },
  ledger: {
    table: 'ledger',
    what: 'a posting in double entry: money received, settled or sent back',
    personal: 'ids of purchase, Pix and chain transaction, amounts (plain); not the payer',
    because: 'DUTY; BOOKS',
    life: { years: 10 },
    from: 'the move that is posted',
  },
  pixCursor: {
    table: 'strays',
    what: 'the progress of the reconciliation of Pix',
    personal: NONE,
    because: 'NO_LGPD; one row, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  events: {
    table: 'events',
    what: 'an announcement to the partner',
    personal: 'wallet, amounts, Pix payload (plain)',
    because: 'CONTRACT; a partner may ask for it again within a year',
    life: { days: 365 },
    from: 'the event',
  },
  deliveries: {
    table: 'deliveries',
    what: 'an event on its way to one endpoint',
    personal: NONE,
    because: 'NO_LGPD; as long as the event',
    life: { days: 365 },
    from: 'the event or the request to deliver it again, plus the time that it was held',
  },
  paces: {
    table: 'deliveries',
    what: 'the speed of an endpoint',
    personal: NONE,
    because: 'NO_LGPD; one row for each slow endpoint, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  callbacks: {
    table: 'callbacks',
    what: 'the ids that a provider’s call named',
    personal: 'keyed hash of the CPF or the Pix’s end-to-end id, never the payer’s words',
    because: 'CONTRACT; as long as a Pix may be disputed and refunded',
    life: { days: 90 },
    from: 'the call',
  },
  idempotencyKeys: {
    table: 'requests',
    what: 'a request’s key and answer',
    personal: 'the answer (ciphertext)',
    because: 'CONTRACT; repeated requests are recognised for a day',
    life: { days: 1 },
    from: 'the first request',
  },
  rateCounts: {
    table: 'requests',
    what: 'the number of requests of a key in one minute',
    personal: NONE,
    because: 'NO_LGPD; a minute more than needed, for clocks that differ',
    life: { minutes: 2 },
    from: 'the start of the minute',
  },
  partners: {
    table: 'partners',
    what: 'a partner, its keys and endpoints',
    personal: 'none of natural persons: a company’s name, hashes of keys, webhook secrets (ciphertext)',
    because: 'NO_LGPD; every other row names its partner',
    life: 'FOR_EVER',
    from: '',
  },
  settlements: {
    table: 'settlements',
    what: 'the treasury’s books: which nonce paid which purchase',
    personal: 'wallet and amount (plain), which the chain shows to everybody for ever',
    because: 'a forgotten claim of a nonce could pay twice; once the purchase is gone it leads to no person',
    life: 'FOR_EVER',
    from: '',
  },
  floats: {
    table: 'floats',
    what: 'the treasury’s balance, all wallets that it ever had, last prices, pauses',
    personal: 'none of clients: the operator’s name',
    because: 'NO_LGPD for the figures; the person who paused must be known',
    life: 'FOR_EVER',
    from: '',
  },
  witness: {
    table: 'witness',
    what: 'the latest instant of the tables, and the holds of the money',
    personal: 'none of clients: the operator’s name',
    because: 'NO_LGPD; one row, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  lists: {
    what: 'the lists’ files and indexes (S3, `$ListsBucket`)',
    personal: 'data that the publishers publish',
    because: 'evidence names files and index by their digests; the lists are public documents',
    life: 'FOR_EVER',
    from: '',
  },
  logs: {
    what: 'log lines (CloudWatch; a week in a sandbox)',
    personal: 'ids of purchases and events; never a CPF, name, code, key or token',
    because: 'LGPD art. 7 IX: to examine disputes, which usually come within a year',
    life: { days: 365 },
    from: 'the line',
  },
  sandboxLogs: {
    what: 'log lines of a stage that is not production',
    personal: 'made up',
    because: 'NO_LGPD',
    life: { days: 7 },
    from: 'the line',
  },
  executions: {
    what: 'histories of executions (Step Functions)',
    personal: 'ids, statuses, hashes of chain transactions; task tokens, which end with their waits',
    because: 'the longest that Step Functions keeps them; evidence and purchase stay ten years',
    life: { days: 90 },
    from: 'the execution’s end',
  },
  queues: {
    what: 'messages in queues and dead-letter queues (SQS)',
    personal: 'as in callbacks; else ids',
    because: 'CONTRACT; the longest that SQS keeps a message',
    life: { days: 14 },
    from: 'the message',
  },
  traces: {
    what: 'traces (X-Ray)',
    personal: NONE,
    because: 'NO_LGPD; fixed by X-Ray',
    life: { days: 30 },
    from: 'the trace',
  },
  backups: {
    what: 'point-in-time recovery of the tables (DynamoDB, production)',
    personal: 'as in the tables, also of rows that ended since',
    because: 'LGPD art. 7 II: a table that a mistake destroyed must be recoverable',
    life: { days: 35 },
    from: 'the change',
  },
} as const satisfies Record<string, Kept>;

type Name = keyof typeof RETENTION;
/** The entries whose rows end by themselves. */
export type Mortal = {
  [N in Name]: (typeof RETENTION)[N] extends { table: string; life: object } ? N : never;
}[Name];
/** The tables that hold what is kept. */
export type KeptTable = Extract<(typeof RETENTION)[Name], { table: string }>['table'];
/** The tables of which some rows end. */
export type EndingTable = (typeof RETENTION)[Mortal]['table'];

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 24 * 60 * MS_PER_MINUTE;

/** When the life of what began at `at` ends; both in epoch milliseconds. */
export function endOf(life: Exclude<Life, 'FOR_EVER'>, at: number): number {
  if ('minutes' in life) return at + life.minutes * MS_PER_MINUTE;
  if ('days' in life) return at + life.days * MS_PER_DAY;
  return Date.UTC(new Date(at).getUTCFullYear() + 1 + life.years, 0, 1);
}

/**
 * The `ttl` of a row, in epoch seconds, as DynamoDB wants it. DynamoDB deletes late, and a sandbox may never: whether a
 * row is still good is judged by its own instants, and nobody reads this one.
 */
export function ttlOf(kept: Mortal, at: number): number {
  return Math.ceil(endOf(RETENTION[kept].life, at) / 1000);
}

/** Days that infrastructure is configured with. */
export function daysOf(kept: 'logs' | 'sandboxLogs' | 'queues'): number {
  return RETENTION[kept].life.days;
}
