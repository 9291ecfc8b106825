import { expect } from 'vitest';
import type { Process } from './crash-process.ts';
import type { Given } from './crash-world.ts';
import { rowIn } from './tables.ts';

const MINUTE_MS = 60_000;
/** The new process starts this much later. The sweeps leave a row alone for two minutes after its last change. */
const LATER_MS = 3 * MINUTE_MS;
const VISITS = 30;

/**
 * Starts a new process minutes later and lets it finish the purchase. The schedules read tables and providers, and
 * the state machine that they resume or start does its steps. The chain mines again.
 *
 * With a `refusal`, the checks before settlement refuse the purchase at every visit.
 */
export async function recover(given: Given, refusal?: string): Promise<void> {
  const { cloud, chain } = given.world;
  const fresh = await given.process();
  await fresh.later(LATER_MS);
  await done(fresh, 'schedules/reconcile-pix');
  await fresh.later(LATER_MS);
  await done(fresh, 'schedules/sweep-stuck-transactions');
  const { machine } = cloud;
  const isDriven = machine.running.has(`${given.id}-r1`) || machine.resumed.some(belongsTo(given));
  expect(isDriven).toBe(true);
  // With a refusal, the transfer must not be mined before the service can replace it by a cancellation.
  if (!refusal) chain.startMining();
  try {
    await drive(fresh, given, refusal);
  } finally {
    await chain.stopMining();
  }
}

const belongsTo =
  ({ id }: Given) =>
  ({ transactionId }: { transactionId: string }) =>
    transactionId === id;

const TRIES = 5;

/**
 * Repeats a failed run, as the schedules and the state machine do. A slow provider or database may make a run fail.
 */
async function done(process: Process, file: string, event?: unknown): Promise<void> {
  const errors: string[] = [];
  while (errors.length < TRIES) {
    const { error } = await process.run(file, event);
    if (!error) return;
    errors.push(`${error.name}: ${error.message}`);
  }
  throw new Error(`${file}: ${errors.join(', ')}`);
}

/** The input of the step `SettleStablecoin`, from a state machine that has just checked client and wallet. */
export const settling = ({ id }: Given, at = Date.now()) => ({ transactionId: id, checkedAt: at });

/** The input of the step `FailTransaction`. */
export const failing = ({ id }: Given, error = 'SettlementFailed') => ({
  transactionId: id,
  error: { Error: error },
});

/**
 * Does the steps of the state machine from `PROCESSING` or `FAILED`. Only the status decides about the next step
 * (statemachines/onramp.asl.json).
 */
async function drive(process: Process, given: Given, refusal?: string): Promise<void> {
  let failedTries = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    // `FailTransaction` fails while a transfer may still be mined. Then settlement goes on, and reads the request to
    // cancel.
    if (refusal) await process.run('steps/fail-transaction', failing(given, refusal));
    const { status } = await given.find();
    if (status === 'PROCESSING') failedTries += await settle(process, given, failedTries);
    else if (status !== 'FAILED' || (await refund(process, given))) return;
    await process.later(MINUTE_MS);
    given.world.chain.startMining();
  }
  throw new Error('the purchase never ended');
}

/** Does one visit of `SettleStablecoin` and the step after it. Returns 1 when a try failed, otherwise 0. */
async function settle(process: Process, given: Given, failedTries: number): Promise<number> {
  const transactionId = given.id;
  const settled = await process.run('steps/settle-stablecoin', settling(given, process.now()));
  if (settled.error?.name === 'SettlementFailed') {
    if (failedTries >= 3) await done(process, 'steps/fail-transaction', failing(given));
    return 1;
  }
  // The transfer is not confirmed yet, or a call was too slow. Neither is a failed try, so the next visit goes on.
  if (settled.error) return 0;
  const { txHash } = settled.result as { txHash: string };
  await done(process, 'steps/complete-transaction', { transactionId, txHash });
  return 0;
}

/**
 * Does one visit of `RefundPixPayment`. Afterwards the provider completes the return. True when the step succeeded.
 */
async function refund(process: Process, { id, world }: Given): Promise<boolean> {
  const { error } = await process.run('steps/refund-pix-payment', { transactionId: id });
  for (const made of world.psp.refunds.values()) made.status = 'DEVOLVIDO';
  return error === undefined;
}

type Event = { type: string; sequence: number };

async function eventsOf({ id, world: { tables } }: Given): Promise<Event[]> {
  const ids = Array.from({ length: 6 }, (_, index) => `${id}.${index + 1}`);
  const rows = await Promise.all(ids.map((each) => rowIn(tables, 'events', each)));
  return rows.filter((row) => row !== undefined) as Event[];
}

const typesOf = async (given: Given) => (await eventsOf(given)).map(({ type }) => type);

function refundsOf({ world, purchase }: Given) {
  const { endToEndId } = purchase.payment ?? {};
  return [...world.psp.refunds].filter(([id]) => id.startsWith(`${endToEndId}/`)).map(([, made]) => made);
}

/** Counts the used nonces and the transfers to the client, over all wallets of the treasury. */
async function chainOf({ world: { chain }, treasuries, purchase }: Given) {
  const { asset, walletAddress: to } = purchase;
  const found = { transfers: 0, nonces: 0, balance: await chain.balance(asset, to) };
  for (const wallet of treasuries) {
    const latest = await chain.node<string>('eth_getTransactionCount', [wallet.address, 'latest']);
    found.nonces += Number(latest);
    found.transfers += await chain.countTransfers(wallet, to);
  }
  return found;
}

/** Expects exactly one transfer of the exact amount, no refund, and each event once. */
export async function expectSettledOnce(given: Given, { nonces = 1 } = {}): Promise<void> {
  const { quote, status } = given.purchase;
  const settled = await given.find();
  const settlement = (await given.settlement())!;

  expect(settled).toMatchObject({ status: 'COMPLETED', disposition: 'SETTLE', txHash: settlement.txHash });
  expect(settled.refund).toBeUndefined();
  expect(settlement.state).toMatch(/^(CONFIRMED|FINAL)$/);
  expect(await chainOf(given)).toEqual({ transfers: 1, balance: quote.assetUnits, nonces });
  expect(refundsOf(given)).toEqual([]);
  const before = status === 'AWAITING_PIX' ? ['transaction.processing'] : [];
  expect(await typesOf(given)).toEqual([...before, 'transaction.completed']);
}

/**
 * Expects exactly one refund of the whole payment under one id, and no transfer. `nonces` is the number of nonces
 * that cancelled or reverted transfers used.
 */
export async function expectRefundedOnce(given: Given, { nonces = 0 } = {}): Promise<void> {
  const refunded = await given.find();

  expect(refunded).toMatchObject({ status: 'FAILED', disposition: 'REFUND', refund: { status: 'REFUNDED' } });
  expect(refunded.txHash).toBeUndefined();
  expect(await chainOf(given)).toEqual({ transfers: 0, balance: 0n, nonces });
  expect(refundsOf(given)).toMatchObject([{ id: given.id, valor: '250.00', status: 'DEVOLVIDO' }]);
  expect(await typesOf(given)).toEqual(['transaction.failed', 'transaction.refunded']);
}
