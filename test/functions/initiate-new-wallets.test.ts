import { describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();
const OTHERS = Array.from({ length: 20 }, (_, at) => `0x${String(at).padStart(40, '0')}`);

/** The log when a client with these wallets buys for `WALLET`, and the purchase's id. */
async function boughtWith(wallets: string[]) {
  const ports = openPorts(tables);
  const { kycToken, partnerId, clientId, ...rest } = aPurchaseIn('AWAITING_MFA');
  await putApproved(ports, { ...rest, kycToken, partnerId, clientId }, { riskTier: 'STANDARD' });
  await ports.clients.create(aClient({ id: clientId, partnerId, enrolledAt: 1 }));
  for (const wallet of wallets) await ports.clients.addWallet(clientId, wallet);
  const caller = {
    partner: aPartner({ id: partnerId }),
    ids: reservedIds({ at: ports.clock.now(), seed: kycToken }),
  };
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET } as const;
  const { transactionId } = await initiateTransaction(request, caller, ports);
  return { log: ports.log, transactionId };
}

/** The values of `metric` when a client with these wallets buys for `WALLET`. */
async function measuredWith(wallets: string[], metric = 'FurtherWallets'): Promise<number[]> {
  const { log } = await boughtWith(wallets);
  return log.measured.filter(({ name }) => name === metric).map(({ value }) => value);
}

describe('a new wallet of a client', () => {
  test.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [20, 1],
  ])('beside %i others is counted as a further one %i times', async (known, times) => {
    expect(await measuredWith(OTHERS.slice(0, known))).toHaveLength(times);
  });

  test('is new once', async () => {
    expect(await measuredWith([...OTHERS.slice(0, 5), WALLET])).toEqual([]);
  });

  test.each([
    [2, []],
    [3, [4]],
    [8, [9]],
    [20, [21]],
  ])('beside %i others tells how many the client has', async (known, values) => {
    expect(await measuredWith(OTHERS.slice(0, known), 'WalletsOfClient')).toEqual(values);
  });

  test.each([
    [2, []],
    [8, [9]],
  ])('beside %i others leaves a line with the purchase, and with no wallet', async (known, counts) => {
    const { log, transactionId } = await boughtWith(OTHERS.slice(0, known));

    const lines = log.lines.filter((line) => line.includes('a purchase for a further wallet'));
    const fields = counts.map((wallets) => JSON.stringify({ transactionId, wallets }));
    expect(lines).toEqual(fields.map((each) => `"a purchase for a further wallet" ${each}`));
  });
});
