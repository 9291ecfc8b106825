/**
 * What is kept, which personal data it holds and in which form, why, and how long: the one place that says so. Stores
 * take the `ttl` of their rows from here, infrastructure the retention of logs and queues, and `docs/retention.md` is
 * written from it. docs/decisions.md, "How long things are kept".
 *
 * Sources: Lei 13.709/2018 (LGPD), arts. 7, 11 and 16; Lei 9.613/1998, art. 10, § 2 (five years, which the authority may
 * extend); Circular BCB 3.978/2020 (ten years, from the first day of the year that follows); Res. BCB 520/2025 (who
 * serves virtual assets is an institution authorised by the Central Bank, and so bound by the Circular); Código Civil,
 * arts. 205 and 1.194, and CTN, art. 195 (books until what they show has prescribed).
 */

/** `years` are whole calendar years: they begin on the first day of the year that follows. */
export type Life = { minutes: number } | { days: number } | { years: number } | 'FOR_EVER';

export type Kept = {
  /** What it is, in words; and where: one of our tables, or elsewhere. */
  what: string;
  table?: string;
  /** The personal data in it, and their form. */
  personal: string;
  /** LGPD's ground, and what makes this long necessary. */
  because: string;
  life: Life;
  /** The instant that the life is counted from. */
  from: string;
};

const DUTY =
  'LGPD art. 7 II and art. 16 I: to be kept by Lei 9.613/1998 art. 10, ten years by Circular BCB 3.978/2020';
const BOOKS =
  'books are kept until claims and taxes prescribe: Código Civil arts. 1.194 and 205, CTN art. 195';
const CONTRACT = 'LGPD art. 7 V: performance of the purchase that the client asked for';
const NONE = 'none';

export const RETENTION = {
  clients: {
    table: 'clients',
    what: 'a partner’s client',
    personal:
      'CPF and TOTP secret (ciphertext), keyed hash of the CPF, wallets and a day’s sum (plain), reviews',
    because: DUTY,
    life: { years: 10 },
    from: 'the end of the latest KYC token: the relationship lasts as long as the client comes back',
  },
  kycRecords: {
    table: 'kycRecords',
    what: 'the outcome of a KYC submission',
    personal:
      'keyed hash of the CPF; names, birth date, CNPJ (ciphertext); keyed biometric hash while PENDING',
    because: DUTY,
    life: { years: 10 },
    from: 'the end of the token',
  },
  partnerTokenUses: {
    table: 'kycRecords',
    what: 'that a partner’s KYC token was used, and for which request',
    personal: 'keyed hashes',
    because: DUTY,
    life: { years: 10 },
    from: 'the end of the token that it led to',
  },
  evidence: {
    table: 'evidence',
    what: 'a decision: its inputs, findings, rules, and who decided',
    personal:
      'keyed hashes, also of the biometric hash; wallets and end-to-end ids (plain); what lists publish',
    because: `${DUTY}; for the biometric hash art. 11 II g: fraud in identification`,
    life: { years: 10 },
    from: 'the decision',
  },
  listPublications: {
    table: 'evidence',
    what: 'that lists were published, and what had changed (evidence of kind `lists`)',
    personal: 'ids of the publishers’ entries',
    because: 'decisions cite it, the latest of them ten years from now; the lists are public documents',
    life: 'FOR_EVER',
    from: '',
  },
  cases: {
    table: 'cases',
    what: 'a client who is close to a listed person, and what a reviewer decided',
    personal: 'keyed hashes; of the list what it publishes; the reviewer’s reason (plain)',
    because: DUTY,
    life: { years: 10 },
    from: 'the latest meeting of client and entry',
  },
  moneyCases: {
    table: 'moneyCases',
    what: 'what a person had to decide about money, and how they did',
    personal: 'keyed hash of the CPF; end-to-end ids, hashes of transfers, amounts, the reason (plain)',
    because: DUTY,
    life: { years: 10 },
    from: 'its closing, and the lifting of its block; while it is open, or blocks a client, it stays',
  },
  booksCursor: {
    table: 'moneyCases',
    what: 'up to when the books were compared, and where a run has stopped',
    personal: 'none that stays: the id of the posting at which a run has stopped, until the next goes on',
    because: 'LGPD does not apply; one row for the clock and one for operators, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  transactions: {
    table: 'transactions',
    what: 'a purchase',
    personal: 'keyed hash of the CPF, wallet, amounts, the Pix’s end-to-end id (plain)',
    because: DUTY,
    life: { years: 10 },
    from: 'its last move',
  },
  strays: {
    table: 'strays',
    what: 'a Pix that was no purchase’s payment, and its return',
    personal: 'its end-to-end id, txid and amount (plain); not who paid',
    because: DUTY,
    life: { years: 10 },
    from: 'the last news of its return',
  },
  ledger: {
    table: 'ledger',
    what: 'a posting: money that was received, settled or sent back, in double entry',
    personal: 'ids of the purchase and of its Pix, chain transaction and amounts (plain); not who paid',
    because: `${DUTY}; ${BOOKS}`,
    life: { years: 10 },
    from: 'what is posted',
  },
  pixCursor: {
    table: 'strays',
    what: 'up to when received Pix were reconciled, and where a run has stopped',
    personal: NONE,
    because: 'LGPD does not apply; one row, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  events: {
    table: 'events',
    what: 'an announcement to the partner',
    personal: 'wallet, amounts, Pix payload (plain)',
    because: `${CONTRACT}; a partner may ask for it again, and say within a year that it never came`,
    life: { days: 365 },
    from: 'the event',
  },
  deliveries: {
    table: 'deliveries',
    what: 'an event on its way to one endpoint',
    personal: NONE,
    because: 'LGPD does not apply; as long as the event',
    life: { days: 365 },
    from: 'the event, or when it was asked for again; later by the time that it was held',
  },
  paces: {
    table: 'deliveries',
    what: 'how fast an endpoint answers',
    personal: NONE,
    because: 'LGPD does not apply; one row for each slow endpoint, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  callbacks: {
    table: 'callbacks',
    what: 'the ids that a provider’s call named',
    personal: 'keyed hash of the CPF or the Pix’s end-to-end id, never the payer’s words',
    because: `${CONTRACT}; as long as a Pix may be disputed and refunded`,
    life: { days: 90 },
    from: 'the call',
  },
  idempotencyKeys: {
    table: 'requests',
    what: 'a request’s key and answer',
    personal: 'the answer (ciphertext)',
    because: `${CONTRACT}; repeated requests are recognised for a day`,
    life: { days: 1 },
    from: 'the first request',
  },
  rateCounts: {
    table: 'requests',
    what: 'how many requests a key made in one minute',
    personal: NONE,
    because: 'LGPD does not apply; the minute, and one more for clocks that differ',
    life: { minutes: 2 },
    from: 'the minute’s begin',
  },
  partners: {
    table: 'partners',
    what: 'a partner, its keys and endpoints',
    personal: 'none of natural persons: a company’s name, hashes of keys, webhook secrets (ciphertext)',
    because: 'LGPD does not apply; every other row names its partner',
    life: 'FOR_EVER',
    from: '',
  },
  settlements: {
    table: 'settlements',
    what: 'the treasury’s books: which nonce paid which purchase',
    personal: 'wallet and amount (plain), which the chain shows to everybody for ever',
    because:
      'a nonce whose claim was forgotten could pay twice; once the purchase is gone it leads to no person',
    life: 'FOR_EVER',
    from: '',
  },
  floats: {
    table: 'floats',
    what: 'what the treasury could still pay, its wallets of ever, last prices, and who paused what and why',
    personal: 'none of clients: the operator’s name',
    because: 'LGPD does not apply to the figures; whoever answers for a pause must be known',
    life: 'FOR_EVER',
    from: '',
  },
  witness: {
    table: 'witness',
    what: 'how far the tables have come in time, and who holds the money and why',
    personal: 'none of clients: the operator’s name',
    because: 'LGPD does not apply; one row, rewritten in place',
    life: 'FOR_EVER',
    from: '',
  },
  lists: {
    what: 'the lists’ files and indexes (S3, `$ListsBucket`)',
    personal: 'what the publishers publish',
    because: 'evidence names files and index by their digests; the lists are public documents',
    life: 'FOR_EVER',
    from: '',
  },
  logs: {
    what: 'log lines (CloudWatch; a week in a sandbox)',
    personal: 'ids of purchases and events; never a CPF, name, code, key or token',
    because: 'LGPD art. 7 IX: to find out what happened, as long as purchases are usually disputed',
    life: { days: 365 },
    from: 'the line',
  },
  sandboxLogs: {
    what: 'log lines of a stage that is not production',
    personal: 'made up',
    because: 'LGPD does not apply',
    life: { days: 7 },
    from: 'the line',
  },
  executions: {
    what: 'histories of executions (Step Functions)',
    personal: 'ids, statuses, hashes of chain transactions; task tokens, which end with their waits',
    because:
      'Step Functions keeps them so long and no longer; evidence and purchase say the same for ten years',
    life: { days: 90 },
    from: 'the execution’s end',
  },
  queues: {
    what: 'messages in queues and dead-letter queues (SQS)',
    personal: 'as in callbacks; else ids',
    because: `${CONTRACT}; the longest that SQS keeps what a person must look at`,
    life: { days: 14 },
    from: 'the message',
  },
  traces: {
    what: 'traces (X-Ray)',
    personal: NONE,
    because: 'LGPD does not apply; X-Ray keeps them so long',
    life: { days: 30 },
    from: 'the trace',
  },
  backups: {
    what: 'point-in-time recovery of the tables (DynamoDB, production)',
    personal: 'as in the tables, also of rows that are gone from them',
    because: 'LGPD art. 7 II: a table that was destroyed by mistake must be recovered',
    life: { days: 35 },
    from: 'the change',
  },
} as const satisfies Record<string, Kept>;

type Name = keyof typeof RETENTION;
/** What rows of ours end by themselves. */
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
