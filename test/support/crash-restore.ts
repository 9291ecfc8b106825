import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { findFailure } from '../../functions/domain/purchase/failures.ts';
import { outputNameOf, tableSetting } from '../../functions/settings.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import { DATA_KEY } from './crash-cloud.ts';
import type { Process } from './crash-process.ts';
import { failing, settling } from './crash-recovery.ts';
import type { Given } from './crash-world.ts';
import { type Ran, runCommand } from './operations.ts';
import { chain } from './settlement-world.ts';
import type { StubPsp } from './stub-psp.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;
const VISITS = 30;

type Row = Record<string, unknown>;
export type Backup = Map<string, Row[]>;

/** The tables that point-in-time recovery restores. */
const RESTORED = TABLE_LIST.filter(({ isWithoutBackups }) => !isWithoutBackups).map(({ name }) => name);

async function rowsOf({ client }: Tables, TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items);
  return rows;
}

export async function backUp(tables: Tables): Promise<Backup> {
  const entries = RESTORED.map(async (name) => [name, await rowsOf(tables, name)] as const);
  return new Map(await Promise.all(entries));
}

export async function restore(tables: Tables, backup: Backup): Promise<void> {
  for (const [TableName, rows] of backup) {
    for (const { id } of await rowsOf(tables, TableName))
      await tables.client.send(new DeleteCommand({ TableName, Key: { id } }));
    for (const Item of rows) await tables.client.send(new PutCommand({ TableName, Item }));
  }
}

/** The ids of the open money cases. */
export async function openCases(tables: Tables): Promise<string[]> {
  const rows = await rowsOf(tables, 'moneyCases');
  return rows.flatMap(({ id, status }) => (status === 'OPEN' ? [String(id)] : [])).sort();
}

/** Makes the hold one minute older. */
export async function letTheHoldAge({ client }: Tables): Promise<void> {
  const aged = { UpdateExpression: 'ADD held.#at :ms', ExpressionAttributeNames: { '#at': 'at' } };
  const ExpressionAttributeValues = { ':ms': -MINUTE_MS };
  const Key = { id: 'CLOCK' };
  await client.send(new UpdateCommand({ TableName: 'witness', Key, ...aged, ExpressionAttributeValues }));
}

/** Lets the provider show the returns of each Pix of a charge. */
export function showReturns(psp: StubPsp): void {
  psp.dress = ({ pix = [], ...charge }) => ({ ...charge, pix: (pix as Row[]).map(withReturns) });
  const withReturns = (pix: Row) => {
    const made = [...psp.refunds].filter(([key]) => key.startsWith(`${pix.endToEndId}/`));
    return { ...pix, ...(made.length > 0 && { devolucoes: made.map(([, each]) => each) }) };
  };
}

/** Runs `npm run ops -- …` against this world, as operators do. */
export function operationsOf({ treasuries }: Given, address: string) {
  const folder = mkdtempSync(join(tmpdir(), 'restore-'));
  const file = join(folder, 'outputs.json');
  const outputs = {
    ...Object.fromEntries(TABLE_LIST.map(({ name }) => [outputNameOf(tableSetting(name)), name])),
    Stage: 'sandbox',
    LookupSecret: 'lookup',
    DataKeyId: DATA_KEY,
    StateMachineArn: 'arn:m',
    Chain: JSON.stringify(chain),
    ChainSecret: `${address} node`,
    SigningKeyIds: treasuries.map(({ key }) => key).join(),
  };
  const local = { endpoint: address, region: 'sa-east-1', pid: process.pid };
  writeFileSync(file, JSON.stringify({ OnrampSandbox: outputs, local }));
  return {
    ops: (...words: string[]): Promise<Ran> =>
      runCommand([...words, '--reason', 'restore of the tables', '--yes', '--outputs', file]),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const TRIES = 5;

/**
 * Repeats a failed run, as the schedules and the state machine do. A slow provider or database may make a run fail.
 */
export async function run(process: Process, file: string, event?: unknown): Promise<unknown> {
  const errors: string[] = [];
  while (errors.length < TRIES) {
    const { error, result } = await process.run(file, event);
    if (!error) return result;
    errors.push(`${error.name}: ${error.message}`);
  }
  throw new Error(`${file}: ${errors.join(', ')}`);
}

/** Does the steps of the state machine from `PROCESSING` to the end, with the checks of the payment. */
export async function drive(process: Process, given: Given): Promise<void> {
  for (let visit = 0; visit < VISITS; visit++) {
    const { status, refund } = await given.find();
    if (status === 'PROCESSING') await visitPaid(process, given);
    else if (status === 'FAILED' && refund?.status === 'PENDING') await visitRefund(process, given);
    else return;
    await process.later(MINUTE_MS);
  }
  throw new Error(`${given.id} never ended: ${JSON.stringify(await given.settlement())}`);
}

async function visitPaid(process: Process, given: Given): Promise<void> {
  const looked = { transactionId: given.id, checkedAt: process.now() };
  const { error } = await process.run('steps/confirm-pix-payment', looked);
  if (error && findFailure(error.name))
    await run(process, 'steps/fail-transaction', failing(given, error.name));
  if (error) return;
  const settled = await process.run('steps/settle-stablecoin', settling(given, process.now()));
  if (settled.error) return;
  const { txHash } = settled.result as { txHash: string };
  await run(process, 'steps/complete-transaction', { transactionId: given.id, txHash });
}

async function visitRefund(process: Process, { id, world }: Given): Promise<void> {
  await process.run('steps/refund-pix-payment', { transactionId: id });
  for (const made of world.psp.refunds.values()) made.status = 'DEVOLVIDO';
}
