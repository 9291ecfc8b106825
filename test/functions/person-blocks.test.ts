import { describe, expect, test } from 'vitest';
import { Refusal } from '../../functions/domain/errors.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { aBlock } from '../support/blocked-person.ts';
import { aClient } from '../support/builders.ts';
import { aBuyer } from '../support/buyer.ts';
import { openPorts, putPurchaseIn, START_AT, type TestPorts } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';
import { aRequest, partnerOf } from '../support/submissions.ts';
import { memoryTables, rowIn, tapped } from '../support/tables.ts';

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'DONE',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

async function aPaidPurchase(changes: Parameters<typeof putPurchaseIn>[2] = {}) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const cpf = randomCpf();
  const block = await aBlock(ports, cpf);
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { personId: block.id, ...changes });
  await ports.clients.create(aClient({ id: purchase.clientId, partnerId: purchase.partnerId }));
  const transactionId = purchase.id;
  const check = () => checkWalletRisk({ transactionId }, ports);
  const settle = () => settleStablecoin({ transactionId, checkedAt: ports.clock.now() }, ports);
  return { tables, ports, purchase, block, check, settle };
}

// docs/decisions.md, "MED refunds and fraud"
// Threat: "a thief goes on at another partner"
describe('a person who is blocked everywhere', () => {
  test('gets no KYC token at a partner that does not know the person, and no source is asked', async () => {
    const ports = openPorts();
    const cpf = randomCpf();
    await ports.personBlocks.block(await aBlock(ports, cpf));

    const submitted = partnerOf(ports).submit(aRequest({ cpf }));

    await expect(submitted).rejects.toMatchObject({ code: 'CLIENT_BLOCKED', details: {} });
    expect(ports.cpfRegistry.asked).toEqual([]);
  });

  test('opens no purchase with a token from before the block, in the words of any other block', async () => {
    const ports = openPorts();
    const { cpf, initiate } = await aBuyer(ports);
    await ports.personBlocks.block(await aBlock(ports, cpf));

    const refused = await initiate().catch((error: unknown) => error);

    expect(refused).toEqual(new Refusal('CLIENT_BLOCKED'));
    expect(ports.walletRisk.asked).toEqual([]);
  });

  test('gets no charge for a purchase that was opened before the block', async () => {
    const ports = openPorts();
    const { cpf, initiate, confirm } = await aBuyer(ports);
    const opened = await initiate();
    await ports.personBlocks.block(await aBlock(ports, cpf));

    await expect(confirm(opened)).rejects.toMatchObject({ code: 'CLIENT_BLOCKED', details: {} });

    expect(ports.pix.charges.size).toBe(0);
    expect(ports.liquidity.reserved).toEqual([]);
  });

  test('gets a refund for a paid purchase, which fails as after any rejection, with evidence', async () => {
    const { tables, ports, purchase, block, check } = await aPaidPurchase();
    await ports.personBlocks.block(block);

    await expect(check()).rejects.toMatchObject({ name: 'KYC_REJECTED', isOrdinary: true });

    const evidence = await rowIn(tables, 'evidence', `${purchase.id}#block#${START_AT}`);
    expect(evidence).toMatchObject({
      decidedBy: 'CheckWalletRisk',
      findings: { block: { by: 'ana', at: START_AT } },
      decision: { outcome: 'REFUSED' },
    });
  });

  test('is checked again before settlement, and nothing is sent', async () => {
    const { ports, block, check, settle } = await aPaidPurchase();
    await check();
    await ports.personBlocks.block(block);

    await expect(settle()).rejects.toMatchObject({ name: 'CheckAgain' });

    expect(ports.treasury.payouts).toEqual([]);
  });

  test('makes the service cancel a transfer that owns a nonce', async () => {
    const { ports, purchase, block, settle } = await aPaidPurchase({ disposition: 'SETTLE' });
    const asked: unknown[] = [];
    ports.cancellations.ask = async (...request) => asked.push(request) > 0;
    await ports.personBlocks.block(block);

    await settle();

    expect(asked).toEqual([[purchase.id, { reason: 'KYC_REJECTED', at: START_AT }]]);
  });

  test.each([
    ['is over', { until: START_AT }],
    ['was lifted', { state: 'LIFTED', lifted: { by: 'rui', at: START_AT, reason: 'a mistake' } }],
  ] as const)('buys again once the block %s', async (_, changes) => {
    const ports = openPorts();
    const { cpf, initiate, confirm } = await aBuyer(ports);
    await ports.personBlocks.block({ ...(await aBlock(ports, cpf)), ...changes });

    expect(await confirm(await initiate())).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('is refused until the last millisecond of the block', async () => {
    const ports = openPorts();
    const { cpf, initiate } = await aBuyer(ports);
    await ports.personBlocks.block(await aBlock(ports, cpf, { until: START_AT + 1 }));

    expect(await codeOf(initiate())).toBe('CLIENT_BLOCKED');
    ports.clock.advance(1);
    expect(await codeOf(initiate())).toBe('DONE');
  });
});

describe('a block that is set while the client buys', () => {
  /** Lets the block come right before call number `at` of the ports that it answers. */
  async function blockedAt(
    at: number,
    cpf: string,
    world: { tables: ReturnType<typeof memoryTables>; ports: TestPorts },
  ) {
    let calls = 0;
    const counted = tapped(world.tables, (send) => async (command) => {
      if (++calls === at) await world.ports.personBlocks.block(await aBlock(world.ports, cpf));
      return send(command);
    });
    const { personBlocks, clients, kycRecords, transactions, evidence } = openPorts(counted);
    const ports = { ...world.ports, personBlocks, clients, kycRecords, transactions, evidence };
    return { ports, wasSet: () => calls >= at };
  }

  test('stops the purchase at the latest before its charge, whenever it comes during initiate', async () => {
    for (let at = 1; ; at++) {
      const tables = memoryTables();
      const ports = openPorts(tables);
      const { cpf, initiate, confirm } = await aBuyer(ports);
      const { ports: tappedPorts, wasSet } = await blockedAt(at, cpf, { tables, ports });

      const opened = await initiate(tappedPorts).catch((error: Refusal) => error);
      if (!wasSet()) break;

      if (opened instanceof Error) expect(opened).toEqual(new Refusal('CLIENT_BLOCKED'));
      else expect(await codeOf(confirm(opened))).toBe('CLIENT_BLOCKED');
      expect(ports.pix.charges.size).toBe(0);
    }
  });

  test('stops the purchase at the latest before its settlement, whenever it comes during the charge', async () => {
    for (let at = 1; ; at++) {
      const tables = memoryTables();
      const ports = openPorts(tables);
      const { cpf, initiate, confirm } = await aBuyer(ports);
      const opened = await initiate();
      const { ports: tappedPorts, wasSet } = await blockedAt(at, cpf, { tables, ports });

      const code = await codeOf(confirm(opened, tappedPorts));
      if (!wasSet()) break;

      expect(code).toBe(ports.pix.charges.size === 0 ? 'CLIENT_BLOCKED' : 'DONE');
      const { transactionId } = opened;
      await expect(checkWalletRisk({ transactionId }, ports)).rejects.toMatchObject({ name: 'KYC_REJECTED' });
    }
  });

  test('stops twenty purchases at once', async () => {
    const ports = openPorts();
    const { cpf, initiate, confirm } = await aBuyer(ports);
    const opened = await initiate();
    const block = await aBlock(ports, cpf);

    const racing = Array.from({ length: 20 }, () => codeOf(initiate()));
    await ports.personBlocks.block(block);
    const outcomes = await Promise.all(racing);

    expect(outcomes.every((code) => ['DONE', 'CLIENT_BLOCKED'].includes(code))).toBe(true);
    expect(await codeOf(confirm(opened))).toBe('CLIENT_BLOCKED');
    expect(ports.pix.charges.size).toBe(0);
  });
});
