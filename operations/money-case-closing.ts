/**
 * Closes cases of money, and posts what a person gave back or what came back: docs/decisions.md, "The books".
 */
import {
  isAboutForeignReturn,
  isPostedLoss,
  postingsOfClosing,
} from '../functions/domain/books/case-postings.ts';
import { isClosedSo, type MoneyCase } from '../functions/domain/books/money-case.ts';
import {
  MONEY_CASE_KINDS,
  MONEY_CASE_OUTCOMES,
  type MoneyCaseOutcome,
} from '../functions/domain/books/money-case-kinds.ts';
import { getDefined } from '../functions/domain/get.ts';
import { unitsOf } from '../functions/domain/money.ts';
import { brlIn } from '../functions/domain/wording.ts';
import { findSibling } from '../functions/logic/money/money-cases.ts';
import { type Command, type Given, type Order, type Plan, requireText } from './command.ts';
import type { Desk } from './desk.ts';
import { closedWords, findRowOf } from './money-case-lines.ts';
import { isOwedOnceBack } from './money-case-owed.ts';
import { requireMoneyCase } from './money-case-search.ts';
import { misused, refuseOrder } from './words.ts';

const OUTCOMES = Object.keys(MONEY_CASE_OUTCOMES) as MoneyCaseOutcome[];

export const closeMoneyCaseCommand: Command = {
  name: 'cases close',
  takes: `<case> --outcome <${OUTCOMES.join('|')}> [--amount <BRL>]`,
  about:
    'closes a case as decided; it is not opened again, and a blocked client stays blocked: clients unblock',
  options: ['outcome', 'amount'],
  needsReason: true,
  run: closeCase,
};

async function closeCase(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireMoneyCase(given, desk);
  const { id, kind, clientId, transactionId, endToEndId, txHash, block } = found;
  const outcome = requireOutcome(requireText(given, 'outcome'));
  if (outcome === 'FRAUD') requirePerson(found);
  const isOwed = isOfMoney(outcome) && (await isOwedOnceBack(found, desk));
  if (outcome === 'RECOVERED' && isOwed) refuseOrder(OWED);
  const amountCentavos = requireClosingAmount(given, found, { outcome, isOwed });
  const closingBy = (order: Order) => ({
    ...order,
    outcome,
    ...(amountCentavos !== undefined && { amountCentavos }),
  });
  const isDone = given.resumed && found.closed && isClosedSo(found, closingBy(given.resumed));
  if (found.closed && !isDone) refuseOrder(`The case ${id} is ${closedWords(found.closed)}.`);
  await requireNotRecovered(found, outcome, desk);
  if (!isDone) await requireLeftToPersons(found, outcome, desk);
  return {
    ...(outcome === 'RETURNED_OUTSIDE' && { act: 'cases close RETURNED_OUTSIDE' as const }),
    subject: id,
    clientId,
    will: [
      `close the case ${id} (${MONEY_CASE_KINDS[kind].means})`,
      `as ${outcome}: ${MONEY_CASE_OUTCOMES[outcome]}`,
      ...(amountCentavos === undefined ? [] : postedWords(amountCentavos, found, outcome)),
      ...(outcome === 'FRAUD' ? ['block the person at all partners until fraud lift lifts that'] : []),
      'the same discrepancy opens no case again',
      ...(block === 'ACTIVE' ? ['the client stays blocked until clients unblock lifts that'] : []),
    ],
    facts: { case: id, outcome, amountCentavos, transactionId, endToEndId, txHash },
    before: { status: 'OPEN', amountCentavos: found.amountCentavos, block },
    after: { status: 'CLOSED', outcome, amountCentavos },
    isDone,
    async perform(order) {
      const closing = closingBy(order);
      await requireLeftToPersons(found, outcome, desk);
      const now = await desk.moneyCases.close(id, closing).catch(async (error: unknown) => {
        // Another operator may have closed the other case of the return since the check.
        await requireNotRecovered(found, outcome, desk);
        throw error;
      });
      if (!isClosedSo(now, closing))
        refuseOrder(`The case ${id} is ${closedWords(getDefined(now.closed, 'closing'))}.`);
      return [`The case ${id} is CLOSED as ${outcome}.`];
    },
  };
}

const OWED =
  'No tokens were sent for this payment, so the money is its payer’s. Give it back by hand, and then ' +
  'close as RETURNED_OUTSIDE.';

/**
 * Says what will be posted. A part of the money that we owe may stay owed. The text then names the rest, because no
 * other case tracks it.
 */
function postedWords(
  centavos: number,
  { kind, amountCentavos: all = centavos }: MoneyCase,
  as: string,
): string[] {
  const [amount, whole, left] = [centavos, all, all - centavos].map((each) => brlIn('en', each));
  if (centavos === all) return [`post ${amount} as ${as}`];
  const posted = `post ${amount} of ${whole} as ${as}`;
  if (!MONEY_CASE_KINDS[kind].owedTo) return [posted];
  return [posted, `leave ${left} owed to the payer in the ledger, with no case that says so`];
}

/**
 * Refuses that a person returns the money by hand while the service may still return it. The payer would be paid twice.
 * A case opens before its last try has ended, so only the row's status `FAILED` proves that the service has stopped.
 */
async function requireLeftToPersons(found: MoneyCase, outcome: MoneyCaseOutcome, desk: Desk): Promise<void> {
  if (outcome !== 'RETURNED_OUTSIDE' || isAboutForeignReturn(found)) return;
  const state = (await findRowOf(found, desk))?.refund?.status;
  if (state === 'REFUNDED') refuseOrder('The service has returned the money itself: close as EXPLAINED.');
  if (state !== 'FAILED')
    refuseOrder('The service may still return the money itself. Look again in ten minutes.');
}

function requireOutcome(text: string): MoneyCaseOutcome {
  return OUTCOMES.find((each) => each === text) ?? misused(`--outcome is one of ${OUTCOMES.join(', ')}.`);
}

function requirePerson({ kind, personId }: MoneyCase): void {
  if (kind !== 'MED_REFUND') refuseOrder(`A ${kind} says nothing about fraud.`);
  if (!personId) refuseOrder('The case names no person. Use fraud block with the CPF, and another outcome.');
}

/**
 * The amount that the closing posts, in centavos. It may not exceed the case's amount. Undefined if the closing posts
 * nothing.
 */
function requireClosingAmount(given: Given, found: MoneyCase, as: MoneyCaseOutcomeAsked): number | undefined {
  if (!isPosting(found, as)) return requireNone(given, found, as.outcome);
  const amount = unitsOf(requireText(given, 'amount'), 2);
  if (!amount) misused('--amount is an amount in BRL, as 250.00.');
  if (amount > BigInt(found.amountCentavos ?? 0)) refuseOrder('The amount is more than the case is about.');
  return Number(amount);
}

type MoneyCaseOutcomeAsked = { outcome: MoneyCaseOutcome; isOwed: boolean };

/**
 * Whether the closing writes a posting. A recovered loss is posted only if the ledger has the loss. Tokens that were
 * sent twice, for example, are a loss without a posting.
 */
function isPosting(found: MoneyCase, { outcome, isOwed }: MoneyCaseOutcomeAsked): boolean {
  if (outcome !== 'RETURNED_OUTSIDE') return outcome === 'RECOVERED' && isPostedLoss(found);
  if (isOwed || MONEY_CASE_KINDS[found.kind].owedTo) return true;
  return refuseOrder(`In a ${found.kind} nothing is owed that a person could give back by hand.`);
}

function requireNone({ flags }: Given, { kind }: MoneyCase, outcome: MoneyCaseOutcome): undefined {
  if (flags.amount === undefined) return;
  if (outcome === 'RECOVERED') refuseOrder(`The ledger has no loss of this ${kind}: leave out --amount.`);
  misused('--amount goes with --outcome RETURNED_OUTSIDE or RECOVERED.');
}

/**
 * The outcomes that may post money. With any other outcome a case can be closed even if the row of its money cannot be
 * read.
 */
const isOfMoney = (outcome: MoneyCaseOutcome) => outcome === 'RECOVERED' || outcome === 'RETURNED_OUTSIDE';

/**
 * Refuses to post recovered money a second time. One return may have two cases, and the other one may have posted it.
 */
async function requireNotRecovered(found: MoneyCase, outcome: MoneyCaseOutcome, desk: Desk): Promise<void> {
  if (!isAboutForeignReturn(found) || !isOfMoney(outcome)) return;
  const other = await findSibling(found, desk);
  if (other?.closed && postingsOfClosing(other).length > 0)
    refuseOrder(`The case ${other.id} is ${closedWords(other.closed)}. Close this one as EXPLAINED.`);
}
