import { describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function asking() {
  const ports = openPorts(tables);
  const { kycToken, partnerId, clientId, ...rest } = aPurchaseIn('AWAITING_MFA');
  await putApproved(ports, { ...rest, kycToken, partnerId, clientId }, { riskTier: 'STANDARD' });
  await ports.clients.create(aClient({ id: clientId, partnerId }));
  const ids = reservedIds({ at: ports.clock.now(), seed: kycToken });
  const ask = (fields: { kycToken?: string; walletAddress?: string } = {}) =>
    initiateTransaction(
      { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET, ...fields },
      { partner: aPartner({ id: partnerId }), ids },
      ports,
    );
  return { ports, ask, find: () => ports.transactions.findTransaction(ids.transaction()) };
}

const refused = { code: 'INVALID_WALLET_ADDRESS', details: { reason: 'RESERVED' } };

describe('a wallet of the treasury as destination', () => {
  // Spec, Errors: "INVALID_WALLET_ADDRESS 422: Wallet address fails checksum validation"
  // docs/compliance.md, "Effect of a hit"
  test.each([
    ['one that pays', [WALLET]],
    ['one of several, whatever the case that it is noted in', [OTHER, WALLET.toLowerCase()]],
  ])('is refused, not checked elsewhere, and opens nothing: %s', async (_, hotWallets) => {
    const { ports, ask, find } = await asking();
    ports.floats.changes.hotWallets = hotWallets;

    await expect(ask()).rejects.toMatchObject(refused);

    expect(await find()).toBeUndefined();
    expect(ports.walletRisk.asked).toEqual([]);
    ports.floats.changes.hotWallets = [OTHER];
    await expect(ask()).rejects.not.toMatchObject(refused);
  });

  test('is refused before the KYC token is checked, like every invalid address', async () => {
    const { ports, ask } = await asking();
    ports.floats.changes.hotWallets = [WALLET];

    await expect(ask({ kycToken: 'kyc_UNKNOWN' })).rejects.toMatchObject(refused);
  });

  test('is refused even while the treasury sells nothing', async () => {
    const { ports, ask } = await asking();
    Object.assign(ports.floats.changes, { hotWallets: [WALLET], room: 0n, readAt: 0 });

    await expect(ask()).rejects.toMatchObject(refused);
  });
});
