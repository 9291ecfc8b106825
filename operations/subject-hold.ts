import type { LitigationHold } from '../functions/domain/kyc/litigation-hold.ts';
import type { EndingRow } from '../functions/domain/kyc/litigation-hold-ports.ts';
import { isSameRuling } from '../functions/domain/kyc/person-block.ts';
import { type EndingTable, RETENTION } from '../functions/domain/retention.ts';
import { type Command, cpfAsked, type Given, type Plan, requireWords } from './command.ts';
import { type DataSubject, readDataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { liftedWords } from './money-case-lines.ts';
import type { Cell, Table } from './shown.ts';
import { freeArchive, holdArchive } from './subject-archive.ts';
import { SUBJECT_KINDS } from './subject-fields.ts';
import { readSubjectRows, type SubjectRows } from './subject-rows.ts';
import { instant, refuseOrder } from './words.ts';

export const holdCommands: Command[] = [
  {
    name: 'subject holds',
    takes: '',
    about: 'persons whose data may not end: who ordered that, when and why',
    run: listHolds,
  },
  {
    name: 'subject hold',
    takes: '[--cpf <cpf>]',
    about: 'keeps all rows about a person until subject release; asks for the CPF; again: renews the hold',
    options: ['cpf'],
    needsReason: true,
    run: holdSubject,
  },
  {
    name: 'subject release',
    takes: '<person>',
    about: 'gives the rows about a person their own end back; subject holds shows the person',
    needsReason: true,
    run: release,
  },
];

async function listHolds(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const partners = (await desk.register.listPartners()).length;
  return { ...holdTable(await desk.litigationHolds.listHeld(), partners), empty: 'No person is held.' };
}

/** Shows the holds of persons. `partners` is the number of all partners. */
export function holdTable(held: readonly LitigationHold[], partners: number): Table {
  const rows = held.map((hold) => rowOfHold(hold, partners));
  const head = ['person', 'since', 'who', 'partners', 'reason'];
  return { head, rows, empty: 'The person is not held.' };
}

/**
 * Shows one hold. A partner that was created after the hold is not covered by it, so the row then says to renew the
 * hold.
 */
function rowOfHold({ personId, at, by, clientIds, reason }: LitigationHold, partners: number): Cell[] {
  const covered = clientIds.length < partners ? `${clientIds.length} of ${partners}: renew it` : 'all';
  return [personId, new Date(at), by, covered, reason];
}

async function holdSubject(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const subject = await readDataSubject(await cpfAsked(given, 'CPF: '), desk);
  const { personId } = subject;
  const known = await desk.litigationHolds.findHold(personId);
  const isHeld = known?.state === 'HELD';
  return {
    subject: personId,
    will: [
      `let no row about the person ${personId} end, at any partner, until subject release`,
      'put a legal hold on the archived objects that name the person',
      ...(isHeld ? [`renew the hold by ${known.by} of ${instant(known.at)}`] : []),
    ],
    facts: { personId },
    before: { state: known?.state },
    after: { state: 'HELD' },
    async perform(ruling) {
      const now = await desk.litigationHolds.hold({ ...subject, state: 'HELD', ...ruling });
      const count = await parkAll(now, desk);
      const objects = await holdArchive(now, desk);
      return [
        `The person ${personId} is held since ${instant(now.at)}: ${count} rows lost their end now.`,
        `${objects} objects of the archive have a legal hold.`,
      ];
    },
  };
}

async function parkAll({ personId, clientIds }: DataSubject, desk: Desk): Promise<number> {
  const ending = endingOf(await readSubjectRows({ personId, clientIds }, desk)).filter(
    ({ row }) => row.ttl !== undefined,
  );
  for (const { table, row } of ending) await desk.litigationHolds.park(personId, table, row);
  return ending.length;
}

type Ending = { table: EndingTable; row: EndingRow };

/** The rows of every kind that DynamoDB deletes after a time. A kind that is kept for ever is left out. */
function endingOf({ rows }: SubjectRows): Ending[] {
  return SUBJECT_KINDS.flatMap((kind) => {
    const { table, life } = RETENTION[kind];
    if (life === 'FOR_EVER') return [];
    return rows[kind].map((row) => ({ table, row: row as EndingRow }));
  });
}

async function release(given: Given, desk: Desk): Promise<Plan> {
  const [personId] = requireWords(given, '<person>');
  const found =
    (await desk.litigationHolds.findHold(personId)) ?? refuseOrder(`No person ${personId} is held.`);
  const isOurs = given.resumed !== undefined && isSameRuling(found.freed, given.resumed);
  if (found.state === 'FREED' && !isOurs)
    refuseOrder(`The person is free: ${found.freed ? liftedWords(found.freed) : '-'}.`);
  const { by, at, reason } = found;
  return {
    subject: personId,
    will: [
      `give all rows about the person ${personId} their own end back, and lift the archive’s legal holds`,
      `held by ${by} since ${instant(at)}: ${reason}`,
    ],
    facts: { personId },
    before: { state: 'HELD', at },
    after: { state: 'FREED' },
    async perform(ruling) {
      const now = await desk.litigationHolds.free(personId, ruling);
      if (!isSameRuling(now?.freed, ruling))
        refuseOrder(`Another operator was first: ${now?.freed?.by ?? 'unknown'}.`);
      return [
        `The person ${personId} is free: ${await restoreAll(found, desk)} rows have their own end again.`,
        `${await freeArchive(found, desk)} objects of the archive lost their legal hold.`,
      ];
    },
  };
}

async function restoreAll({ personId, clientIds }: LitigationHold, desk: Desk): Promise<number> {
  const held = endingOf(await readSubjectRows({ personId, clientIds }, desk)).filter(
    ({ row }) => row.heldTtl !== undefined,
  );
  for (const { table, row } of held) await desk.litigationHolds.restore(personId, table, row);
  return held.length;
}
