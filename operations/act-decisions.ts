/** Approves and withdraws proposed acts: docs/operations.md, "Two persons". */
import { type Act, approvalOf, type Proposal, stateAt } from '../functions/domain/acts/act.ts';
import { isOneOf } from '../functions/domain/acts/act-policy.ts';
import { isSamePerson, type Operator } from '../functions/domain/acts/operator.ts';
import { isOpenAct, requireAct } from './act-list.ts';
import { type AskedAct, carryOut, isAsProposed, noteAct, orderOf, resumedPlan, withActId } from './acting.ts';
import { type Decision, type Given, type Plan, requireText } from './command.ts';
import type { Desk } from './desk.ts';
import type { Shown } from './shown.ts';
import { instant, refuseOrder } from './words.ts';

type Deciding = AskedAct & { operator: Operator };

export async function approve(given: Given, asked: AskedAct): Promise<Decision> {
  const act = await requireAct(given, asked.desk);
  return { prepare: (operator) => prepareApproval(act, { ...asked, operator }) };
}

/**
 * Checks the proposal twice: before the approving operator confirms, and again afterwards, because the tables
 * may change in between.
 */
async function prepareApproval(act: Act, deciding: Deciding) {
  const { will } = await requireUnchangedPlan(act, deciding);
  return {
    subject: act.id,
    will: [...will, `as ${act.first.who.id} proposed, because: ${act.first.reason ?? '-'}`],
    async decide(print: (shown: Shown) => void) {
      const plan = await requireUnchangedPlan(act, deciding);
      const next = await noteAct(act, { kind: approvalOf(act) ? 'RESUMED' : 'APPROVED' }, deciding);
      await carryOut(next ?? (await lost(act, deciding)), plan, { ...deciding, print });
    },
  };
}

/** Refuses the command, because another operator has decided about the act meanwhile. */
async function lost({ id }: Act, { desk }: Deciding): Promise<never> {
  const now = await desk.acts.findAct(id);
  return refuseOrder(`Another operator was first: ${now ? lastWords(now) : id}.`);
}

const lastWords = ({ id, last }: Act) => `${id} is ${last.kind} by ${last.who.id}, ${instant(last.at)}`;

/**
 * Runs the command of the proposal again, and returns the change as it would be made now. If an earlier run
 * has already made the change, returns it with `isDone`. If the change differs from the proposed one, records
 * the act as STALE and refuses the command.
 */
async function requireUnchangedPlan(act: Act, deciding: Deciding): Promise<Plan> {
  const proposal = await requireOpenProposal(act, deciding);
  await requireSecond(act, deciding);
  const plan = await resumedPlan(proposal, orderOf(act), deciding).catch((error: Error) => {
    if (error.name !== 'Refused' && error.name !== 'Misused') throw error;
    return error.message;
  });
  if (typeof plan === 'object' && (plan.isDone || isAsProposed(plan, proposal))) return plan;
  await noteAct(act, { kind: 'STALE' }, deciding);
  const why = typeof plan === 'string' ? plan : 'the state is another one.';
  return refuseOrder(`${act.id} is stale, and nothing is changed: ${why} Propose it again.`);
}

/**
 * The longest time that the run of an approved act may take. Another run of the same act is refused until
 * this time has passed since the act's last event.
 */
const RUN_MS = 60_000;

async function requireOpenProposal(act: Act, deciding: Deciding): Promise<Proposal> {
  const { first, last } = act;
  const now = deciding.desk.clock.now();
  const state = stateAt(act, now);
  if (first.kind !== 'PROPOSED') return refuseOrder(`${act.id} was one person’s: ${lastWords(act)}.`);
  if (state === 'EXPIRED' && last.kind === 'PROPOSED') {
    await noteAct(act, { kind: 'EXPIRED' }, deciding);
    refuseOrder(`${act.id} has expired, ${instant(first.expiresAt)}. Propose it again.`);
  }
  if (!isOpenAct(act, now)) refuseOrder(`${lastWords(act)}: it is over.`);
  if (approvalOf(act) && now - last.at < RUN_MS)
    refuseOrder(`${lastWords(act)}, and runs: look again in a minute.`);
  return first;
}

/**
 * Requires a person with a role that may approve the act. The author may not approve their own proposal, but
 * may resume it after another person has approved it.
 */
async function requireSecond(act: Act, { operator, desk }: Deciding): Promise<void> {
  const { name, who } = act.first;
  if (!approvalOf(act) && isSamePerson(operator, who))
    refuseOrder(`You have proposed ${act.id}: another person must approve it.`);
  const rule = await desk.policy.findRule(name);
  const wanted = rule?.second?.by ?? rule?.by ?? [];
  if (!isOneOf(operator.roles, wanted))
    refuseOrder(`${operator.id} may not do that: it is for ${wanted.join(', ')}.`);
}

export async function withdraw(given: Given, desk: Desk): Promise<Decision> {
  const act = await requireAct(given, desk);
  const reason = requireText(given, 'reason');
  return {
    async prepare(operator) {
      const deciding = { desk, operator, ask: given.ask, findCommand: async () => undefined };
      await requireOpenProposal(act, deciding);
      if (approvalOf(act)) refuseOrder(`${lastWords(act)}: it is too late.`);
      if (!isSamePerson(operator, act.first.who)) await requireSecond(act, deciding);
      return {
        subject: act.id,
        will: [`end the proposal ${act.id} (${act.first.name} ${act.first.subject}) without the change`],
        async decide(print) {
          const ended = await noteAct(act, { kind: 'WITHDRAWN', reason }, deciding);
          print(withActId(act, 'WITHDRAWN', [lastWords(ended ?? (await lost(act, deciding)))]));
        },
      };
    },
  };
}
