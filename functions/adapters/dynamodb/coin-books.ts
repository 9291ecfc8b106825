import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CoinBooks } from '../../domain/books/coin-ports.ts';
import {
  type CoinAccount,
  type Counting,
  coinsKey,
  movementKey,
  postingOfCoins,
} from '../../domain/books/coins.ts';
import type { MoneyCase } from '../../domain/books/money-case.ts';
import type { Random } from '../../domain/ports.ts';
import { postingPuts, writeMove } from './ledger.ts';
import { caseOpening } from './money-cases.ts';
import type { CoinAccountRow, CoinMovementRow } from './rows.ts';
import { find, updateOf, type WriteItem } from './table.ts';

type Tables = { moneyCases: string; ledger: string };

const accountId = (key: string) => `COINS#${key}`;
const movementId = (key: string) => `COINS_MOVED#${key}`;

/**
 * Stores the accounts of coins in the table of money cases, next to the progress of `ReconcileBooks`. Only that
 * schedule writes them.
 */
export function coinBookStore(client: DynamoDBDocumentClient, tables: Tables, random: Random): CoinBooks {
  const store = { client, table: tables.moneyCases };
  const findAccount: CoinBooks['findAccount'] = async (of) => {
    const row = await find<CoinAccountRow>(store, accountId(coinsKey(of)));
    return row && coinAccountOf(row);
  };
  return {
    findAccount,
    async findMovement(key) {
      const row = await find<CoinMovementRow>(store, movementId(key));
      return row && asRead(row.coinsMoved);
    },
    save(counting, opened) {
      const { account } = counting;
      const isUnmoved = async () => ((await findAccount(account))?.version ?? 0) === account.version - 1;
      const items = countingWrites(counting, tables, opened);
      return writeMove({ client, random, ledger: tables.ledger }, items, isUnmoved);
    },
  };
}

function countingWrites(
  { account, movement, countedAt }: Counting,
  tables: Tables,
  opened?: MoneyCase,
): WriteItem[] {
  const { moneyCases, ledger } = tables;
  const items: WriteItem[] = [{ Update: accountUpdate(account, moneyCases) }];
  if (movement) {
    const moved = {
      TableName: moneyCases,
      Key: { id: movementId(movementKey(movement)) },
      ...updateOf({ coinsMoved: movement }),
      ConditionExpression: 'attribute_not_exists(id)',
    };
    items.push({ Update: moved }, ...postingPuts([postingOfCoins(movement)], ledger, countedAt));
  }
  if (opened) items.push({ Update: caseOpening(opened, moneyCases) });
  return items;
}

function accountUpdate(account: CoinAccount, TableName: string) {
  const set = updateOf({ coins: account });
  return {
    TableName,
    Key: { id: accountId(coinsKey(account)) },
    ...set,
    ConditionExpression: 'attribute_not_exists(#coins) OR #coins.#version = :was',
    ExpressionAttributeNames: { ...set.ExpressionAttributeNames, '#version': 'version' },
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ':was': account.version - 1 },
  };
}

function coinAccountOf({ coins: { counted, pending, ...account } }: CoinAccountRow): CoinAccount {
  return { ...account, counted: asRead(counted), ...(pending && { pending: asRead(pending) }) };
}

/** Makes the amount a bigint, because the DynamoDB client reads small integers as numbers. */
const asRead = <Of extends { amount: bigint }>(row: Of): Of => ({ ...row, amount: BigInt(row.amount) });
