import { beforeAll, describe, expect, it } from 'vitest';
import { type Kept, RETENTION } from '../../functions/domain/retention.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

let production: Synthesized;
let sandbox: Synthesized;
beforeAll(async () => {
  [production, sandbox] = [await synthesized('production'), await synthesized('sandbox')];
});

const kept = Object.values(RETENTION) as Kept[];
const secondsIn = (days: number) => days * 24 * 60 * 60;

/** The name of each table in the code, and its properties in the template. */
function tables({ resources }: Synthesized) {
  return Object.entries(resources('AWS::DynamoDB::Table'))
    .filter(([id]) => id.startsWith('Tables'))
    .map(([id, { Properties }]) => {
      const name = id.slice('Tables'.length, -8);
      return [name.charAt(0).toLowerCase() + name.slice(1), Properties] as const;
    });
}

describe('every table', () => {
  // docs/operations.md, "A client's rights"
  it('has an entry in the retention data, and every entry has its table', () => {
    const named = new Set(kept.flatMap(({ table }) => table ?? []));

    expect([...named].sort()).toEqual(
      tables(production)
        .map(([name]) => name)
        .sort(),
    );
  });

  it('has a time to live exactly if the retention data have an end for its rows', () => {
    for (const [name, { TimeToLiveSpecification: ttl }] of tables(production)) {
      const isMortal = kept.some(({ table, life }) => table === name && life !== 'FOR_EVER');
      expect({ name, ttl }).toEqual({
        name,
        ttl: isMortal ? { AttributeName: 'ttl', Enabled: true } : undefined,
      });
    }
  });

  it('has an index of keys alone for rows of one client and evidence of one subject', () => {
    const indexes = tables(production).flatMap(([name, { GlobalSecondaryIndexes = [] }]) =>
      (GlobalSecondaryIndexes as Index[]).map(({ IndexName, KeySchema, Projection }) => [
        `${name}/${IndexName}`,
        ...KeySchema.map(({ AttributeName }) => AttributeName),
        Projection.ProjectionType,
      ]),
    );

    expect(indexes).toEqual(
      expect.arrayContaining([
        ['evidence/subject', 'subject', 'at', 'KEYS_ONLY'],
        ['evidence/client', 'clientId', 'at', 'KEYS_ONLY'],
        ['transactions/ofClient', 'clientId', 'createdAt', 'KEYS_ONLY'],
        ['kycRecords/ofClient', 'clientId', 'issuedAt', 'KEYS_ONLY'],
        ['cases/ofClient', 'clientId', 'openedAt', 'KEYS_ONLY'],
        ['unmatchedPayments/ofTransaction', 'transactionId', 'foundAt', 'KEYS_ONLY'],
        ['ledger/ofTransaction', 'transactionId', 'at', 'KEYS_ONLY'],
      ]),
    );
  });
  type Index = {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: { ProjectionType: string };
  };
});

describe('data outside the tables', () => {
  it.each([
    ['production', () => production, RETENTION.logs.life.days],
    ['a sandbox', () => sandbox, RETENTION.sandboxLogs.life.days],
  ] as const)('in logs of %s is kept as long as the retention data say', (_, stack, days) => {
    const groups = Object.values(stack().resources('AWS::Logs::LogGroup'));

    expect(groups.length).toBeGreaterThan(0);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(days);
  });

  it('in queues is kept as long as the retention data say', () => {
    const queues = Object.values(production.resources('AWS::SQS::Queue'));

    expect(queues.length).toBeGreaterThan(0);
    for (const { Properties } of queues)
      expect(Properties.MessageRetentionPeriod).toBe(secondsIn(RETENTION.queues.life.days));
  });

  it('in the bucket of lists or of trusted authorities is kept for ever: no rule expires objects', () => {
    const buckets = Object.entries(production.resources('AWS::S3::Bucket'));
    const others = buckets.filter(([id]) => !id.startsWith('History'));

    expect(others).toHaveLength(2);
    for (const [, { Properties }] of others) expect(Properties.LifecycleConfiguration).toBeUndefined();
    expect(RETENTION.lists.life).toBe('FOR_EVER');
  });
});
