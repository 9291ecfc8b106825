import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { id, zeroPadValue } from 'ethers';
import { getAddress } from 'ethers/address';
import { expect } from 'vitest';
import { isOnrampError } from '../../client/errors.ts';
import type { OnrampClient } from '../../client/onramp-client.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { rpc } from '../../sandbox/chain/rpc.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, totpCode } from './sandbox.ts';

/** A purchase as its partner knows it. */
export type Purchase = {
  partnerId: string;
  apiKey: string;
  client: OnrampClient;
  cpf: string;
  kycToken: string;
  transactionId: string;
  walletAddress: string;
  otpauthUri: string;
};

/** The time for repairs by the sweeps, on a busy machine. */
export const SLOW_MS = 240_000;

type Partner = Pick<Purchase, 'partnerId' | 'apiKey' | 'client'>;
type Wanted = { partner?: Partner; cpf?: string; amountBrl?: number; asset?: Asset; walletAddress?: string };

let lastOpened: Promise<unknown> = Promise.resolve();

/**
 * Opens one purchase after another. Opened at once, they would wait for each other's cold starts and expire, because
 * the minutes are short here.
 */
function inTurn<Made>(open: () => Promise<Made>): Promise<Made> {
  const opened = lastOpened.then(open);
  lastOpened = opened.catch(() => undefined);
  return opened;
}

/** Opens a purchase in AWAITING_MFA. Partner, client and wallet are new unless `wanted` names them. */
export const openPurchase = (wanted: Wanted = {}): Promise<Purchase> => inTurn(() => open(wanted));

async function open(wanted: Wanted): Promise<Purchase> {
  const { amountBrl = 250, asset = 'USDC', walletAddress = newWallet(), cpf = randomCpf() } = wanted;
  const partner = wanted.partner ?? (await newPartner());
  const { token: kycToken } = await partner.client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
  const request = { kycToken, amountBrl, asset, walletAddress };
  const { transactionId, authChallenge } = await partner.client.initiateTransaction(request);
  if (!authChallenge.enrollment) throw new Error('the client has been enrolled before');
  const { otpauthUri } = authChallenge.enrollment;
  return { ...partner, cpf, kycToken, transactionId, walletAddress, otpauthUri };
}

/** Answers the challenge. The answer holds the Pix code and its expiry. */
export function clearMfa({ client, transactionId, otpauthUri }: Purchase) {
  return client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
}

const OPEN_TRIES = 5;

/**
 * Opens a purchase in AWAITING_PIX. When a purchase expires before its code arrives, the next one is tried, because
 * such a slow run proves nothing.
 */
export function openPix(wanted: Wanted = {}): Promise<Purchase & { pixExpiresAt: number }> {
  return inTurn(async () => {
    for (let tries = 1; ; tries++) {
      const purchase = await open(wanted);
      const cleared = await clearMfa(purchase).catch((error: unknown) => {
        const isLate = isOnrampError(error) && error.code === 'TRANSACTION_EXPIRED';
        if (!isLate || tries === OPEN_TRIES) throw error;
      });
      if (cleared) return { ...purchase, pixExpiresAt: Date.parse(cleared.pixExpiresAt!) };
    }
  });
}

/** The pause between two reads, because a key has only a hundred requests a minute. */
const POLL_MS = 500;
const seldom =
  <Answer>(ask: () => Promise<Answer>) =>
  async () => {
    await wait(POLL_MS);
    return ask();
  };

export function endOf<Status extends 'COMPLETED' | 'FAILED' | 'EXPIRED' | 'CANCELED'>(
  { client, transactionId }: Purchase,
  statuses: readonly Status[],
  timeoutMs = SLOW_MS,
) {
  return client.waitForStatus(transactionId, statuses, { intervalMs: POLL_MS, timeoutMs });
}

/** Waits until the failed purchase is refunded. */
export async function refundedEnd(purchase: Purchase) {
  await endOf(purchase, ['FAILED']);
  return eventually(
    seldom(() => purchase.client.getTransactionStatus(purchase.transactionId)),
    ({ refund }) => refund?.status === 'REFUNDED',
    SLOW_MS,
  );
}

/**
 * Waits for `count` events of the purchase, checks their signatures and returns them by their sequence. A late event
 * may arrive twice under the same id, as receivers must expect.
 */
export async function eventsOf({ client, transactionId }: Purchase, count: number) {
  const told = async () => {
    const { webhooks: all } = await client.sandbox.webhooks();
    const webhooks = all.filter(({ event }) => (event as Told).data.transactionId === transactionId);
    for (const { id, event, verified } of webhooks) {
      expect(verified).toBe(true);
      expect(webhooks.find((each) => each.id === id)?.event).toEqual(event);
    }
    return [...new Map(webhooks.map(({ id, event }) => [id, event as Told])).values()];
  };
  const events = await eventually(seldom(told), ({ length }) => length >= count, SLOW_MS);
  return events.sort((a, b) => a.data.sequence - b.data.sequence);
}
type Told = { type: string; data: { transactionId: string; sequence: number } };

/** A wallet that was never used. */
export const newWallet = () => getAddress(`0x${randomBytes(20).toString('hex')}`);

type Log = { transactionHash: string; data: string };

/** All transfers of our tokens to the wallet since the chain began. */
export function transfersTo(rpcUrl: string, wallet: string): Promise<Log[]> {
  const topics = [id('Transfer(address,address,uint256)'), null, zeroPadValue(wallet, 32)];
  const address = Object.values(localChain.tokens);
  return rpc<Log[]>(rpcUrl, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address, topics }]);
}
