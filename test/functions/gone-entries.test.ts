import { beforeEach, describe, expect, test } from 'vitest';
import { refreshLists } from '../../functions/schedules/refresh-lists.ts';
import { listWorld } from '../support/list-world.ts';
import { openPorts } from '../support/ports.ts';
import { CANDIDATE, openCase } from '../support/review-cases.ts';

const HOURS_2 = 2 * 60 * 60_000;

/** Two open cases, of an entry that can leave the list and of one that stays. */
async function openWorld() {
  const world = listWorld();
  await world.list('OFAC_SDN', '9901', 'Zdravkomir Palastrovec');
  await world.list('OFAC_SDN', '9902', 'Bogumir Testanović');
  await refreshLists(world.ports);
  const stores = openPorts(world.tables);
  const caseOf = async (entryId: string) =>
    (await openCase(stores, { candidate: { ...CANDIDATE, entryId } })).id;
  const [leaving, staying] = [await caseOf('9901'), await caseOf('9902')];
  const refresh = () => {
    world.clock.advance(HOURS_2);
    return refreshLists(world.ports);
  };
  const markOf = async (id: string) => {
    const found = await stores.cases.findCase(id);
    return found && 'entryGone' in found ? found.entryGone : undefined;
  };
  return { ...world, ...stores, leaving, staying, refresh, markOf };
}

let world: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  world = await openWorld();
});

// docs/operations.md, "Review cases"
describe('a refresh', () => {
  test('marks the open case whose entry has left its list, once, and no other', async () => {
    const { leaving, staying, markOf, refresh } = world;
    await world.unlist('OFAC_SDN', '9901');

    const { version } = await refresh();
    const mark = await markOf(leaving);
    await refresh();

    expect(mark).toEqual({ at: Date.parse(version!), edition: version });
    expect(await markOf(leaving)).toEqual(mark);
    expect(await markOf(staying)).toBeUndefined();
  });

  test('takes the mark away when the entry has returned', async () => {
    const { leaving, markOf, refresh } = world;
    await world.unlist('OFAC_SDN', '9901');
    await refresh();
    await world.list('OFAC_SDN', '9901', 'Zdravkomir Palastrovec');

    await refresh();

    expect(await markOf(leaving)).toBeUndefined();
  });

  test('leaves the mark to the next one if it dies after the publication', async () => {
    const { leaving, markOf, refresh, ports } = world;
    await world.unlist('OFAC_SDN', '9901');
    const { mark } = ports.caseMarks;
    ports.caseMarks.mark = () => Promise.reject(new Error('the instance is gone'));
    await expect(refresh()).rejects.toThrow('the instance is gone');
    expect(await markOf(leaving)).toBeUndefined();

    ports.caseMarks.mark = mark;
    await refresh();

    expect(await markOf(leaving)).toBeDefined();
  });

  test('marks nothing by a list that it did not put in force', async () => {
    const { leaving, markOf, refresh } = world;
    await world.unlist('OFAC_SDN', '9901');
    await world.break({ OFAC_SDN: 'DOWN' });

    await refresh();

    expect(await markOf(leaving)).toBeUndefined();
  });

  test('leaves a decided case as it is', async () => {
    const { leaving, markOf, refresh, cases } = world;
    const decision = { decidedBy: 'ana', decidedAt: 1, reason: 'another person' } as const;
    await cases.decide(leaving, { status: 'CLEARED', ...decision });
    await world.unlist('OFAC_SDN', '9901');

    await refresh();

    expect(await markOf(leaving)).toBeUndefined();
  });
});
