import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Process } from '../support/crash-process.ts';
import { failing, settling } from '../support/crash-recovery.ts';
import {
  backUp,
  drive,
  letTheHoldAge,
  openCases,
  operationsOf,
  restore,
  run,
  showReturns,
} from '../support/crash-restore.ts';
import { type CrashWorld, type Given, openCrashWorld, PATIENT } from '../support/crash-world.ts';

const MINUTE_MS = 60_000;
const SETTLE = 'steps/settle-stablecoin';
const FAIL = 'steps/fail-transaction';
const RECONCILE = 'schedules/reconcile-pix';
const FLOAT = 'schedules/read-treasury-float';
/** More blocks than the chain needs for finality. */
const FINAL_BLOCKS = 100;

let world: CrashWorld;
let begun: Given[] = [];
beforeAll(async () => {
  world = await openCrashWorld();
});
afterEach(async () => {
  await begun[0]!.world.chain.stopMining();
  await Promise.all(begun.map((each) => each.stop()));
  begun = [];
});
afterAll(() => world.stop());

/** Purchases that are paid from the same two wallets, and paid at the provider. */
async function begin(to?: string): Promise<Given> {
  const of = begun[0] && { of: begun[0] };
  const given = await world.begin('AWAITING_PIX', { wallets: 2, ...of, ...(to && { to }) });
  begun.push(given);
  return given;
}

/** The token refuses the client at one try and three retries, and the Pix is returned. */
async function failAndRefund(service: Process, given: Given): Promise<void> {
  await given.world.chain.owner('USDC', 'blacklist', [given.purchase.walletAddress]);
  for (let tries = 0; tries < 4; tries++)
    expect((await service.run(SETTLE, settling(given, service.now()))).error?.name).toBe('SettlementFailed');
  await run(service, FAIL, failing(given));
  await drive(service, given);
}

async function transfersTo({ treasuries, world: { chain }, purchase }: Given): Promise<number> {
  const counts = treasuries.map((wallet) => chain.countTransfers(wallet, purchase.walletAddress));
  return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
}

const endToEndIdOf = ({ id, world: { psp } }: Given) => psp.pix.find(({ txid }) => txid === id)!.endToEndId;

function refundsOf(given: Given): unknown[] {
  const { psp } = given.world;
  return [...psp.refunds]
    .filter(([key]) => key.startsWith(endToEndIdOf(given)))
    .map(([, made]) => made.status);
}

describe('crash point 18: the tables are lost, and restored to an earlier time', PATIENT, () => {
  // docs/operations.md, "After a restore"
  test('each purchase ends in one transfer or one refund, or with a person, whatever happened since', async () => {
    // The restored tables have a purchase with a nonce, two that are PROCESSING and two that wait for their Pix.
    const [owned, flying, refunded] = [await begin(), await begin(), await begin()];
    const { chain, psp, tables } = owned.world;
    showReturns(psp);
    const service = await owned.process();
    await run(service, RECONCILE);
    await owned.kill({ when: 'after', at: 'settlement ASSIGNED' }, SETTLE, settling(owned));
    const [paid, untouched] = [await begin(), await begin()];
    expect(await run(service, FLOAT)).toMatchObject({ open: 5 });
    const since = new Date();
    const backup = await backUp(tables);

    // The restored tables lack everything that follows.
    await service.later(MINUTE_MS);
    const unknown = await begin();
    await run(service, FLOAT);
    await run(service, RECONCILE);
    chain.startMining();
    for (const each of [owned, paid, unknown]) await drive(service, each);
    await failAndRefund(service, refunded);
    await chain.stopMining();
    expect((await service.run(SETTLE, settling(flying, service.now()))).error?.name).toBe('NotYetConfirmed');
    expect(await transfersTo(flying)).toBe(0);

    await restore(tables, backup);

    // The service itself notices the restore, and no money leaves, however late a person looks.
    const fresh = await owned.process();
    await fresh.later(3 * MINUTE_MS);
    expect(await run(fresh, FLOAT)).toEqual({ hold: 'RESTORED' });
    await run(fresh, RECONCILE);
    await fresh.later(20 * MINUTE_MS);
    for (const each of [paid, untouched, owned, refunded]) {
      expect((await fresh.run(SETTLE, settling(each, fresh.now()))).error?.name).toBe('NotYetConfirmed');
      expect((await fresh.run(FAIL, failing(each))).error).toBeDefined();
      expect((await each.find()).status).toBe('PROCESSING');
    }
    await run(fresh, 'schedules/return-unmatched-payments');
    expect(refundsOf(unknown)).toEqual([]);

    // The runbook, docs/operations.md, "After a restore".
    const { ops, remove } = operationsOf(owned, world.address);
    const early = await ops('treasury', 'release', '--all');
    expect(await ops('treasury', 'hold', '--all')).toMatchObject({ code: 0 });
    const replay = ['treasury', 'replay', '--since', since.toISOString()];
    const young = await ops(...replay);
    await letTheHoldAge(tables);
    const floating = await ops(...replay);
    await chain.mine(FINAL_BLOCKS);
    const unreplayed = await ops('treasury', 'release', '--all');
    const replayed = await ops(...replay);
    expect([early, young, floating, unreplayed].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(young.err).toContain('younger than a minute');
    expect(floating.err).toContain('wait');
    expect(unreplayed.err).toContain('treasury replay comes first');
    expect(replayed).toMatchObject({ code: 0, out: '3 paid, 0 doubtful, 1 unknown.\n' });
    expect(await ops('treasury', 'release', '--all')).toMatchObject({ code: 0 });
    remove();

    chain.startMining();
    for (const each of [paid, flying, owned, refunded, untouched]) await drive(fresh, each);
    await run(fresh, 'schedules/return-unmatched-payments');

    const settled = [paid, flying, owned, untouched];
    for (const each of settled) {
      expect(await each.find()).toMatchObject({ status: 'COMPLETED', disposition: 'SETTLE' });
      expect(refundsOf(each)).toEqual([]);
    }
    expect(await Promise.all([...settled, unknown, refunded].map(transfersTo))).toEqual([1, 1, 1, 1, 1, 0]);
    expect(refundsOf(refunded)).toEqual(['DEVOLVIDO']);
    expect((await refunded.find()).failure).toEqual({ reason: 'PAYMENT_TAKEN_BACK' });
    expect(refundsOf(unknown)).toEqual([]);
    expect(await openCases(tables)).toEqual([
      expect.stringMatching(`^REFUND_UNASKED#${endToEndIdOf(refunded)}`),
      expect.stringMatching('^TRANSFER_UNKNOWN#0x'),
      `UNMATCHED_LEFT#${endToEndIdOf(unknown)}`,
    ]);
  });

  test('for two equal purchases, one paid and one refunded since: neither moves until a person decides', async () => {
    const paid = await begin();
    const refunded = await begin(paid.purchase.walletAddress);
    const { chain, psp, tables } = paid.world;
    showReturns(psp);
    const service = await paid.process();
    await run(service, RECONCILE);
    await run(service, FLOAT);
    const since = new Date();
    const backup = await backUp(tables);
    await service.later(MINUTE_MS);
    await run(service, FLOAT);
    chain.startMining();
    await drive(service, paid);
    const { txHash = '' } = await paid.find();
    await failAndRefund(service, refunded);
    await chain.stopMining();
    await restore(tables, backup);
    const before = await openCases(tables);

    const { ops, remove } = operationsOf(paid, world.address);
    const fresh = await paid.process();
    await fresh.later(3 * MINUTE_MS);
    await ops('treasury', 'hold', '--all');
    await letTheHoldAge(tables);
    await run(fresh, RECONCILE);
    await chain.mine(FINAL_BLOCKS);
    expect(await ops('treasury', 'replay', '--since', since.toISOString())).toMatchObject({
      out: '0 paid, 2 doubtful, 0 unknown.\n',
    });
    await ops('treasury', 'release', '--all');

    for (const each of [paid, refunded]) {
      expect((await fresh.run(SETTLE, settling(each, fresh.now()))).error?.name).toBe('NotYetConfirmed');
      expect((await fresh.run(FAIL, failing(each))).error).toBeDefined();
      expect((await each.find()).status).toBe('PROCESSING');
    }
    const doubts = [paid, refunded].map(({ id }) => `PAYOUT_DOUBTFUL#${id}`).sort();
    const news = (await openCases(tables)).filter((each) => !before.includes(each));
    expect(news).toEqual(doubts);

    const foreign = await ops('treasury', 'decide', paid.id, `0x${'ab'.repeat(32)}`);
    const decided = await ops('treasury', 'decide', paid.id, txHash);
    const twice = await ops('treasury', 'decide', refunded.id, txHash);
    const unpaid = await ops('treasury', 'decide', refunded.id, 'unpaid');
    expect([foreign, decided, twice, unpaid].map(({ code }) => code)).toEqual([1, 0, 1, 0]);
    remove();
    chain.startMining();
    for (const each of [paid, refunded]) await drive(fresh, each);

    expect(await paid.find()).toMatchObject({ status: 'COMPLETED', txHash });
    expect((await refunded.find()).failure).toEqual({ reason: 'PAYMENT_TAKEN_BACK' });
    expect(await transfersTo(paid)).toBe(1);
    expect([refundsOf(paid), refundsOf(refunded)]).toEqual([[], ['DEVOLVIDO']]);
  });
});
