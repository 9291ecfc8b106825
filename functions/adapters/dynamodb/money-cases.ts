import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { postingsOfClosing } from '../../domain/books/case-postings.ts';
import {
  type BlockLifting,
  blockOfClosing,
  blocksClient,
  isClosedSo,
  type MoneyCase,
  type MoneyCaseClosing,
} from '../../domain/books/money-case.ts';
import type { MoneyCases, MoneyCasesDesk } from '../../domain/books/money-case-ports.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { BY_STATUS } from '../../tables/sharded.ts';
import { booksProgressOf } from './cursor.ts';
import { findAll } from './find-all.ts';
import { postedWithoutMove, postingPuts, refusingPosting } from './ledger.ts';
import { type MedTables, medClosed, medNewsOf, medOpened } from './med-writes.ts';
import { blockPut } from './person-blocks.ts';
import type { MoneyCaseRow } from './rows.ts';
import { keyIn, listAll, rowIds } from './shards.ts';
import { find, isRefused, type Store, updateOf, type WriteItem, writeKnowingly } from './table.ts';

type MoneyCaseTables = MedTables & { moneyCases: string; clients: string };

const ROUNDS = 5;

export function moneyCaseStore(
  client: DynamoDBDocumentClient,
  tables: MoneyCaseTables,
  random: Random,
): MoneyCases & MoneyCasesDesk {
  const store = { client, table: tables.moneyCases };
  const books = { client, tables, random };
  const findCase = (id: string) => findMoneyCaseRow(store, id);

  return {
    findCase,
    async open(opened, posting) {
      const posts = posting ? postingPuts([posting], tables.ledger, opened.openedAt) : [];
      const items = [{ Update: caseOpening(opened, tables.moneyCases) }, ...posts];
      const marks = [...clientMarks(opened, 'ADD', tables), ...medOpened(opened, tables.personBlocks)];
      for (let round = 0; round < ROUNDS; round++) {
        const news = await medNewsOf(
          opened,
          { type: 'transaction.med_opened', at: opened.openedAt },
          { client, tables },
        );
        const written = await writeCase(books, { items, news, marks });
        // It is unknown whether the write succeeded. The caller tries again.
        if (written === 'UNKNOWN') break;
        if (written !== 'MOVED') return written === 'WRITTEN';
      }
      throw new Unavailable('the cases of money');
    },
    listOpen: () => listByStatus(store, 'OPEN'),
    listClosed: () => listByStatus(store, 'CLOSED'),
    listBlocks: (block) => listByBlock(store, block),
    close: (id, closing) => closeCase(books, id, closing),
    async lift(id, lifting) {
      for (let round = 0; round < ROUNDS; round++) {
        const known = await findCase(id);
        if (!known || !blocksClient(known))
          throw new Error('the case blocks no client, so no block can be lifted');
        if (known.unblocked) return known;
        const items = [{ Update: liftingOf(known, lifting, tables.moneyCases) }];
        await writeCase(books, { items, marks: clientMarks(known, 'DELETE', tables) });
      }
      throw new Unavailable('the cases of money');
    },
    ...booksProgressOf(store),
  };
}

type CaseBooks = { client: DynamoDBDocumentClient; tables: MoneyCaseTables; random: Random };
type CaseWrite = { items: WriteItem[]; news?: WriteItem[]; marks?: WriteItem[] };
type CaseWriteOutcome = 'WRITTEN' | 'REFUSED' | 'MOVED' | 'UNKNOWN';

/**
 * Writes the case, the event for the partner, and the marks on client and person. It leaves out a mark that is
 * refused, because the client's row is gone or the person is already blocked. `MOVED`: another event of the purchase
 * or another case of the person was written first, so the caller must make these writes again.
 */
async function writeCase(
  books: CaseBooks,
  { items, news = [], marks = [] }: CaseWrite,
): Promise<CaseWriteOutcome> {
  const { client, tables, random } = books;
  const written = await writeKnowingly(client, [...items, ...news, ...marks], random);
  if (written === 'WRITTEN' || written === 'UNKNOWN') return written;
  if (isRefused(written[0])) return 'REFUSED';
  const posted = refusingPosting(items, written, tables.ledger);
  if (posted !== undefined) postedWithoutMove(posted);
  const codes = written.slice(items.length);
  if (codes.slice(0, news.length).some(isRefused)) return 'MOVED';
  const left = marks.filter((_, at) => !isRefused(codes[news.length + at]));
  return left.length === marks.length ? 'REFUSED' : writeCase(books, { items, news, marks: left });
}

async function closeCase(books: CaseBooks, id: string, closing: MoneyCaseClosing): Promise<MoneyCase> {
  const { client, tables } = books;
  for (let round = 0; round < ROUNDS; round++) {
    const known = await findMoneyCaseRow({ client, table: tables.moneyCases }, id);
    if (!known) throw new Error('the case does not exist, so it cannot be closed');
    if (known.status === 'CLOSED' || isClosedSo(known, closing)) return known;
    const postings = postingsOfClosing({ ...known, status: 'CLOSED', closed: closing });
    const posts = postingPuts(postings, tables.ledger);
    const items = [{ Update: moneyCaseClosing(known, closing, tables.moneyCases) }, ...posts];
    const told = { type: 'transaction.med_closed', at: closing.at } as const;
    const ofPerson = { client, table: tables.personBlocks };
    const [news, left] = await Promise.all([
      medNewsOf(known, told, { client, tables }),
      medClosed(known, closing.at, ofPerson),
    ]);
    await writeCase(books, { items, news: [...news, ...left], marks: blocksOf(known, closing, tables) });
    // The write was refused, or its answer was lost. The next round of this loop reads the row and tries again.
  }
  throw new Unavailable('the cases of money');
}

/**
 * Creates the row by an update instead of a put. An IAM policy can restrict an update to attributes, so that no
 * function can write `closed`.
 */
export function caseOpening({ id, ...fields }: MoneyCase, table: string) {
  return {
    TableName: table,
    Key: { id },
    ...updateOf({ ...fields, statusKey: keyIn(BY_STATUS, id, fields.status) }),
    ConditionExpression: 'attribute_not_exists(id)',
  };
}

/**
 * The row expires once the case is closed and its block is lifted. The closing and the lifting are refused if
 * the row has changed since it was read. The later of the two therefore sees the earlier one, and sets `ttl`.
 */
function moneyCaseClosing(known: MoneyCase, closed: MoneyCaseClosing, table: string) {
  const ttl = known.block === 'ACTIVE' ? undefined : ttlOf('moneyCases', closed.at);
  const statusKey = keyIn(BY_STATUS, known.id, 'CLOSED');
  return ifCaseAsRead(known, updateOf({ status: 'CLOSED', statusKey, closed, ttl }), table);
}

function liftingOf(known: MoneyCase, unblocked: BlockLifting, table: string) {
  const ttl = known.status === 'CLOSED' ? ttlOf('moneyCases', unblocked.at) : undefined;
  return ifCaseAsRead(known, updateOf({ block: 'LIFTED', unblocked, ttl }), table);
}

function ifCaseAsRead({ id, status, block }: MoneyCase, changes: ReturnType<typeof updateOf>, table: string) {
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

async function listByStatus(store: Store, status: MoneyCase['status']): Promise<MoneyCase[]> {
  const ids = rowIds(await listAll(store, { index: BY_STATUS, value: status }));
  return (await readAgain(store, ids)).filter((each) => each.status === status);
}

async function listByBlock(store: Store, block: BlockState): Promise<MoneyCase[]> {
  const query = {
    TableName: store.table,
    IndexName: 'byBlock',
    KeyConditionExpression: '#block = :block',
    ExpressionAttributeNames: { '#block': 'block' },
    ExpressionAttributeValues: { ':block': block },
  };
  const ids: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client: store.client }, query))
    ids.push(...rowIds(Items));
  return (await readAgain(store, ids)).filter((each) => each.block === block);
}

async function findMoneyCaseRow(store: Store, id: string): Promise<MoneyCase | undefined> {
  return moneyCaseOf(await find<MoneyCaseRow>(store, id));
}

function moneyCaseOf(row: MoneyCaseRow | undefined): MoneyCase | undefined {
  const { statusKey: _, ...found } = row ?? {};
  return 'id' in found ? found : undefined;
}

/** Reads the rows again in the order of `ids`, because the index may lag. */
async function readAgain(store: Store, ids: readonly string[]): Promise<MoneyCase[]> {
  const rows = await findAll<MoneyCaseRow>(store, ids);
  return ids.flatMap((id) => moneyCaseOf(rows.get(id)) ?? []);
}

type BlockState = NonNullable<MoneyCase['block']>;

/**
 * Adds the case to the set of cases that block the client, or removes it from there. The client is free only when the
 * set is empty, because several cases may block it.
 */
function clientMarks(known: MoneyCase, action: 'ADD' | 'DELETE', { clients }: MoneyCaseTables): WriteItem[] {
  if (!blocksClient(known)) return [];
  return [
    {
      Update: {
        TableName: clients,
        Key: { id: known.clientId },
        UpdateExpression:
          action === 'ADD' ? 'ADD blockedFor :case SET medAt = :at' : 'DELETE blockedFor :case',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: {
          ':case': new Set([known.id]),
          ...(action === 'ADD' && { ':at': known.openedAt }),
        },
      },
    },
  ];
}

/** If the case was closed as fraud, the same write blocks the person at all partners. */
function blocksOf(known: MoneyCase, closed: MoneyCaseClosing, tables: MoneyCaseTables): WriteItem[] {
  const block = blockOfClosing({ ...known, status: 'CLOSED', closed });
  return block ? [{ Put: blockPut(block, tables.personBlocks) }] : [];
}
