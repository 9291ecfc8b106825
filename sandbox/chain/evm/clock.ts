import type { Item, Put } from '../../providers/store.ts';
import { DEPLOYER } from '../owner.ts';
import { accountKey, type Chain, dueNumber, HEAD, type Head } from './head.ts';
import { toHex } from './wire.ts';

/** The wei that the contracts' owner has when the chain begins. No other account has any then. */
const WEALTH = 10n ** 27n;
const TRIES = 60;
const PAUSE_MS = 10;

/**
 * A change of the chain: its new head, and the other rows that must be written in the same DynamoDB
 * transaction.
 */
export type Change = { head: Head; rows?: readonly Put[] };

/**
 * Makes the blocks that are due, and returns the head. The simulators run only during a request, and so each
 * request first makes the blocks that became due since the last one. A write names the head's version, so
 * that only one of two instances that write at once succeeds.
 */
export async function advance(chain: Chain): Promise<Item<Head>> {
  return retry(async () => {
    const item = await openHead(chain);
    const due = dueNumber(item.value, chain.now());
    if (due <= item.value.number) return item;
    const change = await nextOf(chain, item.value, due);
    const isWritten = await write(chain, item, change);
    const isDone = isWritten && change.head.number >= due;
    return isDone ? { ...item, value: change.head, version: item.version + 1 } : undefined;
  });
}

/**
 * Makes the blocks that are due, and then writes the head that `next` returns. If another instance wrote
 * first, it starts again. An error that `next` throws ends it at once.
 */
export function changeHead<T>(
  chain: Chain,
  next: (head: Head) => Promise<Change & { answer: T }>,
): Promise<T> {
  return retry(async () => {
    const item = await advance(chain);
    const { answer, ...change } = await next(item.value);
    return (await write(chain, item, change)) ? answer : undefined;
  });
}

async function nextOf(chain: Chain, head: Head, due: number): Promise<Change> {
  if (head.pool.length === 0) return { head: { ...head, number: due } };
  // The EVM is loaded only here, because loading it is slow and most requests do not need it.
  const { mineNext } = await import('./mine.ts');
  const mined = await mineNext(chain, head);
  const isIdle = mined.rows.length === 0 || mined.head.pool.length === 0;
  return { ...mined, head: isIdle ? { ...mined.head, number: due } : mined.head };
}

function write({ store }: Chain, { version }: Item<Head>, { head, rows = [] }: Change): Promise<boolean> {
  const put = { key: HEAD, value: head, expectedVersion: version };
  return rows.length === 0 ? store.put(HEAD, head, version) : store.putAll([put, ...rows]);
}

async function openHead(chain: Chain): Promise<Item<Head>> {
  const { store, now, blockMs } = chain;
  const found = await store.get<Head>(HEAD);
  if (found) return found;
  const head: Head = { genesisAt: now(), blockMs, number: 0, pool: [], traps: [] };
  const owner = [[0, { nonce: 0, balance: toHex(WEALTH) }]];
  await store.putAll([
    { key: HEAD, value: head, expectedVersion: 0 },
    { key: accountKey(DEPLOYER.toLowerCase()), value: owner },
  ]);
  return openHead(chain);
}

async function retry<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await attempt();
    if (done !== undefined) return done;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * tries));
  }
  throw new Error(`the chain was busy ${TRIES} times`);
}
