/** Takes back the wrong confirmation of a review case: docs/operations.md, "Review cases". */
import { isDecided, isDecidedSo, type ReviewCase } from '../functions/domain/screening/review-case.ts';
import { decidedWords, reviewCaseFacts } from './case-lines.ts';
import { requireCase } from './case-search.ts';
import type { Command, Given, Order, Plan } from './command.ts';
import type { Desk } from './desk.ts';
import { refuseOrder } from './words.ts';

export const undoCommand: Command = {
  name: 'reviews undo',
  takes: '<case>',
  about: 'takes back a wrong confirmation: the next submission may pass; refused tokens and refunds stay',
  needsReason: true,
  run: undoConfirmation,
};

async function undoConfirmation(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireCase(given, desk);
  const { id, clientId } = found;
  const clearedBy = ({ by, at, reason }: Order) =>
    ({ status: 'CLEARED', decidedBy: by, decidedAt: at, reason }) as const;
  const isDone = given.resumed && isDecided(found) && isDecidedSo(found, clearedBy(given.resumed));
  const undone = isDone ? found.undone : confirmationIn(found);
  if (!undone) return refuseOrder(notConfirmed(found));
  return {
    subject: id,
    clientId,
    will: [...WILL, ...(await stillConfirmed(found, desk))],
    facts: reviewCaseFacts(found),
    before: undone,
    after: { status: 'CLEARED' },
    isDone,
    async perform(order) {
      const decision = clearedBy(order);
      const now = await desk.cases.undo(id, { ...decision, undone });
      if (!isDecided(now) || !isDecidedSo(now, decision)) refuseOrder(notConfirmed(now));
      return [`The case ${id} is CLEARED. Ask the partner to submit the client again.`];
    },
  };
}

const WILL = [
  'record that the client is not the listed person, while both stay the same',
  'the next submission is not refused for this entry; if the entry has changed, it opens a new case',
  'what was refused stays so: the tokens, and the purchases that failed and were refunded',
  'blocks of fraud and of payments that banks took back stay, and so does the tier',
];

function confirmationIn(found: ReviewCase) {
  if (found.status !== 'CONFIRMED') return undefined;
  const { status, decidedBy, decidedAt, reason } = found;
  return { status, decidedBy, decidedAt, reason };
}

const notConfirmed = (found: ReviewCase): string =>
  isDecided(found) ? decidedWords(found) : `The case ${found.id} is OPEN: clear or confirm it.`;

/** The client's other confirmed cases. Each of them still refuses the client. */
async function stillConfirmed({ id, clientId }: ReviewCase, { cases }: Desk): Promise<string[]> {
  const others = (await cases.listDecidedOf(clientId)).filter((each) => each.id !== id);
  return others
    .filter(({ status }) => status === 'CONFIRMED')
    .map((each) => `the client stays refused for the case ${each.id}, which is CONFIRMED, too`);
}
