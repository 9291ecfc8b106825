/**
 * Describes each part of a purchase in one line, such as its KYC check, its payment and its transfer. A line
 * tells how far the part is, and the ids under which an operator finds more.
 */
import { assetAmountOf } from '../assets.ts';
import { brlIn } from '../wording.ts';
import { MFA_ATTEMPTS } from './challenge.ts';
import { answerWords } from './story-causes.ts';
import type { DeskFacts, StoryWebhook } from './story-facts.ts';
import { triesIn, walletWords } from './story-records.ts';
import type { Transaction } from './transaction.ts';

/** `at` is an instant of the part, such as when a Pix was paid or found, or when the last try was made. */
export type StoryPart = { name: string; text: string; at?: number };

export function storyParts(facts: DeskFacts): StoryPart[] {
  const { transaction, unmatched, webhooks, cases } = facts;
  return [
    kyc(facts),
    challenge(transaction),
    payment(facts),
    walletCheck(facts),
    transfer(facts),
    refundPart(transaction),
    ...unmatched.map(({ id, refund: { status }, amountCentavos, foundAt: at }) => ({
      name: 'other Pix',
      text: `${brlIn('en', amountCentavos)}, ${id}, return ${status}`,
      at,
    })),
    ...(webhooks.length > 0 ? webhooks.map(webhook) : [noWebhooks(transaction)]),
    ...cases.map(({ id, isOpen, openedAt: at }) => ({
      name: 'case',
      text: `${id}, ${isOpen ? 'open' : 'decided'}`,
      at,
    })),
    execution(facts),
  ];
}

function kyc({ record, transaction: { riskTier, model } }: DeskFacts): StoryPart {
  const name = 'KYC';
  if (!record) return { name, text: `tier ${riskTier}, model ${model}; the record is no longer kept` };
  const { status, reason, unanswered = [], openPairs = [], decidedAt, issuedAt } = record;
  const words = [
    reason ? `${status}, ${reason}` : status,
    `tier ${riskTier}, model ${model}`,
    ...unanswered.map((source) => `no answer of ${source}`),
    ...(openPairs.length > 0 ? ['waits for a reviewer'] : []),
  ];
  return { name, text: words.join('; '), at: decidedAt ?? issuedAt };
}

function challenge({ challenge: { type }, mfaAttempts, liveness, pix, history }: Transaction): StoryPart {
  const name = 'challenge';
  const at = history.find(({ status }) => status === 'AWAITING_PIX')?.at;
  const passed = pix ? 'passed' : 'not passed';
  if (type === 'LIVENESS') return { name, text: `face, ${passed}, attempt ${liveness?.attempt ?? 1}`, at };
  return { name, text: `code, ${passed}, ${mfaAttempts} of ${MFA_ATTEMPTS} tries used`, at };
}

function payment({ transaction: { payment: paid, pix }, evidence }: DeskFacts): StoryPart {
  const name = 'payment';
  if (!paid) return { name, text: pix ? 'none; the charge is issued' : 'none; there is no charge' };
  const check = evidence.findLast((each) => each.kind === 'payment');
  const checked = check ? `${check.decision.outcome}, payer ${check.findings.payer}` : 'not yet checked';
  return {
    name,
    text: `${brlIn('en', paid.amountCentavos)}, ${paid.endToEndId}; ${checked}`,
    at: paid.paidAt,
  };
}

function walletCheck({ evidence, transaction: { walletAddress } }: DeskFacts): StoryPart {
  const name = 'wallet check';
  const check = evidence.findLast((each) => each.kind === 'wallet');
  if (!check) return { name, text: `none of ${walletAddress}` };
  return { name, text: `${walletWords(check)}; ${walletAddress}, by ${check.decidedBy}`, at: check.at };
}

function transfer({ transfer: found, transaction }: DeskFacts): StoryPart {
  const name = 'transfer';
  if (!found) return { name, text: 'none' };
  const { state, wallet, nonce, tries, attempts = [], cancel, confirmedAt, blockNumber } = found;
  const last = attempts.at(-1);
  const hash = transaction.txHash ?? found.txHash ?? last?.hash;
  const words = [
    `${state}, ${assetAmountOf(transaction.asset, transaction.quote.assetUnits)} ${transaction.asset}`,
    ...(hash ? [hash] : []),
    ...(blockNumber === undefined ? [] : [`block ${blockNumber}`]),
    ...(wallet ? [`nonce ${nonce} of ${wallet}`] : []),
    ...(cancel ? [`a cancel was asked for: ${cancel.reason}`] : []),
    ...(tries.length > 0 ? [`failed tries: ${tries.join(', ')}`] : []),
  ];
  return { name, text: words.join('; '), at: confirmedAt ?? last?.at };
}

function refundPart({ refund: owed, failure }: Transaction): StoryPart {
  const name = 'refund';
  if (!owed) return { name, text: failure ? 'none is owed' : 'none' };
  const { status, amountCentavos, tries } = owed;
  const times = tries ? `, ${triesIn(tries)}` : '';
  const at = owed.status === 'REFUNDED' ? owed.refundedAt : undefined;
  return { name, text: `${status}, ${brlIn('en', amountCentavos)}${times}`, at };
}

function webhook({ type, delivery }: StoryWebhook): StoryPart {
  const { endpointId, status, attempts, lastStatusCode, tried } = delivery;
  const last = attempts > 0 ? `, ${triesIn(attempts)}, ${answerWords(lastStatusCode)}` : ', not tried yet';
  return { name: 'webhook', text: `${type} to ${endpointId}: ${status}${last}`, at: tried?.at(-1)?.at };
}

/**
 * The line of a purchase that has no webhooks. An erasure also erases the events of the purchase and their
 * deliveries, so the line then says that they were erased.
 */
const noWebhooks = ({ erasedAt }: Transaction): StoryPart => ({
  name: 'webhooks',
  text: erasedAt === undefined ? 'none' : 'erased on request',
  at: erasedAt,
});

function execution({ visit }: DeskFacts): StoryPart {
  const name = 'execution';
  if (!visit) return { name, text: 'not read' };
  const { status, step, enteredAt: at } = visit;
  return { name, text: [visit.name, status, step].filter(Boolean).join(', '), at };
}
