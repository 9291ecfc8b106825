import { itemBytes } from './item-size.ts';
import { attributesSet, type Write, writesOf } from './table-writes.ts';
import type { Template } from './template.ts';
import {
  ACCOUNT,
  type AwsError,
  awsError,
  type Fields,
  fields,
  list,
  PARTITION,
  REGION,
  text,
} from './wire.ts';

/**
 * One partition key takes at most 1,000 write units a second. Source: DynamoDB, "Designing partition keys".
 */
const MOST_UNITS = 1000;
const UNIT_BYTES = 1024;

type Index = { name: string; key: string };
type Table = { key: string; indexes: Index[] };
type Charge = { resource: string; isIndex: boolean; key: string; units: number };

/**
 * Returns a check that throws if the writes to one partition key of a table or an index exceed 1,000 units in
 * this second. A unit is a begun KiB of the attributes that the request sets, and a write in a transaction
 * counts twice. An update of a large item therefore counts less than on AWS, which charges the whole item. A
 * write counts for an index only if it sets the index's key.
 */
export function writeRates(template: Template, now: () => number = Date.now) {
  const tables = readTables(template);
  let second = 0;
  const used = new Map<string, number>();

  function isOver({ resource, key, units }: Charge): boolean {
    const id = `${resource} ${key}`;
    const total = (used.get(id) ?? 0) + units;
    if (total > MOST_UNITS) return true;
    used.set(id, total);
    return false;
  }

  return (operation: string, input: Fields): void => {
    if (Math.floor(now() / 1000) !== second) used.clear();
    second = Math.floor(now() / 1000);
    const isTransaction = operation === 'TransactWriteItems';
    const over = writesOf(operation, input).map((write) =>
      chargesOf(tables.get(write.table), write, isTransaction ? 2 : 1).find(isOver),
    );
    const first = over.find((charge) => charge !== undefined);
    if (first) throw isTransaction ? cancelled(over) : throttled(first);
  };
}

function readTables(template: Template): Map<string, Table> {
  const tables = template.ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
  return new Map(
    tables.map(({ logicalId }): [string, Table] => {
      const { KeySchema, GlobalSecondaryIndexes } = template.properties(logicalId);
      const indexes = list(GlobalSecondaryIndexes)
        .map(fields)
        .map((index) => ({ name: text(index.IndexName), key: hashKeyOf(index.KeySchema) }));
      return [template.ref(logicalId), { key: hashKeyOf(KeySchema), indexes }];
    }),
  );
}

function hashKeyOf(schema: unknown): string {
  const hash = list(schema)
    .map(fields)
    .find(({ KeyType }) => KeyType === 'HASH');
  return text(hash?.AttributeName);
}

function chargesOf(table: Table | undefined, write: Write, factor: number): Charge[] {
  if (!table) return [];
  const set = attributesSet(write);
  const units = Math.max(1, Math.ceil(itemBytes(set) / UNIT_BYTES)) * factor;
  const resource = `arn:${PARTITION}:dynamodb:${REGION}:${ACCOUNT}:table/${write.table}`;
  const own = { resource, isIndex: false, key: JSON.stringify(set[table.key]), units };
  const indexed = table.indexes.filter(({ key }) => set[key] !== undefined);
  return [
    own,
    ...indexed.map(({ name, key }) => ({
      resource: `${resource}/index/${name}`,
      isIndex: true,
      key: JSON.stringify(set[key]),
      units,
    })),
  ];
}

const MESSAGE = 'Throughput exceeds the current capacity of your table or index. Try again later.';

function throttled({ resource, isIndex }: Charge): AwsError {
  const reason = `${isIndex ? 'Index' : 'Table'}WriteKeyRangeThroughputExceeded`;
  return awsError('ThrottlingException', MESSAGE, 400, { throttlingReasons: [{ reason, resource }] });
}

function cancelled(over: (Charge | undefined)[]): AwsError {
  const reasons = over.map((charge) =>
    charge ? { Code: 'ThrottlingError', Message: MESSAGE } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return awsError('TransactionCanceledException', message, 400, { CancellationReasons: reasons });
}
