import { describe, expect, test } from 'vitest';
import { Refusal, StepOutcome } from '../../functions/domain/errors.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { decideWallet, type WalletFacts } from '../../functions/domain/screening/wallet-risk.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { aClient, MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import type { StubWalletRisk } from '../support/providers.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

async function paid() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const purchase = await putPurchaseIn(ports, 'PROCESSING');
  await ports.clients.create(aClient({ id: purchase.clientId, partnerId: purchase.partnerId }));
  const evidenceAt = (at: number) => rowIn(tables, 'evidence', `${purchase.id}#wallet#${at}`);
  return { ports, purchase, evidenceAt, visit: () => checkWalletRisk({ transactionId: purchase.id }, ports) };
}

const LISTS = { version: '2026-01-01T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' };
const evidenceOf = ({ id, clientId }: Transaction, isSanctioned: boolean) => ({
  subject: id,
  clientId,
  kind: 'wallet',
  decidedBy: 'CheckWalletRisk',
  inputs: { walletAddress: WALLET },
  findings: {
    listed: { index: LISTS },
    oracle: { address: '0xoracle', blockNumber: 42, isSanctioned },
    issuer: { asset: 'USDC', token: '0xtoken', blockNumber: 43, isBlocked: false },
    unavailable: [],
  },
  decision: {
    isClear: !isSanctioned,
    isSanctioned,
    isRisky: false,
    rules: isSanctioned ? ['listed by the oracle: block 42'] : [],
  },
});

describe('a clean wallet', () => {
  test('lets the purchase go on, with the facts of the decision', async () => {
    const { ports, purchase, evidenceAt, visit } = await paid();

    expect(await visit()).toEqual({
      transactionId: purchase.id,
      status: 'PROCESSING',
      decision: 'CLEAR',
      oracle: '0xoracle',
      blockNumber: 42,
      listsVersion: LISTS.version,
      screenedWith: ports.sanctions.index.version,
      checkedAt: START_AT,
    });

    expect(ports.walletRisk.asked).toEqual([WALLET]);
    expect(await evidenceAt(START_AT)).toMatchObject({ ...evidenceOf(purchase, false), at: START_AT });
  });

  test('is checked again and leaves evidence at each visit', async () => {
    const { ports, purchase, evidenceAt, visit } = await paid();
    await visit();
    ports.clock.advance(MINUTE_MS);
    ports.walletRisk.isSanctioned = true;

    await expect(visit()).rejects.toThrow();

    expect(await evidenceAt(START_AT)).toMatchObject(evidenceOf(purchase, false));
    expect(await evidenceAt(START_AT + MINUTE_MS)).toMatchObject(evidenceOf(purchase, true));
  });
});

test('a sanctioned wallet is refused by the name that the machine knows, with evidence', async () => {
  const { ports, purchase, evidenceAt, visit } = await paid();
  ports.walletRisk.isSanctioned = true;

  const refusal = await visit().catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ name: 'WALLET_RISK_TOO_HIGH', code: 'WALLET_RISK_TOO_HIGH' });
  // A failure that the machine can handle raises no alarm.
  expect(refusal).toHaveProperty('isOrdinary', true);
  expect(await evidenceAt(START_AT)).toMatchObject(evidenceOf(purchase, true));
  expect(await reread(ports, purchase)).toEqual(purchase);
});

describe('evidence of a wallet', () => {
  test.each<[string, Partial<StubWalletRisk>]>([
    ['OFAC lists', { entryId: '18503' }],
    ['the oracle lists', { isSanctioned: true }],
    ['a vendor judges severe', { vendor: { name: 'CHAINALYSIS', risk: 'SEVERE', reason: 'Stolen funds' } }],
    ['the issuer blocks', { isBlocked: true }],
    ['nobody lists', {}],
  ])('that %s gives the same decision again', async (_, said) => {
    const { ports, evidenceAt, visit } = await paid();
    Object.assign(ports.walletRisk, said);
    await visit().catch(() => undefined);

    const { findings, decision } = (await evidenceAt(START_AT)) as Record<string, unknown>;

    expect(decideWallet(findings as WalletFacts)).toEqual(decision);
    expect(decision).toMatchObject({ isClear: Object.keys(said).length === 0 });
  });

  test('says that the lists of the deployment were used while the bucket cannot be read', async () => {
    const { ports, evidenceAt, visit } = await paid();
    ports.walletRisk.index = { ...ports.walletRisk.index, source: 'BUNDLED' };

    await visit();

    expect(await evidenceAt(START_AT)).toMatchObject({
      findings: { listed: { index: { ...LISTS, source: 'BUNDLED' } } },
    });
  });
});

// docs/compliance.md, "Effect of a hit"
test.each<[string, Partial<StubWalletRisk>]>([
  ['OFAC lists', { entryId: '18503' }],
  ['a vendor judges severe', { vendor: { name: 'CHAINALYSIS', risk: 'SEVERE' } }],
  ['the issuer of its asset blocks', { isBlocked: true }],
])('a wallet that %s is refused although the oracle clears it', async (_, said) => {
  const { ports, visit } = await paid();
  Object.assign(ports.walletRisk, said);

  await expect(visit()).rejects.toMatchObject({ name: 'WALLET_RISK_TOO_HIGH' });
});

describe('a wallet whose client waits for a reviewer', () => {
  async function waiting() {
    const world = await paid();
    const { ports, purchase } = world;
    ports.sanctions.findIndex = () =>
      Promise.reject(new StepOutcome('ReviewPending', 'as if a person decides'));
    return { ...world, paidAt: purchase.payment!.paidAt, asked: ports.walletRisk.asked };
  }

  test('is checked beside the client, if the payment has just come', async () => {
    const { ports, paidAt, visit, evidenceAt, asked } = await waiting();
    ports.clock.advance(paidAt - ports.clock.now() + 2 * MINUTE_MS - 1);
    ports.walletRisk.isDown = true;

    await expect(visit()).rejects.toMatchObject({ name: 'ReviewPending' });

    expect(asked).toEqual([WALLET]);
    expect(await evidenceAt(ports.clock.now())).toBeUndefined();
  });

  test('is not checked at later visits', async () => {
    const { ports, paidAt, visit, asked } = await waiting();
    ports.clock.advance(paidAt - ports.clock.now() + 2 * MINUTE_MS);

    await expect(visit()).rejects.toMatchObject({ name: 'ReviewPending' });

    expect(asked).toEqual([]);
  });
});

test('an oracle without an answer gives no pass and no decision', async () => {
  const { ports, evidenceAt, visit } = await paid();
  ports.walletRisk.isDown = true;

  await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

  expect(await evidenceAt(START_AT)).toBeUndefined();
});

test('a clean wallet without evidence does not pass either', async () => {
  const { ports, purchase } = await paid();
  const record = () => Promise.reject(new Error('the table is gone'));

  await expect(
    checkWalletRisk({ transactionId: purchase.id }, { ...ports, evidence: { record } }),
  ).rejects.toThrow('the table is gone');
});
