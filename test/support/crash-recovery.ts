import { expect } from 'vitest';
import type { Process } from './crash-process.ts';
import type { Given } from './crash-world.ts';
import { rowIn } from './tables.ts';

const MINUTE_MS = 60_000;
/** A row is left alone for two minutes by whoever sweeps. */
const LATER_MS = 3 * MINUTE_MS;
const VISITS = 30;

/**
 * A fresh process that knows nothing, minutes later: the schedules look at tables and providers, and the state machine
 * that they wake or start goes through its steps. Blocks come again. With a `refusal`, the checks before settlement
 * refuse the purchase at every visit.
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
  // What is outbid must not be mined before anybody could outbid it.
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

/** Repeated where it fails, as schedules and the state machine repeat what a slow outside made fail. */
async function done(process: Process, file: string, event?: unknown): Promise<void> {
  const errors: string[] = [];
  while (errors.length < TRIES) {
    const { error } = await process.run(file, event);
    if (!error) return;
    errors.push(`${error.name}: ${error.message}`);
  }
  throw new Error(`${file}: ${errors.join(', ')}`);
}

/** What the step `SettleStablecoin` is told, by a state machine that has just looked at client and wallet. */
export const settling = ({ id }: Given, at = Date.now()) => ({ transactionId: id, checkedAt: at });

/** What the step `FailTransaction` is told. */
export const failing = ({ id }: Given, error = 'SettlementFailed') => ({
  ...{ transactionId: id, error: { Error: error } },
});

/** The way of the state machine from `PROCESSING` or `FAILED`, by the status alone (statemachines/onramp.asl.json). */
async function drive(process: Process, given: Given, refusal?: string): Promise<void> {
  let failedTries = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    // Nothing but an error of its own, while a transfer may live: settlement goes on, and looks at the wish to cancel.
    if (refusal) await process.run('steps/fail-transaction', failing(given, refusal));
    const { status } = await given.find();
    if (status === 'PROCESSING') failedTries += await settle(process, given, failedTries);
    else if (status !== 'FAILED' || (await refund(process, given))) return;
    await process.later(MINUTE_MS);
    given.world.chain.startMining();
  }
  throw new Error('the purchase never ended');
}

/** One visit of `SettleStablecoin` and what follows it; answers 1 where a try failed. */
async function settle(process: Process, given: Given, failedTries: number): Promise<number> {
  const transactionId = given.id;
  const settled = await process.run('steps/settle-stablecoin', settling(given, process.now()));
  if (settled.error?.name === 'SettlementFailed') {
    if (failedTries >= 3) await done(process, 'steps/fail-transaction', failing(given));
    return 1;
  }
  // Not yet confirmed, or an outside that was too slow: visited again, for neither is a failed try.
  if (settled.error) return 0;
  const { txHash } = settled.result as { txHash: string };
  await done(process, 'steps/complete-transaction', { transactionId, txHash });
  return 0;
}

/** One visit of `RefundPixPayment`; the provider ends meanwhile what it was asked for. */
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

/** Over all wallets of the treasury. */
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

/** Exactly one transfer of exactly the amount, no money back, and each news once, whoever died on the way. */
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

/** The whole payment back once, under one id, and no transfer; `nonces` were used by what reverted. */
export async function expectRefundedOnce(given: Given, { nonces = 0 } = {}): Promise<void> {
  const refunded = await given.find();

  expect(refunded).toMatchObject({ status: 'FAILED', disposition: 'REFUND', refund: { status: 'REFUNDED' } });
  expect(refunded.txHash).toBeUndefined();
  expect(await chainOf(given)).toEqual({ transfers: 0, balance: 0n, nonces });
  expect(refundsOf(given)).toMatchObject([{ id: given.id, valor: '250.00', status: 'DEVOLVIDO' }]);
  expect(await typesOf(given)).toEqual(['transaction.failed', 'transaction.refunded']);
}
