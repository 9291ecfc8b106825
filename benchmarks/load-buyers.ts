/** The buyers of `npm run load`: clients of several partners, each with a wallet of their own. */
import { randomBytes } from 'node:crypto';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { getAddress } from 'ethers/address';
import { generateSync } from 'otplib';
import { createOnrampClient } from '../client/onramp-client.ts';
import type { FailureReason } from '../functions/domain/purchase/return-reasons.ts';
import type { SeededPartner } from '../sandbox/seed.ts';

/** A key may submit 20 clients a minute. Each partner of this load has only ten clients. */
const CLIENTS_OF_A_PARTNER = 10;
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;
const AMOUNT_BRL = 60;
/**
 * The most retries of one request. The sandbox may refuse requests for a while when very many come at once.
 */
const MAX_RETRIES = 10;
/**
 * A laptop answers late if many requests come at the same time. The timeout is long, because the service
 * refuses a repetition while the first request still runs.
 */
const TIMEOUT_MS = 180_000;
/**
 * Two sandbox clients whose purchases must fail. For the first, another person pays. For the second, all four
 * transfers revert.
 */
const FAILING: Pick<Buyer, 'cpf' | 'failure'>[] = [
  { cpf: '90000000760', failure: 'PAYER_MISMATCH' },
  { cpf: '90000000922', failure: 'SETTLEMENT_FAILED' },
];

/** `failure` is the reason for which the purchase must fail. Absent: the purchase must be completed. */
export type Buyer = {
  partnerId: string;
  cpf: string;
  wallet: string;
  failure?: FailureReason;
  transactionId?: string;
};

export const partnersFor = (purchases: number): SeededPartner[] =>
  Array.from({ length: Math.ceil(purchases / CLIENTS_OF_A_PARTNER) }, (_, at) => ({
    id: `load${at}`,
    name: `Partner ${at}`,
    status: 'ACTIVE',
    keys: [{ text: `sk_sandbox_load${at}_key1_${'0'.repeat(16)}`, status: 'ACTIVE' }],
  }));

export function buyersFor(purchases: number): Buyer[] {
  const partners = partnersFor(purchases);
  return Array.from({ length: purchases }, (_, at) => ({
    partnerId: partners[at % partners.length]?.id ?? '',
    ...(FAILING[at] ?? { cpf: generateCpf() }),
    wallet: getAddress(`0x${randomBytes(20).toString('hex')}`),
  }));
}

export type Endpoint = 'SubmitKyc' | 'InitiateTransaction' | 'ConfirmMfa' | 'PayTransaction';
/** The milliseconds of each answered request as the partner sees them, retries included, by endpoint. */
export type Answered = Map<Endpoint, number[]>;

export function buyersAt(baseUrl: string, partners: readonly SeededPartner[], answered: Answered) {
  const clients = new Map(
    partners.map(({ id, keys: [key] }) => [
      id,
      createOnrampClient({
        apiKey: key?.text ?? '',
        baseUrl,
        maxRetries: MAX_RETRIES,
        timeoutMs: TIMEOUT_MS,
      }),
    ]),
  );
  const clientOf = ({ partnerId }: Buyer) => {
    const client = clients.get(partnerId);
    if (!client) throw new Error(`no partner ${partnerId}`);
    return client;
  };
  async function timed<Answer>(endpoint: Endpoint, call: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await call();
    answered.set(endpoint, [...(answered.get(endpoint) ?? []), performance.now() - startedAt]);
    return answer;
  }

  return {
    /** Opens a purchase, from the KYC submission to a Pix charge that can be paid. */
    async open(buyer: Buyer): Promise<void> {
      const client = clientOf(buyer);
      const submission = { cpf: buyer.cpf, biometricHash: BIOMETRIC_HASH };
      const { token: kycToken } = await timed('SubmitKyc', () => client.submitKyc(submission));
      const { wallet: walletAddress } = buyer;
      const order = { kycToken, amountBrl: AMOUNT_BRL, asset: 'USDC', walletAddress } as const;
      const opened = await timed('InitiateTransaction', () => client.initiateTransaction(order));
      const { transactionId, authChallenge } = opened;
      buyer.transactionId = transactionId;
      if (authChallenge.type !== 'MFA_TOTP' || !authChallenge.enrollment)
        throw new Error(`the client of ${transactionId} is of another tier`);
      const secret = new URL(authChallenge.enrollment.otpauthUri).searchParams.get('secret') ?? '';
      const code = () => ({ transactionId, totpCode: generateSync({ secret }) });
      await timed('ConfirmMfa', () => client.confirmMfa(code()));
    },
    async pay(buyer: Buyer): Promise<void> {
      const { transactionId = '' } = buyer;
      await timed('PayTransaction', () => clientOf(buyer).sandbox.pay(transactionId));
    },
  };
}

/**
 * Runs `work` for each item, for at most `atOnce` items at the same time. Returns the errors that `work`
 * threw.
 */
export async function forAll<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const rest = items.values();
  const errors: unknown[] = [];
  async function one(): Promise<void> {
    for (const item of rest) await work(item).catch((error: unknown) => errors.push(error));
  }
  await Promise.all(Array.from({ length: atOnce }, one));
  return errors;
}
