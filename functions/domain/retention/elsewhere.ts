/**
 * How long the data outside the tables are kept. The type `Kept` in `functions/domain/retention.ts`
 * explains the fields.
 */

export const KEPT_ELSEWHERE = {
  lists: {
    what: 'the lists’ files and indexes (S3, `$ListsBucket`)',
    personal: 'the publishers’ data',
    because: 'evidence names them by digest; the lists are public documents',
    life: 'FOR_EVER',
    from: '',
  },
  logs: {
    what: 'log lines (CloudWatch; a week in a sandbox)',
    personal: 'ids of purchases and events; never a CPF, name, code, key or token',
    because: 'LGPD art. 7 IX: for disputes, which usually come within a year',
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
    personal: 'ids, statuses, hashes of transfers; task tokens, which end with their waits',
    because: 'the longest that Step Functions keeps them',
    life: { days: 90 },
    from: 'the execution’s end',
  },
  archivedHistories: {
    what: 'executions’ histories without task tokens, their pages, evidence, acts (S3, `$HistoryBucket`)',
    personal: 'ids, amounts, hashes of transfers, shortened wallets; as in evidence and acts',
    because: 'DUTY; Object Lock refuses an earlier deletion',
    life: { years: 10 },
    from: 'the archiving; the lock lasts a year more',
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
    what: 'the tables’ point-in-time recovery (production)',
    personal: 'as in the tables, also of rows that ended since',
    because: 'LGPD art. 7 II: a destroyed table must be recoverable',
    life: { days: 35 },
    from: 'the change',
  },
} as const;
