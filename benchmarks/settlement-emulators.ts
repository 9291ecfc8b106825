import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { makeClient as makeDynamo } from '../functions/adapters/aws/clients/dynamodb.ts';
import { makeClient as makeKms } from '../functions/adapters/aws/clients/kms.ts';
import { kmsSigner, type Signer } from '../functions/adapters/chain/kms-signer.ts';
import type { DirectTreasury } from '../functions/adapters/chain/visit.ts';
import { holdStore } from '../functions/adapters/dynamodb/holds.ts';
import { type Book, settlementBook } from '../functions/adapters/dynamodb/settlement-book.ts';
import { cachedFor } from '../functions/adapters/once.ts';
import type { Payout } from '../functions/domain/treasury/settlement.ts';
import { BOOK_SETTINGS, startDynoxide } from '../test/support/dynoxide.ts';

const LARGEST_BATCH = 25;
/**
 * The milliseconds for which the service uses a hold that it has read, before it reads the hold again
 * (`functions/domain/treasury/hold.ts`).
 */
const HOLD_KNOWN_MS = 5_000;
const { settlementsTable: settlements, transactionsTable: transactions } = BOOK_SETTINGS;
const HOLD_TABLES = { settlements, transactions, witness: 'witness' };
const AWS = { region: 'us-east-1', credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' } };

export type Emulators = {
  book: Book;
  signer: Signer;
  findHold: DirectTreasury['findHold'];
  /** Calls of DynamoDB, by operation. */
  calls: Map<string, number>;
  putPurchases(payouts: Payout[]): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the DynamoDB emulator and the KMS stand-in, and connects the service's own clients to them. */
export async function startEmulators(): Promise<Emulators> {
  const database = await startDynoxide(Object.values(HOLD_TABLES));
  const worker = new Worker(new URL('settlement-kms.ts', import.meta.url));
  const [endpoint] = (await once(worker, 'message')) as [string];
  const dynamo = makeDynamo({ ...AWS, endpoint: database.url });
  const kms = makeKms({ ...AWS, endpoint });
  const { client, calls } = counted(dynamo);
  const holds = holdStore(client, HOLD_TABLES, BOOK_SETTINGS.random);
  return {
    calls,
    book: settlementBook({ ...BOOK_SETTINGS, client }),
    signer: kmsSigner(async () => kms, 'treasury'),
    findHold: cachedFor(holds.findHold, HOLD_KNOWN_MS, Date.now),
    async putPurchases(payouts) {
      for (let at = 0; at < payouts.length; at += LARGEST_BATCH) {
        const puts = payouts.slice(at, at + LARGEST_BATCH).map(({ transactionId }) => ({
          PutRequest: { Item: { id: transactionId, status: 'PROCESSING' } },
        }));
        const RequestItems = { [BOOK_SETTINGS.transactionsTable]: puts };
        await dynamo.send(new BatchWriteCommand({ RequestItems }));
      }
    },
    async stop() {
      dynamo.destroy();
      kms.destroy();
      await Promise.all([worker.terminate(), database.stop()]);
    },
  };
}

function counted(dynamo: DynamoDBDocumentClient) {
  const calls = new Map<string, number>();
  const send = (command: object) => {
    const name = command.constructor.name.replace('Command', '');
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return dynamo.send(command as never);
  };
  return { calls, client: { send } as unknown as DynamoDBDocumentClient };
}
