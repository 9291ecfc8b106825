import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type BlockLifting,
  blocksClient,
  isClosedSo,
  type MoneyCase,
  type MoneyCaseClosing,
} from '../../domain/books/money-case.ts';
import type { MoneyCases, MoneyCasesDesk } from '../../domain/books/money-case-ports.ts';
import { postingOfClosing } from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { listIndexed } from './cases.ts';
import { booksProgressOf } from './cursor.ts';
import { postedWithoutMove, postingPuts, refusingPosting } from './ledger.ts';
import { find, isRefused, type Store, updateOf, type WriteItem, writeKnowingly } from './table.ts';

type MoneyCaseTables = { moneyCases: string; clients: string; ledger: string };

const ROUNDS = 5;

export function moneyCaseStore(
  client: DynamoDBDocumentClient,
  tables: MoneyCaseTables,
  random: Random,
): MoneyCases & MoneyCasesDesk {
  const store = { client, table: tables.moneyCases };
  const findCase = (id: string) => find<MoneyCase>(store, id);

  /** Writes the case and the client's mark. If the client's row is gone, it writes the case alone. */
  async function write(items: WriteItem[], marks: WriteItem[]): Promise<'WRITTEN' | 'REFUSED' | 'UNKNOWN'> {
    const written = await writeKnowingly(client, [...items, ...marks], random);
    if (written === 'WRITTEN' || written === 'UNKNOWN') return written;
    if (isRefused(written[0])) return 'REFUSED';
    const posted = refusingPosting(items, written, tables.ledger);
    if (posted !== undefined) postedWithoutMove(posted);
    return marks.length === 0 ? 'REFUSED' : write(items, []);
  }

  return {
    findCase,
    async open(opened, posting) {
      const posts = posting ? postingPuts([posting], tables.ledger) : [];
      const opens = [{ Update: opening(opened, tables.moneyCases) }, ...posts];
      const written = await write(opens, marksOf(opened, 'ADD', tables));
      // It is unknown whether it was written. The caller repeats.
      if (written === 'UNKNOWN') throw new Unavailable('the cases of money');
      return written === 'WRITTEN';
    },
    listOpen: () => listBy(store, 'status', 'OPEN'),
    listClosed: () => listBy(store, 'status', 'CLOSED'),
    listBlocks: (block) => listBy(store, 'block', block),
    async close(id, closing) {
      for (let round = 0; round < ROUNDS; round++) {
        const known = await findCase(id);
        if (!known) throw new Error('a case that is not there cannot be closed');
        if (known.status === 'CLOSED' || isClosedSo(known, closing)) return known;
        const posting = postingOfClosing({ ...known, closed: closing });
        const posts = posting ? postingPuts([posting], tables.ledger) : [];
        await write([{ Update: closingOf(known, closing, tables.moneyCases) }, ...posts], []);
        // The write was refused, or its answer was lost. The next round reads the row.
      }
      throw new Unavailable('the cases of money');
    },
    async lift(id, lifting) {
      for (let round = 0; round < ROUNDS; round++) {
        const known = await findCase(id);
        if (!known || !blocksClient(known)) throw new Error('a case that blocks nobody cannot be lifted');
        if (known.unblocked) return known;
        const items = [{ Update: liftingOf(known, lifting, tables.moneyCases) }];
        await write(items, marksOf(known, 'DELETE', tables));
      }
      throw new Unavailable('the cases of money');
    },
    ...booksProgressOf(store),
  };
}

/** Put-if-absent as an update, because a policy restricts an update by attribute: no function may write `closed`. */
function opening({ id, ...fields }: MoneyCase, table: string) {
  return {
    TableName: table,
    Key: { id },
    ...updateOf(fields),
    ConditionExpression: 'attribute_not_exists(id)',
  };
}

/** The row gets its `ttl` once the case is closed and its block is lifted. Each of the two writes checks the other. */
function closingOf(known: MoneyCase, closed: MoneyCaseClosing, table: string) {
  const ttl = known.block === 'ACTIVE' ? undefined : ttlOf('moneyCases', closed.at);
  return ifAsRead(known, updateOf({ status: 'CLOSED', closed, ttl }), table);
}

function liftingOf(known: MoneyCase, unblocked: BlockLifting, table: string) {
  const ttl = known.status === 'CLOSED' ? ttlOf('moneyCases', unblocked.at) : undefined;
  return ifAsRead(known, updateOf({ block: 'LIFTED', unblocked, ttl }), table);
}

function ifAsRead({ id, status, block }: MoneyCase, changes: ReturnType<typeof updateOf>, table: string) {
  const isBlock = block ? '#block = :wasBlock' : 'attribute_not_exists(#block)';
  return {
    TableName: table,
    Key: { id },
    ...changes,
    ConditionExpression: `#status = :wasStatus AND ${isBlock}`,
    ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, '#status': 'status', '#block': 'block' },
    ExpressionAttributeValues: {
      ...changes.ExpressionAttributeValues,
      ':wasStatus': status,
      ...(block && { ':wasBlock': block }),
    },
  };
}

/** Lists cases, the oldest first. The index may be stale, so each row is read again. */
async function listBy(store: Store, name: 'status' | 'block', value: string): Promise<MoneyCase[]> {
  const found: (MoneyCase | undefined)[] = [];
  for (const id of await listIndexed(store, name, value)) found.push(await find<MoneyCase>(store, id));
  return found.filter((each) => each !== undefined).filter((each) => each[name] === value);
}

/**
 * Adds the case to the set of cases that block the client, or removes it. If two cases block the client, the first
 * lifting must not free the client.
 */
function marksOf(known: MoneyCase, action: 'ADD' | 'DELETE', { clients }: MoneyCaseTables): WriteItem[] {
  if (!blocksClient(known)) return [];
  return [
    {
      Update: {
        TableName: clients,
        Key: { id: known.clientId },
        UpdateExpression: `${action} blockedFor :case`,
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':case': new Set([known.id]) },
      },
    },
  ];
}
