import { isBlockInForce, isSameRuling, type PersonBlock } from '../functions/domain/kyc/person-block.ts';
import { endOfDayInBrasilia } from '../functions/domain/time.ts';
import { personIdOf } from '../functions/logic/kyc/person-blocks.ts';
import { type Command, cpfIn, type Given, type Plan, requireText, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { liftedWords } from './money-case-lines.ts';
import type { Table } from './shown.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const fraudCommands: Command[] = [
  {
    name: 'fraud list',
    takes: '[--cpf <cpf>] [--lifted]',
    about:
      'persons who may buy at no partner: who blocked them, why, until when; --lifted: the lifted blocks',
    options: ['cpf', 'lifted'],
    run: listPersonBlocks,
  },
  {
    name: 'fraud block',
    takes: '--cpf <cpf> [--until <YYYY-MM-DD>]',
    about: 'refuses a person at all partners, to the end of that day in Brasília or until fraud lift',
    options: ['cpf', 'until'],
    needsReason: true,
    run: block,
  },
  {
    name: 'fraud lift',
    takes: '<person>',
    about: 'lets a blocked person buy again; fraud list shows the person',
    needsReason: true,
    run: lift,
  },
];

async function listPersonBlocks(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const found = await desk.personBlocks.listBlocks(given.flags.lifted ? 'LIFTED' : 'ACTIVE');
  const personId = given.flags.cpf === undefined ? undefined : await personIdOf(cpfIn(given), desk.lookup);
  const wanted = found.filter(({ id }) => personId === undefined || id === personId);
  return { ...blockTable(wanted, desk), empty: 'No person has such a block.' };
}

export function blockTable(found: readonly PersonBlock[], { clock }: Pick<Desk, 'clock'>): Table {
  const rows = found.map((each) => [each.id, ...wordsOfBlock(each, clock.now())]);
  return { head: ['person', 'block', 'end', 'case', 'lifted'], rows, empty: 'The person is not blocked.' };
}

function wordsOfBlock(found: PersonBlock, now: number): (string | undefined)[] {
  const { by, at, reason, until, caseId, lifted } = found;
  const isOver = !lifted && !isBlockInForce(found, now);
  const end = until === undefined ? 'without an end' : `${isOver ? 'over since' : 'until'} ${instant(until)}`;
  return [`BLOCKED by ${by}, ${instant(at)}: ${reason}`, end, caseId, lifted && liftedWords(lifted)];
}

async function block(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const id = await personIdOf(cpfIn(given), desk.lookup);
  const until = untilIn(given, desk);
  requireFree(await desk.personBlocks.findBlock(id), desk);
  const end = until === undefined ? 'until fraud lift' : `until ${instant(until)}`;
  return {
    subject: id,
    will: [
      `refuse the person ${id} at all partners ${end}`,
      'a purchase that is paid and not yet sent fails, and its money goes back',
    ],
    facts: { personId: id, until },
    before: {},
    after: { state: 'ACTIVE', until },
    async perform(ruling) {
      const wanted = { id, state: 'ACTIVE', ...ruling, ...(until !== undefined && { until }) } as const;
      const now = await desk.personBlocks.block(wanted);
      if (!isSameRuling(now, ruling)) requireFree(now, desk);
      return [`The person ${id} is blocked at all partners.`];
    },
  };
}

function requireFree(found: PersonBlock | undefined, { clock }: Desk): void {
  if (isBlockInForce(found, clock.now()))
    refuseOrder(`${wordsOfBlock(found, clock.now()).join(', ')}: fraud lift first.`);
}

function untilIn(given: Given, { clock }: Desk): number | undefined {
  if (given.flags.until === undefined) return undefined;
  const day = requireText(given, 'until');
  const until = /^\d{4}-\d{2}-\d{2}$/.test(day) ? endOfDayInBrasilia(day) : Number.NaN;
  if (!(until > clock.now())) misused('--until is a day to come, as 2027-12-31.');
  return until;
}

async function lift(given: Given, desk: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<person>');
  const found = await desk.personBlocks.findBlock(id);
  if (!found) refuseOrder(`No person ${id} is blocked.`);
  const { lifted, ...block } = found;
  const words = wordsOfBlock(found, desk.clock.now());
  const isDone = given.resumed && isSameRuling(lifted, given.resumed);
  if (!isBlockInForce(found, desk.clock.now()) && !isDone)
    refuseOrder(`The block is over: ${words.join(', ')}.`);
  return {
    subject: id,
    will: [`let the person ${id} buy again at all partners`, ...words.filter((word) => word !== undefined)],
    facts: { personId: id, caseId: found.caseId },
    before: block,
    after: { state: 'LIFTED' },
    isDone,
    async perform(ruling) {
      const now = await desk.personBlocks.lift(id, ruling);
      if (!isSameRuling(now?.lifted, ruling))
        refuseOrder(`Another operator was first: ${now?.lifted?.by ?? 'unknown'}.`);
      return [`The block of ${id} is lifted.`];
    },
  };
}
