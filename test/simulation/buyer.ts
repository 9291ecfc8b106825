import { generateSync } from 'otplib';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { submitKyc } from '../../functions/api/submit-kyc.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import { decimalOf } from '../../functions/domain/money.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Ids } from '../../functions/domain/ports.ts';
import { success } from '../../functions/entry/answer.ts';
import { once } from '../../functions/entry/idempotency.ts';
import { idsOf } from '../../functions/logic/ids.ts';
import { vouchFor } from '../../sandbox/partner-keys.ts';
import type { Bank } from './bank.ts';
import { type Dice, diceOf } from './dice.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Plan } from './purchases.ts';
import type { Ended } from './tasks.ts';
import type { Violation } from './violation.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** The time-out of an API function. */
const API_MS = 25 * SECOND_MS;
const TRIES = 8;

export type Bought = {
  plan: Plan;
  transactionId?: string;
  /** All Pix that the provider took from this buyer, for the purchase or not. */
  pixIds: string[];
  /** True once the world has reacted to the payment, so that it reacts only once. */
  isPaid: boolean;
  /** When the charge ends, as the partner was told. */
  payUntil?: number;
  /** The partner's cancel of the purchase, and the service's answers to it. */
  cancel?: { isConfirmed?: true; isRefused?: true };
};

export type Shop = {
  kernel: Kernel;
  seed: string;
  partner: Partner;
  bank: Bank;
  call<Output>(
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<Output>,
  ): Promise<Ended<Output>>;
  report(violation: Violation): void;
  /** How many requests brought a code, and how many of them the service refused for want of tokens. */
  counts: { codes: number; illiquid: number };
  /** True when the purchase has a Pix code that its buyer may have seen. */
  isCharged(transactionId: string): boolean;
  /** The request that brought the client's last accepted code. */
  lastRequestOf(clientId: string): string | undefined;
  /** Called with each purchase once its partner knows its id. */
  onOpened(bought: Bought): void;
  /** Called with each Pix that the provider has taken. */
  onPix(pixIds: readonly string[], scope: string): void;
  /** Plays the events that follow the payment of a purchase. */
  onPaid(bought: Bought): Promise<void>;
};

/** Plays one buyer from the first request to the last Pix. The partner repeats a failed request with the same key. */
export async function buy(bought: Bought, shop: Shop): Promise<void> {
  const { plan } = bought;
  const dice = diceOf(shop.seed, plan.scope, 'buyer');
  await shop.kernel.wait(plan.arrivesAfterMs);
  if (plan.kind === 'no txid' || plan.kind === 'unknown txid') await payUnmatched(bought, shop, dice);
  const kycToken = plan.isVouchedFor ? await vouch(bought, shop) : plan.kycToken;
  if (kycToken === undefined) return;
  const opened = (await request('InitiateTransaction', bought, shop, (ports, ids) =>
    initiateTransaction(
      {
        kycToken,
        asset: plan.asset,
        walletAddress: plan.wallet,
        amountBrl: plan.amountCentavos / 100,
      },
      { partner: shop.partner, ids },
      ports,
    ),
  )) as { transactionId: string } | undefined;
  if (!opened) return;
  bought.transactionId = opened.transactionId;
  shop.onOpened(bought);
  if (plan.kind === 'never authenticated') return;
  await shop.kernel.wait(dice.within(1, dice.isBelow(0.05) ? 16 * MINUTE_MS : MINUTE_MS));
  const charged = await confirm(bought, shop, dice);
  if (!charged) return;
  bought.payUntil = Date.parse(charged.pixExpiresAt);
  await pay(bought, shop, dice);
}

/**
 * Exchanges the partner's KYC token for ours (Model 2). The partner repeats the same request until it is answered.
 */
async function vouch({ plan, ...bought }: Bought, shop: Shop): Promise<string | undefined> {
  const { cpf, scope } = plan;
  const { kernel, partner, report } = shop;
  const partnerKycToken = await kernel.outOfTime(
    vouchFor(cpf, { id: `token of ${scope}`, now: kernel.now() }),
  );
  const submitted = { cpf, partnerKycToken, personType: 'PF' as const };
  const answer = await request('SubmitKyc', { plan, ...bought }, shop, (ports, ids) =>
    submitKyc(submitted, { partner, ids }, ports).catch((error: unknown) => {
      // Invariant 7: only this request uses the token, so a refusal means that the token was spent without a record.
      if (error instanceof Refusal && error.name === 'KYC_REJECTED')
        report({ invariant: 7, says: `${scope}: a partner's token was spent without its record`, scope });
      throw error;
    }),
  );
  return (answer as { token: string } | undefined)?.token;
}

async function confirm(bought: Bought, shop: Shop, dice: Dice) {
  const { plan, transactionId = '' } = bought;
  const codeAt = (now: number) =>
    generateSync({ secret: plan.totpSecret, epoch: Math.floor(now / SECOND_MS) });
  if (dice.isBelow(0.1)) await requestCode(bought, shop, () => '000000', transactionId);
  for (let round = 0; round < 3; round++) {
    const charged = await requestCode(bought, shop, codeAt, transactionId);
    if (charged) return charged;
    await shop.kernel.wait(40 * SECOND_MS);
  }
  return undefined;
}

type Charged = { pixExpiresAt: string };

function requestCode(bought: Bought, shop: Shop, codeAt: (now: number) => string, id: string) {
  const totpCode = codeAt(shop.kernel.now());
  const { clientId, scope } = bought.plan;
  return request(`ConfirmMfa ${++shop.counts.codes}`, bought, shop, (ports, ids) => {
    const wasCharged = shop.isCharged(id);
    return confirmMfa({ id, totpCode }, { partner: shop.partner, ids }, ports).catch((error: unknown) => {
      const isWrong = error instanceof Refusal && error.name === 'MFA_INVALID_CODE';
      const isPoor = error instanceof Refusal && error.name === 'LIQUIDITY_UNAVAILABLE';
      if (isPoor) shop.counts.illiquid++;
      if (isPoor && wasCharged)
        shop.report({ invariant: 9, says: `${id}: charged, and refused for want of tokens`, scope });
      // Invariant 7: this same request brought the accepted code, and now the service calls the code wrong.
      if (isWrong && shop.lastRequestOf(clientId) === ids.request())
        shop.report({ invariant: 7, says: `${id}: an accepted code was spent without its charge`, scope });
      throw error;
    });
  }) as Promise<Charged | undefined>;
}

type Operation = (ports: InstancePorts, ids: Ids) => Promise<object>;

/**
 * Repeats a partner's request until its answer is final. Returns undefined when the answer is a refusal, or when none
 * came.
 */
export async function request(name: string, { plan }: Bought, shop: Shop, operation: Operation) {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const ended = await shop.call(name.split(' ')[0]!, plan.scope, async (ports) => {
      const run = async (ids: Ids) => success({ ...(await operation(ports, ids)) });
      const keyed = {
        key: `${plan.scope} ${name}`,
        scope: `demo POST /${name}`,
        request: { name },
        timeoutMs: API_MS,
      };
      return once(ports, keyed, (reservation) => run(idsOf(reservation)));
    });
    if (ended.end === 'DONE') {
      const { statusCode, body } = ended.output.answer;
      return statusCode === 200 ? (JSON.parse(body) as { data: unknown }).data : undefined;
    }
    const isFinal =
      ended.end === 'FAILED' &&
      ended.error instanceof Refusal &&
      ended.error.details.retryAfterSeconds === undefined;
    if (isFinal) return undefined;
    await shop.kernel.wait((2 + attempt * 5) * SECOND_MS);
  }
  return undefined;
}

/** Pays at the time that the kind of the purchase says. */
async function pay(bought: Bought, shop: Shop, dice: Dice): Promise<void> {
  const { plan, payUntil = 0 } = bought;
  const { kernel } = shop;
  if (plan.kind === 'never paid' || plan.kind === 'paid during the closing') return;
  const last = { 'paid just in time': -SECOND_MS, 'paid just too late': SECOND_MS }[plan.kind as string];
  await kernel.wait(
    last === undefined
      ? dice.within(0, dice.isBelow(0.1) ? 29 * MINUTE_MS : 5 * MINUTE_MS)
      : Math.max(0, payUntil + last - kernel.now()),
  );
  await payCharge(bought, shop);
  if (plan.kind !== 'paid twice') return;
  await kernel.wait(dice.isBelow(0.5) ? 0 : dice.within(0, 40 * MINUTE_MS));
  await payCharge(bought, shop);
}

/** Pays the charge. Some kinds pay a wrong amount or from a wrong payer. */
export async function payCharge(bought: Bought, { bank, onPaid, onPix }: Shop): Promise<void> {
  const { plan, transactionId = '' } = bought;
  const { kind, amountCentavos, cpf, otherCpf } = plan;
  const amount = kind === 'wrong amount' ? amountCentavos + (plan.index % 2 ? 1 : -1) : amountCentavos;
  const payerCpf =
    kind === 'wrong payer' || kind === 'refund refused by the provider' || kind === "another's txid"
      ? otherCpf
      : cpf;
  const ids = await bank.pay(transactionId, {
    amountBrl: decimalOf(amount, 2),
    payerCpf,
    // A bank may accept a Pix at the instant when the charge ends, or a second Pix for a paid charge.
    force: kind.startsWith('paid '),
  });
  bought.pixIds.push(...ids);
  onPix(ids, plan.scope);
  if (ids.length === 0 || bought.isPaid) return;
  bought.isPaid = true;
  await onPaid(bought);
}

async function payUnmatched(bought: Bought, { bank, onPix }: Shop, dice: Dice): Promise<void> {
  const { amountCentavos, cpf, kind } = bought.plan;
  const txid = Array.from({ length: 26 }, () => dice.within(0, 9)).join('');
  const payment = { amountBrl: decimalOf(amountCentavos, 2), payerCpf: cpf };
  const ids = await bank.payUnmatched(kind === 'no txid' ? payment : { ...payment, txid });
  bought.pixIds.push(...ids);
  onPix(ids, bought.plan.scope);
}
