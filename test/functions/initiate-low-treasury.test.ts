import { describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

/** A client who must show a face, so that a purchase also opens a check at the provider. */
async function asking() {
  const ports = openPorts(tables);
  const { kycToken, partnerId, clientId, ...rest } = aPurchaseIn('AWAITING_MFA');
  await putApproved(ports, { ...rest, kycToken, partnerId, clientId }, { riskTier: 'HIGH' });
  const cpfCipher = await ports.vault.encrypt('52998224725', clientId);
  await ports.clients.create(aClient({ id: clientId, partnerId, cpfCipher }));
  const ids = reservedIds({ at: ports.clock.now(), seed: kycToken });
  const ask = (fields: { asset?: string; walletAddress?: string } = {}) =>
    initiateTransaction(
      { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET, ...fields },
      { partner: aPartner({ id: partnerId }), ids },
      ports,
    );
  const find = () => ports.transactions.findTransaction(ids.transaction());
  return { ports, ask, find };
}

describe('503 LIQUIDITY_UNAVAILABLE', () => {
  test.each([
    ['has no room', { room: 0n }],
    ['has no wallet that can pay so much', { largest: 1n }],
    ['has no gas', { isGasLow: true }],
    ['is paused', { paused: { by: 'ana', reason: 'x', at: 1 } }],
    ['was not read for long', { readAt: 0 }],
    ['was read by a schedule that did not name its wallets yet', { hotWallets: [] }],
  ])('opens nothing, here or at the provider, while the treasury %s', async (_, changes) => {
    const { ports, ask, find } = await asking();
    Object.assign(ports.floats.changes, changes);

    await expect(ask()).rejects.toMatchObject({
      code: 'LIQUIDITY_UNAVAILABLE',
      details: { retryAfterSeconds: 60 },
    });
    expect(await find()).toBeUndefined();
    expect([ports.identity.links, ports.machine.started]).toEqual([[], []]);

    for (const name of Object.keys(changes)) delete ports.floats.changes[name as keyof typeof changes];
    expect(await ask()).toMatchObject({ status: 'PENDING_AUTH' });
  });

  test('leaves the evidence of the clean wallet, as every decision does', async () => {
    const { ports, ask } = await asking();
    ports.floats.changes.room = 0n;
    const recorded: Evidence[] = [];
    const { record } = ports.evidence;
    ports.evidence.record = async (evidence) => {
      recorded.push(evidence);
      await record(evidence);
    };

    await expect(ask()).rejects.toMatchObject({ code: 'LIQUIDITY_UNAVAILABLE' });

    expect(recorded).toMatchObject([{ kind: 'wallet', decision: { isClear: true } }]);
  });

  test('is only a check: a purchase without authentication holds no tokens', async () => {
    const { ports, ask } = await asking();

    expect(await ask()).toMatchObject({ status: 'PENDING_AUTH' });

    expect(ports.liquidity.reserved).toEqual([]);
  });

  test('comes after a fault in the request itself', async () => {
    const { ports, ask } = await asking();
    ports.floats.changes.room = 0n;

    await expect(ask({ asset: 'DAI' })).rejects.toMatchObject({ code: 'UNSUPPORTED_ASSET' });
    await expect(ask({ walletAddress: '0x' })).rejects.toMatchObject({ code: 'INVALID_WALLET_ADDRESS' });
  });
});
