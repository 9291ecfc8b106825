import { describe, expect, test } from 'vitest';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { operations } from '../support/operations.ts';
import { approvedClient, expectRefusal, holdingsOf, initiate } from '../support/partner-api.ts';
import { endOf, openPix } from '../support/purchases.ts';
import { aPurchase } from '../support/requests.ts';

const { ops } = operations();
const WHY = ['--reason', 'journey', '--yes'];
const rows = ({ out }: { out: string }) => out.trimEnd().split('\n').slice(1);

describe('the treasury', () => {
  test('is shown with two wallets, each with gas and tokens of each asset', async () => {
    const { code, out } = await ops(['treasury', 'wallets']);

    expect(code).toBe(0);
    expect(rows({ out })).toHaveLength(2);
    for (const row of rows({ out })) {
      const tokens = ASSET_NAMES.map((asset) => {
        const shown = Math.min(ASSETS[asset].decimals, 6);
        return `\\d{5,8}\\.\\d{${shown}} ${asset} +`;
      });
      const start = '^0x[0-9a-fA-F]{40} +\\d+\\.\\d{6} gas +';
      expect(row).toMatch(new RegExp(`${start}${tokens.join('')}\\d+ on their way +next \\d+ +pays`));
    }
  });

  test('refuses its own wallets as destinations as soon as they are read', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const addresses = rows(await ops(['treasury', 'wallets'])).map((row) => row.split(' ')[0]);

    for (const walletAddress of addresses) {
      for (const asset of ASSET_NAMES) {
        const answer = await initiate(apiKey, aPurchase(kycToken, { asset, walletAddress }));
        expectRefusal(answer, 'INVALID_WALLET_ADDRESS', { reason: 'RESERVED' });
      }
    }
    expect(addresses).toHaveLength(2);
    expect(await holdingsOf(partnerId)).toMatchObject({ TablesTransactions: 0 });
  });

  test('holds and releases only its own wallets, and only if there is something to release', async () => {
    const [first = ''] = rows(await ops(['treasury', 'wallets']));
    const [address = ''] = first.split(' ');

    const foreign = await ops(['treasury', 'hold', `0x${'ab'.repeat(20)}`, ...WHY]);
    const idle = await ops(['treasury', 'release', address, ...WHY]);

    expect([foreign.code, idle.code]).toEqual([1, 1]);
    expect(foreign.err).toContain('no wallet of this treasury');
    expect(idle.err).toContain('can pay already');
  });

  test('cancels no settlement that has ended, or never began', async () => {
    const purchase = await openPix();
    const early = await ops(['treasury', 'cancel', purchase.transactionId, ...WHY]);
    await purchase.client.sandbox.pay(purchase.transactionId);
    await endOf(purchase, ['COMPLETED']);

    const late = await ops(['treasury', 'cancel', purchase.transactionId, ...WHY]);

    expect([early.code, late.code]).toEqual([1, 1]);
    expect(early.err).toContain('there is nothing to cancel');
    expect(late.err).toMatch(/The payment is (CONFIRMED|FINAL): it is too late/);
  });
});
