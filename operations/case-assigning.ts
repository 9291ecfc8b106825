/** Assigns review cases to reviewers. */
import {
  type CaseAssignee,
  isDecided,
  type OpenReviewCase,
} from '../functions/domain/screening/review-case.ts';
import { decidedWords } from './case-lines.ts';
import { findCaseByText } from './case-search.ts';
import { type Command, type Given, type Plan, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { misused, refuseOrder } from './words.ts';

export const assignCommands: Command[] = [
  {
    name: 'reviews assign',
    takes: '<case> <operator>',
    about: 'names the person who shall decide the case; anybody else may still decide it',
    run: async (given, desk) => {
      const [id, operator] = requireWords(given, '<case>', '<operator>');
      return assigningPlan(await requireOpenCase(id, desk), requireOperatorName(operator), { given, desk });
    },
  },
  {
    name: 'reviews unassign',
    takes: '<case>',
    about: 'takes the assignment of a case away',
    run: async (given, desk) => {
      const [id] = requireWords(given, '<case>');
      const found = await requireOpenCase(id, desk);
      if (!found.assigned && !given.resumed) refuseOrder(`The case ${found.id} is assigned to nobody.`);
      return assigningPlan(found, undefined, { given, desk });
    },
  },
];

/** The name of a person, as the sign-in gives it: an e-mail address or a user's name. */
function requireOperatorName(text: string): string {
  if (!/^[\w+=,.@-]{1,64}$/.test(text)) misused(`${text} is no operator: write the name as acts show it.`);
  return text.toLowerCase();
}

async function requireOpenCase(id: string, desk: Desk): Promise<OpenReviewCase> {
  const found = await findCaseByText(id, desk);
  return isDecided(found) ? refuseOrder(decidedWords(found)) : found;
}

type Calling = { given: Given; desk: Desk };

function assigningPlan(found: OpenReviewCase, to: string | undefined, { given, desk }: Calling): Plan {
  const { id, clientId, assigned: was } = found;
  const whom = to ?? 'nobody';
  return {
    subject: id,
    clientId,
    will: [`assign the case ${id} to ${whom}`, ...(was ? [`instead of ${was.to}`] : [])],
    facts: { case: id, to },
    before: { assigned: was?.to },
    after: { assigned: to },
    isDone: given.resumed !== undefined && was?.to === to,
    async perform({ by, at }) {
      const now: CaseAssignee | undefined = to === undefined ? undefined : { to, by, at };
      const saved = await desk.cases.assign(id, { was, now });
      if (isDecided(saved)) refuseOrder(decidedWords(saved));
      if (saved.assigned?.to !== to)
        refuseOrder(`Another person was first: ${saved.assigned?.to ?? 'nobody'}.`);
      return [`The case ${id} is assigned to ${whom}.`];
    },
  };
}
