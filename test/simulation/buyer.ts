import { generateSync } from 'otplib';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import { decimalOf } from '../../functions/domain/money.ts';
import { cancelDuringCharge } from './canceler.ts';
import { type Dice, diceOf } from './dice.ts';
import { open, vouch } from './opening.ts';
import type { Kind, Plan } from './purchases.ts';
import { hoard, quoteFor } from './risk/quoting.ts';
import type { Told } from './risk/sale-guard.ts';
import { type Bought, request, type Shop } from './shop.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

/** Plays one buyer from the first request to the last Pix. The partner repeats a failed request with the same key. */
export async function buy(bought: Bought, shop: Shop): Promise<void> {
  const { plan } = bought;
  const dice = diceOf(shop.seed, plan.scope, 'buyer');
  await shop.kernel.wait(plan.arrivesAfterMs);
  if (plan.isFraud) blockLater(bought, shop, dice);
  if (plan.kind === 'no txid' || plan.kind === 'unknown txid') await payUnmatched(bought, shop, dice);
  const kycToken = plan.isVouchedFor ? await vouch(bought, shop) : plan.kycToken;
  if (kycToken === undefined) return;
  const used =
    plan.kind === 'hoards quotes' ? await hoard(bought, shop, dice) : await quoteFor(bought, shop, dice);
  if (used) await shop.kernel.wait(dice.within(0, 3 * MINUTE_MS));
  const opened = await open({ ...bought, kycToken }, used, shop);
  if (!opened) return;
  bought.transactionId = opened.transactionId;
  shop.onOpened(bought);
  if (plan.kind === 'never authenticated') return;
  if (plan.kind === 'blocked before the charge') await shop.block(bought);
  await shop.kernel.wait(thinkingMsOf(plan, used, shop, dice));
  const charged = await confirm(bought, shop, dice);
  if (!charged) return;
  bought.payUntil = Date.parse(charged.pixExpiresAt);
  await pay(bought, shop, dice);
}

/** The time until the code. Some codes come at the end of their quote, and some after it. */
function thinkingMsOf(plan: Plan, used: Told | undefined, shop: Shop, dice: Dice): number {
  const leftMs = used ? Date.parse(used.expiresAt) - shop.kernel.now() : 0;
  if (used && plan.quoting === 'at its end') return Math.max(1, leftMs - dice.within(0, 2 * SECOND_MS));
  if (used && plan.quoting === 'too late') return Math.max(1, leftMs + dice.within(1, 3 * MINUTE_MS));
  if (plan.kind === 'blocked before the charge') return dice.within(3 * MINUTE_MS, 8 * MINUTE_MS);
  return dice.within(1, dice.isBelow(0.05) ? 16 * MINUTE_MS : MINUTE_MS);
}

function blockLater(bought: Bought, shop: Shop, dice: Dice): void {
  const waitMs = dice.within(0, 5 * MINUTE_MS);
  shop.kernel.act(`a decision on ${bought.plan.scope}`, bought.plan.scope, async () => {
    await shop.kernel.wait(waitMs);
    await shop.block(bought);
  });
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
  const { clientId, scope, kind } = bought.plan;
  if (kind === 'canceled during the charge') cancelDuringCharge(bought, shop);
  return request(`ConfirmMfa ${++shop.counts.codes}`, bought, shop, (ports, ids) => {
    const wasCharged = shop.isCharged(id);
    return confirmMfa({ id, totpCode }, { partner: shop.partnerOf(bought.plan), ids }, ports).catch(
      (error: unknown) => {
        const isWrong = error instanceof Refusal && error.name === 'MFA_INVALID_CODE';
        const isPoor = error instanceof Refusal && error.name === 'LIQUIDITY_UNAVAILABLE';
        if (isPoor) shop.counts.illiquid++;
        if (isPoor && wasCharged)
          shop.report({ invariant: 9, says: `${id}: charged, and refused for want of tokens`, scope });
        // Invariant 7: this same request brought the accepted code, and now the service calls the code wrong.
        if (isWrong && shop.lastRequestOf(clientId) === ids.request())
          shop.report({ invariant: 7, says: `${id}: an accepted code was spent without its charge`, scope });
        throw error;
      },
    );
  }) as Promise<Charged | undefined>;
}

const NEVER_PAY: readonly Kind[] = ['never paid', 'paid during the closing', 'hoards quotes'];

/** Pays at the time that the kind of the purchase says. */
async function pay(bought: Bought, shop: Shop, dice: Dice): Promise<void> {
  const { plan, payUntil = 0 } = bought;
  const { kernel } = shop;
  if (NEVER_PAY.includes(plan.kind)) return;
  const last = { 'paid just in time': -SECOND_MS, 'paid just too late': SECOND_MS }[plan.kind as string];
  await kernel.wait(
    last === undefined
      ? dice.within(0, dice.isBelow(plan.isPatient ? 0.9 : 0.1) ? 29 * MINUTE_MS : 5 * MINUTE_MS)
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
