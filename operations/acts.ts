import {
  type Act,
  type ActEvent,
  actOf,
  approvalOf,
  type Proposal,
  stateAt,
} from '../functions/domain/acts/act.ts';
import { isOneOf } from '../functions/domain/acts/act-policy.ts';
import type { Operator } from '../functions/domain/acts/operator.ts';
import { type Asked, carryOut, isSame, note, orderOf, planOf } from './acting.ts';
import { type Command, type Decision, type Given, type Plan, textOf, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { onlyOne } from './short-ids.ts';
import type { Cell, Sheet, Shown, Table } from './shown.ts';
import { instant, refused } from './words.ts';

type Find = (name: string) => Promise<Command | undefined>;

/** `find` finds the command of a proposed act. */
export const actCommands = (find: Find): Command[] => [
  {
    name: 'acts list',
    takes: '',
    about: 'changes that wait for a second person, and those that were approved and did not end',
    run: listOpen,
  },
  {
    name: 'acts show',
    takes: '<act>',
    about: 'one act: who, who else, why, before and after, and each event',
    run: showAct,
  },
  {
    name: 'acts approve',
    takes: '<act>',
    about: 'makes the change that another person proposed, if all is still as it was then',
    run: async (given, desk) => approve(given, { desk, ask: given.ask, findCommand: find }),
  },
  {
    name: 'acts withdraw',
    takes: '<act>',
    about: 'ends a proposal without the change; its author may, and whoever may approve it',
    needsReason: true,
    run: withdraw,
  },
];

export const HEAD = ['act', 'what', 'subject', 'state', 'who', 'second', 'at', 'reason'];
const DAY_MS = 24 * 60 * 60_000;
/** A proposal waits for a week at most. An approved act that did not end is listed for a month. */
const OPEN_MS = 31 * DAY_MS;

async function listOpen(given: Given, desk: Desk): Promise<Table> {
  wordsOf(given);
  const rows = (await listOpenActs(desk)).map((act) => rowOf(act, desk.clock.now()));
  return { head: HEAD, rows, empty: 'Nothing waits for a second person.' };
}

async function listOpenActs({ acts, clock }: Desk): Promise<Act[]> {
  const now = clock.now();
  const found = actsIn(await acts.listBetween(now - OPEN_MS, now + DAY_MS));
  return found.filter((act) => isOpen(act, now));
}

const OPEN = ['PROPOSED', 'APPROVED', 'RESUMED'];
const isOpen = (act: Act, now: number) => OPEN.includes(stateAt(act, now));

/** The acts of these events, by their first event. One whose first event is not among them is left out. */
export function actsIn(events: readonly ActEvent[]): Act[] {
  const byAct = [...Map.groupBy(events, ({ act }) => act).values()];
  const found = byAct.map((some) => actOf(some.toSorted((one, other) => one.place - other.place)));
  return found.filter((act) => act !== undefined).sort((one, other) => one.first.at - other.first.at);
}

export function rowOf(act: Act, now: number): Cell[] {
  const { id, first } = act;
  const second = act.events.find(({ kind }) => kind === 'APPROVED' || kind === 'WITHDRAWN');
  return [
    ...[id, first.name, first.subject, stateAt(act, now), first.who.id],
    ...[second?.who.id, new Date(first.at), first.reason],
  ];
}

async function requireAct(given: Given, desk: Desk): Promise<Act> {
  const [text] = wordsOf(given, '<act>');
  const id = text.toUpperCase();
  const found = (await desk.acts.findAct(id)) ?? onlyOne(id, await listOpenActs(desk));
  return found ?? refused(`There is no act ${text}.`);
}

async function showAct(given: Given, desk: Desk): Promise<Sheet> {
  const act = await requireAct(given, desk);
  const { id, first, events } = act;
  const { name, subject, reason, will = [], before, after } = first;
  const until = first.kind === 'PROPOSED' ? new Date(first.expiresAt) : undefined;
  return {
    sheet: [
      ...[
        ['act', id],
        ['what', name],
        ['subject', subject],
        ['state', stateAt(act, desk.clock.now())],
      ],
      ...[['reason', reason], ['until', until], ...will.map((line) => ['will', line])],
      ...[
        ['before', JSON.stringify(before)],
        ['after', JSON.stringify(after)],
      ],
      ...events.map(({ kind, at, who, ...more }) => [
        'event',
        ...[kind, new Date(at), who.id, who.roles.join(',') || 'no role', who.principal],
        'error' in more ? more.error : undefined,
      ]),
    ],
  };
}

type Deciding = Asked & { operator: Operator };

async function approve(given: Given, asked: Asked): Promise<Decision> {
  const act = await requireAct(given, asked.desk);
  return { prepare: (operator) => prepareApproval(act, { ...asked, operator }) };
}

/** The state may change until the operator has confirmed. Therefore it is looked at twice. */
async function prepareApproval(act: Act, deciding: Deciding) {
  const { will } = await requireFresh(act, deciding);
  return {
    subject: act.id,
    will: [...will, `as ${act.first.who.id} proposed, because: ${act.first.reason ?? '-'}`],
    async decide(print: (shown: Shown) => void) {
      const plan = await requireFresh(act, deciding);
      const next = await note(act, { kind: approvalOf(act) ? 'RESUMED' : 'APPROVED' }, deciding);
      await carryOut(next ?? (await lost(act, deciding)), plan, { ...deciding, print });
    },
  };
}

/** Another operator has decided about the act meanwhile. */
async function lost({ id }: Act, { desk }: Deciding): Promise<never> {
  const now = await desk.acts.findAct(id);
  return refused(`Another operator was first: ${now ? lastWords(now) : id}.`);
}

const lastWords = ({ id, last }: Act) => `${id} is ${last.kind} by ${last.who.id}, ${instant(last.at)}`;

/** The change as it would be made now. A proposal that does not fit any more ends here. */
async function requireFresh(act: Act, deciding: Deciding): Promise<Plan> {
  const proposal = await requireOpen(act, deciding);
  await requireSecond(act, deciding);
  const plan = await planOf(proposal, orderOf(act), deciding).catch((error: Error) => {
    if (error.name !== 'Refused' && error.name !== 'Misused') throw error;
    return error.message;
  });
  if (typeof plan === 'object' && (plan.isDone || isSame(plan, proposal))) return plan;
  await note(act, { kind: 'STALE' }, deciding);
  const why = typeof plan === 'string' ? plan : 'the state is another one.';
  return refused(`${act.id} is stale, and nothing is changed: ${why} Propose it again.`);
}

/** The time that a run may take. A run that has not ended after it has died. */
const RUN_MS = 60_000;

async function requireOpen(act: Act, deciding: Deciding): Promise<Proposal> {
  const { first, last } = act;
  const now = deciding.desk.clock.now();
  const state = stateAt(act, now);
  if (first.kind !== 'PROPOSED') return refused(`${act.id} was one person’s: ${lastWords(act)}.`);
  if (state === 'EXPIRED' && last.kind === 'PROPOSED') {
    await note(act, { kind: 'EXPIRED' }, deciding);
    refused(`${act.id} has expired, ${instant(first.expiresAt)}. Propose it again.`);
  }
  if (!isOpen(act, now)) refused(`${lastWords(act)}: it is over.`);
  if (approvalOf(act) && now - last.at < RUN_MS)
    refused(`${lastWords(act)}, and runs: look again in a minute.`);
  return first;
}

/** The author may carry on what another person has approved, and approves nothing. */
async function requireSecond(act: Act, { operator, desk }: Deciding): Promise<void> {
  const { name, who } = act.first;
  if (!approvalOf(act) && operator.id === who.id)
    refused(`You have proposed ${act.id}: another person must approve it.`);
  const rule = await desk.policy.findRule(name);
  const wanted = rule?.second?.by ?? rule?.by ?? [];
  if (!isOneOf(operator.roles, wanted))
    refused(`${operator.id} may not do that: it is for ${wanted.join(', ')}.`);
}

async function withdraw(given: Given, desk: Desk): Promise<Decision> {
  const act = await requireAct(given, desk);
  const reason = textOf(given, 'reason');
  return {
    async prepare(operator) {
      const deciding = { desk, operator, ask: given.ask, findCommand: async () => undefined };
      await requireOpen(act, deciding);
      if (approvalOf(act)) refused(`${lastWords(act)}: it is too late.`);
      if (operator.id !== act.first.who.id) await requireSecond(act, deciding);
      return {
        subject: act.id,
        will: [`end the proposal ${act.id} (${act.first.name} ${act.first.subject}) without the change`],
        async decide(print) {
          const ended = await note(act, { kind: 'WITHDRAWN', reason }, deciding);
          print([lastWords(ended ?? (await lost(act, deciding)))]);
        },
      };
    },
  };
}
