/** The archive in memory: its bucket, and the executions whose histories it keeps. */
import { createHash, randomUUID } from 'node:crypto';
import type { ArchiveBucket } from '../../functions/domain/books/archive-ports.ts';
import type { ExecutionRecord } from '../../functions/domain/purchase/execution.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import type { ArchiveReader } from '../../operations/stores/archive-reader.ts';
import { mortalOutside } from './mortal-process.ts';
import { openPorts, putPurchaseIn, START_AT } from './ports.ts';
import { memoryTables, tapped } from './tables.ts';

type Version = { versionId: string; text: string; isLocked: boolean; at: number };

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A bucket in memory with all versions of each object, the oldest first. `hide` is a deletion without a version. */
export function memoryBucket(now: () => number) {
  const versions = new Map<string, Version[]>();
  const hidden = new Set<string>();
  const upload: ArchiveBucket['upload'] = async ({ key, text }) => {
    const versionId = randomUUID();
    versions.set(key, [...(versions.get(key) ?? []), { versionId, text, isLocked: true, at: now() }]);
    return { versionId, sha256: digestOf(text), bytes: Buffer.byteLength(text) };
  };
  const findStored: ArchiveReader['findStored'] = async (key, wanted) => {
    const all = versions.get(key) ?? [];
    if (wanted === undefined && hidden.has(key)) return undefined;
    const found = wanted === undefined ? all.at(-1) : all.find(({ versionId }) => versionId === wanted);
    return found && { ...found, sha256: digestOf(found.text) };
  };
  const listVersions: ArchiveReader['listVersions'] = async (folder, after = '') =>
    [...versions]
      .filter(([key]) => key.startsWith(folder) && key > after)
      .flatMap(([key, all]) => all.map(({ versionId, at }) => ({ key, versionId, isMarker: false, at })));
  const change = (key: string, as: (version: Version) => Version) =>
    versions.set(key, (versions.get(key) ?? []).map(as));
  return {
    upload,
    findStored,
    listVersions,
    versions,
    textOf: (key: string) => versions.get(key)?.at(-1)?.text,
    hide: (key: string) => hidden.add(key),
    alter: (key: string, as: (text: string) => string) =>
      change(key, (version) => ({ ...version, text: as(version.text) })),
    unlock: (key: string) => change(key, (version) => ({ ...version, isLocked: false })),
  };
}

const iso = (seconds: number) => new Date(START_AT + seconds * 1000).toISOString();

/** The history of an execution that has ended. Its wait had this task token. */
export function aRecord(name: string, token = 'AAAAKgAAAAIAAA=='): ExecutionRecord {
  const told = { Payload: { transactionId: name, taskToken: token } };
  const scheduled = { resource: 'invoke.waitForTaskToken', parameters: told };
  const events = [
    { type: 'ExecutionStarted', details: { input: { transactionId: name, status: 'AWAITING_PIX' } } },
    { type: 'TaskStateEntered', details: { name: 'AwaitPixPayment' } },
    { type: 'TaskScheduled', details: scheduled },
    { type: 'TaskFailed', details: { error: 'Broken', cause: `{"cut off": "${token}` } },
    { type: 'TaskStateExited', details: { name: 'AwaitPixPayment' } },
    { type: 'ExecutionSucceeded', details: { output: {} } },
  ];
  return {
    name,
    status: 'SUCCEEDED',
    startedAt: iso(0),
    stoppedAt: iso(5),
    events: events.map((event, at) => ({ id: at + 1, previousEventId: at, at: iso(at), ...event })),
  };
}

/** The ports of the archive, and processes that may die at any call. */
export async function openArchive() {
  const outside = mortalOutside();
  const tables = tapped(
    memoryTables(),
    (send) => (command) => outside.reach(command.constructor.name, () => send(command)),
  );
  const records = new Map<string, ExecutionRecord>();
  const bucket = memoryBucket(() => ports.clock.now());
  const findExecution = async (name: string) => records.get(name);
  const ports = {
    ...openPorts(tables),
    executions: outside.around('executions', { findExecution }, 'findExecution'),
    archiveBucket: outside.around('bucket', { upload: bucket.upload }, 'upload'),
  };

  // The chain begins with the day of the start, and no older evidence is due.
  await ports.archiveRegister.saveProgress({ day: '2098-12-30', evidenceUpTo: START_AT });

  const opened = (changes: Partial<Transaction> = {}) =>
    putPurchaseIn(ports, 'AWAITING_PIX', { executions: 0, ...changes });
  async function end(purchase: Transaction) {
    await ports.transactions.save(endOf(purchase, ports.clock.now()));
    records.set(purchase.id, aRecord(purchase.id));
  }
  /** A purchase that ended without a payment, and its execution. */
  async function ended(changes: Partial<Transaction> = {}) {
    const purchase = await opened(changes);
    await end(purchase);
    return purchase;
  }
  return { ports, tables, outside, records, bucket, opened, end, ended };
}

const endOf = (purchase: Transaction, now: number) =>
  advance(purchase, 'no Pix payment within 30 minutes', { now, minuteMs: 60_000 })!;
