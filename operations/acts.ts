import { stateAt } from '../functions/domain/acts/act.ts';
import { approve, withdraw } from './act-decisions.ts';
import { actCells, HEAD, listOpenActs, requireAct } from './act-list.ts';
import { type Command, type Given, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import type { Sheet, Table } from './shown.ts';

type Find = (name: string) => Promise<Command | undefined>;

/** The commands about acts. `find` looks up the command that a proposed act will run. */
export const actCommands = (find: Find): Command[] => [
  {
    name: 'acts list',
    takes: '',
    about: 'changes that wait for a second person, and those that were approved and did not end',
    run: listOpenProposals,
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

async function listOpenProposals(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const rows = (await listOpenActs(desk)).map((act) => actCells(act, desk.clock.now()));
  return { head: HEAD, rows, empty: 'Nothing waits for a second person.' };
}

async function showAct(given: Given, desk: Desk): Promise<Sheet> {
  const act = await requireAct(given, desk);
  const { id, first, events } = act;
  const { name, subject, reason, will = [], before, after } = first;
  const until = first.kind === 'PROPOSED' ? new Date(first.expiresAt) : undefined;
  return {
    sheet: [
      ['act', id],
      ['what', name],
      ['subject', subject],
      ['state', stateAt(act, desk.clock.now())],
      ['reason', reason],
      ['until', until],
      ...will.map((line) => ['will', line]),
      ['before', JSON.stringify(before)],
      ['after', JSON.stringify(after)],
      ...events.map(({ kind, at, who, ...more }) => [
        'event',
        kind,
        new Date(at),
        who.id,
        who.roles.join(',') || 'no role',
        who.principal,
        'error' in more ? more.error : undefined,
      ]),
    ],
  };
}
