/**
 * The rights on tables and keys that the operator's credentials need, beside those of every command. `--help` of a word
 * prints them, and a permission set is made from them. Tests run the commands, and `test/support/command-rights.ts`
 * refuses a call to a table that is not named here.
 */
import { RETENTION } from '../functions/domain/retention.ts';
import type { TableName } from '../functions/tables/describe.ts';
import { SUBJECT_KINDS } from './subject-fields.ts';

type TableRight = 'read' | 'put' | 'update' | 'delete';

type Rights = { readonly [Right in TableRight]?: readonly TableName[] } & {
  /** The name of another command, whose rights this command needs as well. */
  like?: string;
  /** For a table, the only attributes that the command updates. The permission can be limited to them. */
  fields?: { readonly [Name in TableName]?: readonly string[] };
  /** Rights on other resources than tables, and conditions on the rights above, in words. */
  also?: string;
};

/**
 * The tables with rows about a person that DynamoDB deletes after a time. A litigation hold changes these rows, so that
 * they stay.
 */
const TABLES_WITH_ENDS = SUBJECT_KINDS.map((kind) => RETENTION[kind]).flatMap(({ table, life }) =>
  life === 'FOR_EVER' ? [] : table,
);

const ACTIONS =
  'read is GetItem, BatchGetItem, Query, Scan and ConditionCheckItem; indexes belong to their table';

const OF_EVERY: Rights = {
  read: ['acts', 'partners'],
  put: ['acts', 'evidence'],
  also: '`kms:GenerateDataKey` and `kms:Decrypt` of the data key; read the secret `LookupSecret`',
};

/** The rights of the commands whose names begin with these words. */
const OF_COMMANDS: Readonly<Record<string, Rights>> = {
  partners: { update: ['partners'] },
  'partners create': { put: ['partners'] },
  'partners show': { read: ['usages'] },
  keys: { put: ['partners'], update: ['partners'] },
  endpoints: { update: ['partners'] },
  'vendor-keys': { read: ['events'], put: ['events'], update: ['partners'] },
  totp: { read: ['clients'], update: ['clients'] },
  clients: { read: ['clients', 'moneyCases'] },
  'clients limits': { update: ['clients'] },
  'clients unblock': { update: ['clients'], fields: { moneyCases: ['block', 'unblocked', 'ttl'] } },
  deliveries: { read: ['deliveries', 'events'], put: ['deliveries'] },
  tx: { read: ['transactions'] },
  'tx show': {
    read: ['kycRecords', 'settlements', 'ledger', 'unmatchedPayments', 'moneyCases', 'cases', 'evidence'],
    also: '`states:DescribeExecution`, `states:GetExecutionHistory`, `states:DescribeStateMachine`',
  },
  treasury: {
    read: ['transactions', 'promises', 'settlements', 'floats', 'witness'],
    put: ['settlements'],
    update: ['settlements', 'floats'],
    also: 'read the secret `ChainSecret`; `kms:GetPublicKey` of `SigningKeyIds`',
  },
  'treasury hold': { update: ['witness'], also: '`witness` only for `--all`' },
  'treasury release': { update: ['witness'], also: '`witness` only for `--all`' },
  'treasury replay': {
    read: ['moneyCases', 'unmatchedPayments'],
    update: ['transactions', 'moneyCases', 'unmatchedPayments', 'witness'],
  },
  books: { read: ['ledger', 'unmatchedPayments', 'moneyCases'] },
  'ledger day': { read: ['ledger', 'unmatchedPayments', 'moneyCases'] },
  lists: { also: 'read the bucket of the lists' },
  reviews: {
    read: ['kycRecords', 'cases', 'clients', 'evidence'],
    update: ['cases', 'clients', 'kycRecords'],
    also: 'read the bucket of the lists',
  },
  cases: { read: ['moneyCases', 'transactions', 'unmatchedPayments'] },
  'cases export': { like: 'evidence export' },
  'cases close': {
    read: ['personBlocks'],
    put: ['ledger', 'events'],
    update: ['moneyCases', 'transactions', 'personBlocks'],
    also:
      '`personBlocks` only for a `MED_REFUND`. An operator who may not lift blocks may update in ' +
      '`moneyCases` only `id`, `status`, `statusKey`, `closed`, `ttl`, `block`',
  },
  unmatched: { read: ['unmatchedPayments'] },
  psp: { also: 'read the secrets `PixSecret`, `PixCallbackSecret`' },
  fraud: { read: ['personBlocks'], put: ['personBlocks'] },
  'evidence export': {
    like: 'tx show',
    read: ['transactions', 'callbacks', 'clients', 'deliveries', 'events'],
  },
  'subject show': {
    read: ['cases', 'clients', 'kycRecords', 'moneyCases', 'transactions', 'personBlocks'],
  },
  'subject holds': { read: ['personBlocks'] },
  'subject export': { like: 'evidence export', read: ['personBlocks', 'usages', 'archive'] },
  'subject hold': {
    like: 'subject export',
    put: ['personBlocks'],
    update: [...new Set(TABLES_WITH_ENDS)],
    also: 'these updates only of `ttl` and `heldTtl`; `s3:PutObjectLegalHold` on the bucket `HistoryBucket`',
  },
  'subject release': { like: 'subject hold' },
  'subject correct': { read: ['clients', 'kycRecords'], fields: { clients: ['correctedAt', 'corrections'] } },
  'subject erase': {
    like: 'subject export',
    update: ['clients', 'transactions'],
    delete: ['events', 'deliveries', 'callbacks'],
  },
  history: {
    read: ['transactions', 'evidence', 'archive'],
    also:
      '`s3:GetObject`, `s3:GetObjectVersion`, `s3:GetObjectRetention`, `s3:ListBucketVersions` on the ' +
      'bucket `HistoryBucket`',
  },
};

export const RIGHTS_WORDS = Object.keys(OF_COMMANDS);

/** The rights of one command on tables: those of every command, of its words, and of the commands like it. */
export function tableRightsOf(name: string): ReadonlySet<string> {
  const own = [OF_EVERY, ...RIGHTS_WORDS.filter((words) => isOf(words, name)).flatMap(rightsWithLike)];
  return new Set(own.flatMap(tablesIn));
}

const isOf = (words: string, name: string) => name === words || name.startsWith(`${words} `);

function rightsWithLike(words: string): Rights[] {
  const rights = OF_COMMANDS[words];
  if (!rights) throw new Error(`no rights of ${words}`);
  return rights.like === undefined ? [rights] : [rights, ...rightsWithLike(rights.like)];
}

const RIGHTS: readonly TableRight[] = ['read', 'put', 'update', 'delete'];

function tablesIn(rights: Rights): string[] {
  const whole = RIGHTS.flatMap((right) => (rights[right] ?? []).map((table) => `${right} ${table}`));
  return [...whole, ...Object.keys(rights.fields ?? {}).map((table) => `update ${table}`)];
}

/** The rights of these commands, as lines of the help. The first line has the rights that every command needs. */
export function rightsOf(names: readonly string[]): string[] {
  const lines = Object.entries(OF_COMMANDS).filter(([words]) => names.some((name) => isOf(words, name)));
  return [
    'Rights on AWS:',
    `  every command: ${lineOf(OF_EVERY)}`,
    ...lines.map(([words, rights]) => `  ${words}: ${lineOf(rights)}`),
    `  (${ACTIONS})`,
  ];
}

function lineOf(rights: Rights): string {
  const quoted = (words: readonly string[] = []) => words.map((word) => `\`${word}\``).join(', ');
  return [
    ...(rights.like ? [`those of \`${rights.like}\``] : []),
    ...RIGHTS.filter((right) => rights[right]).map((right) => `${right} ${quoted(rights[right])}`),
    ...Object.entries(rights.fields ?? {}).map(
      ([table, fields]) => `update ${quoted(fields)} in \`${table}\``,
    ),
    ...(rights.also ? [rights.also] : []),
  ].join('; ');
}
