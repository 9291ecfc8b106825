/**
 * The rights on tables and keys that the operator's credentials need, beside those of every command. `--help` of a word
 * prints them, and a permission set is made from them.
 */

const OF_EVERY =
  'put and read `acts`; read and write `partners`, `clients`, `deliveries`, `events`; put `evidence`; ' +
  '`kms:GenerateDataKey` and `kms:Decrypt` of the data key; read the secret `LookupSecret`';

/** The rights of the commands whose names begin with these words. */
const OF_COMMANDS: Readonly<Record<string, string>> = {
  'tx show':
    'read `transactions`, `kycRecords`, `settlements`, `ledger`, `unmatchedPayments`, `moneyCases`, ' +
    '`cases`, `evidence`; `states:DescribeExecution`, `states:GetExecutionHistory`, ' +
    '`states:DescribeStateMachine`',
  treasury:
    'read `transactions`, `promises`, `witness`; update `settlements`, `floats`; read the secret ' +
    '`ChainSecret`; `kms:GetPublicKey` of `SigningKeyIds`',
  'treasury hold': '`--all`: update `witness`',
  'treasury release': '`--all`: update `witness`',
  'treasury replay': 'update `transactions`, `moneyCases`, `unmatchedPayments`, `witness`',
  books: 'read `ledger`, `unmatchedPayments`, `moneyCases`',
  'ledger day': 'read `ledger`, `unmatchedPayments`, `moneyCases`',
  lists: 'read the bucket of the lists',
  reviews:
    'read `kycRecords`, `cases`, `evidence`, the bucket of the lists; ' +
    'update `cases`, `clients`, `kycRecords`',
  cases: 'read `moneyCases`, `transactions`, `unmatchedPayments`',
  'cases close':
    'update `moneyCases`; put `ledger`; for a `MED_REFUND` read and update ' +
    '`transactions`, `personBlocks`. ' +
    'An operator who may not lift blocks may update in `moneyCases` only ' +
    '`id`, `status`, `statusKey`, `closed`, `ttl`, `block`',
  'partners show': 'read `usages`',
  unmatched: 'read `unmatchedPayments`',
  psp: 'read the secrets `PixSecret`, `PixCallbackSecret`',
  fraud: 'read and put `personBlocks`',
  'clients unblock': 'update `block`, `unblocked`, `ttl` in `moneyCases`, and `blockedFor` in `clients`',
  'evidence export': 'read `callbacks` and the tables of `tx show`; `states:GetExecutionHistory`',
  'subject export': 'those of `evidence export`; read `personBlocks`, `usages`, `archive`',
  'subject hold':
    'those of `subject export`; put `personBlocks`; update `ttl`, `heldTtl` in each table of ' +
    '`docs/retention.md` with rows of clients; `s3:PutObjectLegalHold` on the bucket `HistoryBucket`',
  'subject release': 'those of `subject hold`',
  'subject correct': 'read `kycRecords`; update `correctedAt`, `corrections` in `clients`',
  'subject erase':
    'those of `subject export`; delete rows of `events`, `deliveries`, `callbacks`; ' +
    'update `clients`, `transactions`',
  history:
    'read `transactions`, `evidence`, `archive`; `s3:GetObject`, `s3:GetObjectVersion`, ' +
    '`s3:GetObjectRetention`, `s3:ListBucketVersions` on the bucket `HistoryBucket`',
};

export const RIGHTS_WORDS = Object.keys(OF_COMMANDS);

/** The rights of these commands in lines: first those of every command. */
export function rightsOf(names: readonly string[]): string[] {
  const isOf = (words: string) => names.some((name) => name === words || name.startsWith(`${words} `));
  const lines = Object.entries(OF_COMMANDS).filter(([words]) => isOf(words));
  return [
    'Rights on AWS:',
    `  every command: ${OF_EVERY}`,
    ...lines.map(([words, rights]) => `  ${words}: ${rights}`),
  ];
}
