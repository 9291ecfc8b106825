import { beforeEach, describe, expect, test } from 'vitest';
import type { CaseClosing, OpenReviewCase } from '../../functions/domain/screening/review-case.ts';
import { actWorld } from '../support/act-world.ts';
import { START_AT } from '../support/ports.ts';
import { anEntry, openCase } from '../support/review-cases.ts';

const HOUR_MS = 60 * 60_000;
const GONE = { at: START_AT, edition: '2098-12-30T00:00:00.000Z' };

type Row = { case: string; due: string; mark?: string; assigned?: string };
type Told = { events: object[] };
let world: ReturnType<typeof actWorld>;
beforeEach(() => {
  world = actWorld({ reviewHours: { PENDING: 4 } });
});
const opened = (changes: Partial<OpenReviewCase>) => openCase(world.ports, changes);
const listed = async (flags = {}) =>
  JSON.parse(await world.ops('ana', 'reviews list', { flags: { json: true, ...flags } })) as Row[];

// docs/operations.md, "Review cases"
describe('the queue of review cases', () => {
  test('begins with the earliest deadline, marks what is overdue, and ends with entries that are gone', async () => {
    const { ports } = world;
    const gone = await opened({ openedAt: START_AT - 9 * HOUR_MS });
    await ports.caseMarks.mark(gone.id, GONE);
    const later = await opened({ openedAt: START_AT - HOUR_MS });
    const overdue = await opened({ openedAt: START_AT - 5 * HOUR_MS });

    expect(await listed()).toMatchObject([
      { case: overdue.id, mark: 'OVERDUE', due: new Date(START_AT - HOUR_MS).toISOString() },
      { case: later.id, due: new Date(START_AT + 3 * HOUR_MS).toISOString() },
      { case: gone.id, mark: 'ENTRY_GONE' },
    ]);
    expect((await listed())[1]).not.toHaveProperty('mark');
  });

  test('marks a case about which a colleague has proposed something, until that is over', async () => {
    const { id } = await opened({ openedAt: START_AT - 5 * HOUR_MS });
    await opened({});

    const [act] = (await world.ops('ana', `reviews clear ${id}`)).split('\n');

    expect((await listed()).map(({ mark }) => mark)).toEqual(['OVERDUE, WAITS', undefined]);
    await world.ops('ana', `acts withdraw ${act}`);
    expect((await listed()).map(({ mark }) => mark)).toEqual(['OVERDUE', undefined]);
  });

  test('gives refused clients the deadline of their kind', async () => {
    const { id } = await opened({ opened: 'REJECTED' });

    expect(await listed({ rejected: true })).toMatchObject([
      { case: id, due: new Date(START_AT + 24 * HOUR_MS).toISOString() },
    ]);
  });

  test('counts the deadline of a case that is open again from its closing', async () => {
    const closing = { decidedAt: START_AT + HOUR_MS } as CaseClosing;
    await opened({ closing, openedAt: START_AT - 9 * HOUR_MS });

    expect((await listed())[0]!.due).toBe(new Date(START_AT + 5 * HOUR_MS).toISOString());
  });
});

describe('a review case', () => {
  test('shows the act about it that waits, and a colleague’s act names that, but not itself', async () => {
    const { id } = await opened({});
    const [first] = (await world.ops('ana', `reviews clear ${id}`)).split('\n');

    const waits = `reviews clear by ana, 2098-12-31 21:00:00: acts show ${first}`;
    expect(await world.ops('bia', `reviews show ${id}`)).toMatch(new RegExp(`waits +${waits}`));
    const [second] = (await world.ops('bia', `reviews confirm ${id}`)).split('\n');
    expect(await world.ops('rui', `acts show ${second}`)).toContain(`although another act waits: ${waits}`);
    expect(await world.ops('rui', `acts show ${first}`)).not.toContain('although another act');
  });

  test('is assigned, reassigned and unassigned; the audit has each, and a reviewer sees it', async () => {
    const { ports } = world;
    const { id } = await opened({});
    /** Each act has its own instant, by which the audit sorts them. */
    const ops: typeof world.ops = (...call) => {
      ports.clock.advance(1);
      return world.ops(...call);
    };

    expect(await ops('ana', `reviews assign ${id} Rui@Example.com`)).toContain(
      'assigned to rui@example.com.',
    );
    expect(await listed()).toMatchObject([{ case: id, assigned: 'rui@example.com' }]);
    await ops('ana', `reviews assign ${id} bia`);
    expect(await ops('bia', `reviews unassign ${id}`)).toContain('is assigned to nobody.');
    expect(await ops('bia', `reviews unassign ${id}`)).toBe(`The case ${id} is assigned to nobody.`);

    expect((await listed())[0]).not.toHaveProperty('assigned');
    const acts = JSON.parse(await ops('ana', 'audit list', { flags: { subject: id, json: true } })) as Told[];
    expect(acts.map(({ events: [first] }) => first)).toMatchObject([
      { who: { id: 'ana' }, before: {}, after: { assigned: 'rui@example.com' } },
      { who: { id: 'ana' }, before: { assigned: 'rui@example.com' }, after: { assigned: 'bia' } },
      { who: { id: 'bia' }, before: { assigned: 'bia' }, after: {} },
    ]);
  });

  test('is assigned to no text that is no name, by no operator, and not once it is decided', async () => {
    const { ops, ports } = world;
    const { id } = await opened({});

    expect(await ops('ana', `reviews assign ${id} <script>`)).toContain('is no operator');
    expect(await ops('ana', `reviews assign ${id} rui`, { role: 'operator' })).toContain('may not do that');
    const decision = { decidedBy: 'ana', decidedAt: START_AT, reason: 'another person' } as const;
    await ports.cases.decide(id, { status: 'CLEARED', ...decision });
    expect(await ops('ana', `reviews assign ${id} rui`)).toContain(`The case ${id} was CLEARED by ana`);
  });

  test('keeps the first of two assignments at once', async () => {
    const { ops, ports } = world;
    const { id } = await opened({});
    const meanwhile = () => ports.cases.assign(id, { now: { to: 'caio', by: 'bia', at: START_AT } });

    expect(await ops('ana', `reviews assign ${id} rui`, { meanwhile })).toBe(
      'Another person was first: caio.',
    );

    expect(await ports.cases.findCase(id)).toMatchObject({ assigned: { to: 'caio' } });
  });

  test('shows the programme of its entry, the deadline and the reviewer', async () => {
    const { ops, listed: entries } = world;
    entries.push(anEntry({ programmes: ['SDGT', 'IRGC'] }));
    const { id } = await opened({ assigned: { to: 'rui', by: 'ana', at: START_AT } });

    const shown = JSON.parse(await ops('ana', `reviews show ${id}`, { flags: { json: true } }));

    expect(shown).toMatchObject({
      programme: ['SDGT', 'IRGC'],
      assigned: expect.stringMatching(/^rui, by ana/),
      due: expect.stringMatching(/^20/),
    });
  });
});
