/**
 * How long the data outside the tables are kept. The type `Kept` in `functions/domain/retention.ts`
 * explains the fields.
 */

export const KEPT_ELSEWHERE = {
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
    because: 'the longest that Step Functions keeps them; the archive has them for ten years',
    life: { days: 90 },
    from: 'the execution’s end',
  },
  archivedHistories: {
    what: 'histories of executions without task tokens, their pages, evidence, acts (S3, `$HistoryBucket`)',
    personal:
      'ids, amounts, hashes of chain transactions, shortened wallets; as in the tables of evidence and acts',
    because: 'DUTY; Object Lock refuses an earlier deletion',
    life: { years: 10 },
    from: 'the archiving; the lock lasts for a year more, so that it covers the year of the archiving',
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
    personal: 'none',
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
} as const;
