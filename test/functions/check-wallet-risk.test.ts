import { describe, expect, test } from 'vitest';
import { Refusal } from '../../functions/domain/errors.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { rowIn, sandboxTables } from '../support/tables.ts';

async function paid() {
  const ports = openPorts(sandboxTables());
  const purchase = await putPurchaseIn(ports, 'PROCESSING');
  const evidenceAt = (at: number) => rowIn(sandboxTables(), 'evidence', `${purchase.id}#wallet#${at}`);
  return { ports, purchase, evidenceAt, visit: () => checkWalletRisk({ transactionId: purchase.id }, ports) };
}

const evidenceOf = (subject: string, isSanctioned: boolean) => ({
  subject,
  kind: 'wallet',
  decidedBy: 'CheckWalletRisk',
  inputs: { walletAddress: WALLET },
  findings: { isSanctioned, oracle: '0xoracle', blockNumber: 42 },
  decision: { isClear: !isSanctioned },
});

describe('a clean wallet', () => {
  test('lets the purchase go on, with what it was judged by', async () => {
    const { ports, purchase, evidenceAt, visit } = await paid();

    expect(await visit()).toEqual({
      transactionId: purchase.id,
      status: 'PROCESSING',
      decision: 'CLEAR',
      oracle: '0xoracle',
      blockNumber: 42,
    });

    expect(ports.walletRisk.asked).toEqual([WALLET]);
    expect(await evidenceAt(START_AT)).toMatchObject({ ...evidenceOf(purchase.id, false), at: START_AT });
  });

  test('is asked about and leaves evidence at each visit', async () => {
    const { ports, purchase, evidenceAt, visit } = await paid();
    await visit();
    ports.clock.advance(MINUTE_MS);
    ports.walletRisk.isSanctioned = true;

    await expect(visit()).rejects.toThrow();

    expect(await evidenceAt(START_AT)).toMatchObject(evidenceOf(purchase.id, false));
    expect(await evidenceAt(START_AT + MINUTE_MS)).toMatchObject(evidenceOf(purchase.id, true));
  });
});

test('a sanctioned wallet is refused by the name that the machine knows, with evidence', async () => {
  const { ports, purchase, evidenceAt, visit } = await paid();
  ports.walletRisk.isSanctioned = true;

  const refusal = await visit().catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ name: 'WALLET_RISK_TOO_HIGH', code: 'WALLET_RISK_TOO_HIGH' });
  expect(await evidenceAt(START_AT)).toMatchObject(evidenceOf(purchase.id, true));
  expect(await reread(ports, purchase)).toEqual(purchase);
});

test('an oracle without an answer is no pass, and no decision', async () => {
  const { ports, evidenceAt, visit } = await paid();
  ports.walletRisk.isDown = true;

  await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

  expect(await evidenceAt(START_AT)).toBeUndefined();
});

test('a clean wallet without evidence is no pass either', async () => {
  const { ports, purchase } = await paid();
  const record = () => Promise.reject(new Error('the table is gone'));

  await expect(
    checkWalletRisk({ transactionId: purchase.id }, { ...ports, evidence: { record } }),
  ).rejects.toThrow('the table is gone');
});
