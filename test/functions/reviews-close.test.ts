import { describe, expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';
import { mortalClient } from '../support/mortal-client.ts';
import { START_AT } from '../support/ports.ts';
import { anEntry, CANDIDATE, openCase } from '../support/review-cases.ts';

const GONE = { at: START_AT, edition: '2098-12-30T00:00:00.000Z' };
const SECOND = { acts: { 'reviews close': { second: { by: ['compliance'], withinHours: 24 } } } } as const;

/** Three cases: two are marked, and the entry of the third is still listed. */
async function closingWorld(changes: Parameters<typeof actWorld>[0] = {}) {
  const world = actWorld(changes);
  const { ports, listed } = world;
  listed.push(anEntry({ id: '9002' }));
  const caseOf = async (entryId: string) => {
    const { id } = await openCase(ports, { candidate: { ...CANDIDATE, entryId } });
    if (entryId !== '9002') await ports.caseMarks.mark(id, GONE);
    return id;
  };
  const [one, two, waiting] = [await caseOf('9001'), await caseOf('9003'), await caseOf('9002')];
  const statusOf = async (id: string) => (await ports.cases.findCase(id))?.status;
  const statuses = () => Promise.all([one, two, waiting].map(statusOf));
  return { ...world, one, two, waiting, statuses };
}

// docs/operations.md, "Review cases"
describe('reviews close', () => {
  test('closes all marked cases with the person, the reason and the edition, and no other', async () => {
    const { ops, statuses, ports, one, two } = await closingWorld();

    expect(await ops('ana', 'reviews close')).toBe('2 of 2 cases are CLOSED.');

    expect(await statuses()).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
    expect(await ports.cases.findCase(one)).toMatchObject({
      decidedBy: 'ana',
      reason: 'mistaken identity',
      entryGone: GONE,
    });
    const [act] = JSON.parse(await ops('ana', 'audit list', { flags: { json: true } }));
    expect(act).toMatchObject({ what: 'reviews close', subject: 'ENTRY_GONE', state: 'DONE' });
    const [first] = act.events;
    expect(first.after.closed.toSorted()).toEqual([one, two].toSorted());
    expect(first.will[0]).toContain('not in the edition 2098-12-31T00:00:00.000Z');
    expect(await ops('ana', 'reviews close')).toBe('No open case is marked ENTRY_GONE.');
  });

  test('leaves a marked case whose entry is on its list again', async () => {
    const { ops, statuses, listed } = await closingWorld();
    listed.push(anEntry({ id: '9001' }));

    expect(await ops('ana', 'reviews close')).toBe('1 of 1 cases are CLOSED.');

    expect(await statuses()).toEqual(['OPEN', 'CLOSED', 'OPEN']);
  });

  test('refuses a named case that is decided, listed or unmarked', async () => {
    const { ops, one, waiting, ports, listed } = await closingWorld();

    expect(await ops('ana', `reviews close ${one} ${waiting}`)).toContain('is on its list: clear or confirm');
    listed.splice(0);
    expect(await ops('ana', `reviews close ${waiting}`)).toContain('has no mark yet');
    await ops('ana', `reviews close ${one}`);
    expect(await ops('ana', `reviews close ${one}`)).toBe(`The case ${one} is CLOSED by ana.`);
    expect((await ports.cases.findCase(waiting))?.status).toBe('OPEN');
  });

  test('is not for an operator without that role', async () => {
    const { ops, statuses } = await closingWorld();

    expect(await ops('ana', 'reviews close', { role: 'operator' })).toContain('may not do that');

    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'OPEN']);
  });

  test('is ended by the next run, whatever call the first one died at', async () => {
    for (let call = 1; call < 60; call++) {
      const { ops, statuses, tables } = await closingWorld();
      const mortal = { ...tables, client: mortalClient(tables.client, { call, isAfter: call % 2 === 0 }) };
      const died = await ops('ana', 'reviews close', { tables: mortal }).catch((error: Error) => error);
      if (died instanceof Error) await ops('ana', 'reviews close');

      expect(await statuses(), `call ${call}`).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
      if (!(died instanceof Error)) return;
    }
    throw new Error('more calls than a closing may make');
  });
});

describe('reviews close, where the policy wants a second person', () => {
  async function proposed() {
    const world = await closingWorld(SECOND);
    const id = (await world.ops('ana', 'reviews close')).split('\n')[0]!;
    return { ...world, id, approve: (calling = {}) => world.ops('rui', `acts approve ${id}`, calling) };
  }

  test('closes the proposed cases after the approval, and none that was marked since', async () => {
    const { approve, statuses, waiting, ports, listed } = await proposed();
    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'OPEN']);
    listed.splice(0);
    await ports.caseMarks.mark(waiting, GONE);

    await approve();

    expect(await statuses()).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
  });

  test('is stale if one of the cases was decided meanwhile', async () => {
    const { approve, statuses, one, ports } = await proposed();
    const decision = { decidedBy: 'bia', decidedAt: START_AT, reason: 'another person' } as const;
    await ports.cases.decide(one, { status: 'CLEARED', ...decision });

    expect(await approve()).toContain(`is stale, and nothing is changed: The case ${one} is CLEARED`);

    expect(await statuses()).toEqual(['CLEARED', 'OPEN', 'OPEN']);
  });

  test('is done once, whatever call the approval died at', async () => {
    for (let call = 1; call < 60; call++) {
      const { approve, statuses, tables, ports, kindsOf, id } = await proposed();
      const mortal = { ...tables, client: mortalClient(tables.client, { call, isAfter: call % 2 === 0 }) };
      const died = await approve({ tables: mortal }).catch((error: Error) => error);
      ports.clock.advance(60_000);
      if (died instanceof Error) await approve();

      expect(await statuses(), `call ${call}`).toEqual(['CLOSED', 'CLOSED', 'OPEN']);
      expect((await kindsOf(id))!.at(-1)).toBe('DONE');
      if (!(died instanceof Error)) return;
    }
    throw new Error('more calls than an approval may make');
  });
});
