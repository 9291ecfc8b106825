import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { type ExecutionRecord, executionPlace } from '../../functions/domain/purchase/execution.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { operations } from '../support/operations.ts';
import { endOf, openPix } from '../support/purchases.ts';
import { awsOptions, eventually, rowOf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();
const client = new S3Client({ ...awsOptions(), forcePathStyle: true });
async function read(Key: string) {
  const command = new GetObjectCommand({ Bucket: sandbox().outputs!.HistoryBucket, Key });
  const { Body, ...object } = await client.send(command);
  return { ...object, text: await Body!.transformToString() };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error;
}

// docs/operations.md, "History"
test('the history of a completed purchase is archived and locked, with a page and without task tokens', async () => {
  const purchase = await openPix();
  const { transactionId } = purchase;
  await purchase.client.sandbox.pay(transactionId);
  await endOf(purchase, ['COMPLETED']);
  const row = (await rowOf('TablesTransactions', transactionId)) as unknown as Transaction;
  const place = executionPlace(transactionId, row);

  const page = await eventually(
    () => read(`${place}.html`).catch(undefinedIfMissing),
    (found) => found !== undefined,
  );
  const raw = await read(`${place}.json`);

  expect(page).toMatchObject({ ObjectLockMode: 'GOVERNANCE', ContentType: 'text/html; charset=utf-8' });
  expect(page!.text).toContain('Send the stablecoin');
  const { status, events } = JSON.parse(raw.text) as ExecutionRecord;
  expect(status).toBe('SUCCEEDED');
  const tokens = JSON.stringify(events).match(/"taskToken":"[^"]*"/g);
  expect(tokens!.length).toBeGreaterThan(0);
  expect(new Set(tokens)).toEqual(new Set(['"taskToken":"(task token removed)"']));

  const shown = await ops(['history', 'show', transactionId]);
  expect(shown).toMatchObject({ code: 0, out: page!.text });
  // The first day is not over, so nothing can be verified yet.
  const verified = await ops(['history', 'verify', '--json']);
  expect([verified.code, JSON.parse(verified.out)]).toEqual([0, { verified: null, days: 0, objects: 0 }]);
});
