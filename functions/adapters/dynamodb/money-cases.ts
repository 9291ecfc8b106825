import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { blocksClient, isClosedSo, type MoneyCase, type MoneyCaseClosing } from '../../domain/money-case.ts';
import type { MoneyCases, MoneyCasesDesk } from '../../domain/money-case-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { postingOfClosing } from '../../domain/reconciliation.ts';
import { ttlOf } from '../../domain/retention.ts';
import { listByStatus } from './cases.ts';
import { cursorOf } from './cursor.ts';
import { postedWithoutMove, postingPuts, refusingPosting } from './ledger.ts';
import { find, isRefused, updateOf, type WriteItem, writeKnowingly } from './table.ts';

type MoneyCaseTables = { moneyCases: string; clients: string; ledger: string };

const ROUNDS = 5;

export function moneyCaseStore(
  client: DynamoDBDocumentClient,
  tables: MoneyCaseTables,
  random: Random,
): MoneyCases & MoneyCasesDesk {
  const store = { client, table: tables.moneyCases };
  const findCase = (id: string) => find<MoneyCase>(store, id);

  /** The case, and the client's mark; without the mark where the client's row is gone by now. */
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
      // Whether it happened is not known: the caller repeats, and finds it there or not.
      if (written === 'UNKNOWN') throw new Unavailable('the cases of money');
      return written === 'WRITTEN';
    },
    async listOpen() {
      const found: (MoneyCase | undefined)[] = [];
      for (const id of await listByStatus(store, 'OPEN')) found.push(await findCase(id));
      // The index may be stale: what was closed a moment ago is still in it.
      return found.filter((each) => each !== undefined).filter(({ status }) => status === 'OPEN');
    },
    async close(id, closing) {
      for (let round = 0; round < ROUNDS; round++) {
        const known = await findCase(id);
        if (!known) throw new Error('a case that is not there cannot be closed');
        if (known.status === 'CLOSED' || isClosedSo(known, closing)) return known;
        const marks = marksOf(known, 'DELETE', tables);
        const posting = postingOfClosing({ ...known, closed: closing });
        const posts = posting ? postingPuts([posting], tables.ledger) : [];
        await write([{ Update: closingOf(id, closing, tables.moneyCases) }, ...posts], marks);
        // Refused, or the answer was lost: the row as it is now tells.
      }
      throw new Unavailable('the cases of money');
    },
    ...cursorOf(store),
  };
}

/** Put-if-absent as an update: its policy names the attributes that a function may write, and `closed` is none. */
function opening({ id, ...fields }: MoneyCase, table: string) {
  return {
    TableName: table,
    Key: { id },
    ...updateOf(fields),
    ConditionExpression: 'attribute_not_exists(id)',
  };
}

function closingOf(id: string, closed: MoneyCaseClosing, table: string) {
  const changes = updateOf({ status: 'CLOSED', closed, ttl: ttlOf('moneyCases', closed.at) });
  return {
    TableName: table,
    Key: { id },
    ...changes,
    ConditionExpression: '#status = :open',
    ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':open': 'OPEN' },
  };
}

/** What blocks the client, as a set: of two cases the first that is closed must not free it. */
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
