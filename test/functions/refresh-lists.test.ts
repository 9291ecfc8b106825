import { describe, expect, test } from 'vitest';
import { parsePublication, sha256Of } from '../../functions/adapters/lists/publication.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { LIST_IDS, type ListId } from '../../functions/domain/screening/lists.ts';
import { refreshLists } from '../../functions/schedules/refresh-lists.ts';
import type { Desk } from '../../operations/desk.ts';
import { listCommands } from '../../operations/list-ages.ts';
import { type Shown, shownJson } from '../../operations/shown.ts';
import { FAULTS } from '../../sandbox/providers/lists/edits.ts';
import { listWorld } from '../support/list-world.ts';

type World = ReturnType<typeof listWorld>;
const HOURS_2 = 2 * 60 * 60_000;
const DAY = 24 * 60 * 60_000;

const publicationOf = ({ store }: World) =>
  parsePublication(Buffer.from(store.objects.get('current.json')!.bytes).toString());
const stateOf = (world: World, list: ListId) =>
  publicationOf(world).lists.find((each) => each.list === list)!;
const searchIn = (world: World, name: string) => {
  const { index } = publicationOf(world);
  const searcher = openIndex(world.store.objects.get(index.name)!.bytes);
  return searcher
    .search({ cpf: '00000000000', name, birthDate: '1970-01-01' }, '2026-11-20')
    .filter(({ score, threshold }) => score >= threshold)
    .map(({ list, entryId }) => `${list} ${entryId}`);
};

/** A world with lists in force, two hours later. */
async function refreshed() {
  const world = listWorld();
  await refreshLists(world.ports);
  world.clock.advance(HOURS_2);
  world.store.written.length = 0;
  world.ports.log.lines.length = 0;
  return world;
}

describe('the first refresh', () => {
  test('puts all lists in force under one index, and the publication last', async () => {
    const world = listWorld();

    const { version, notRefreshed } = await refreshLists(world.ports);

    expect(notRefreshed).toEqual([]);
    expect(world.store.written.at(-1)).toBe('current.json');
    const { index, lists, wallets } = publicationOf(world);
    expect(version).toBe('2026-11-20T12:00:00.000Z');
    expect(lists.map(({ list, entries }) => [list, entries > 0])).toEqual(
      LIST_IDS.map((list) => [list, true]),
    );
    const bytes = world.store.objects.get(index.name)!.bytes;
    expect(openIndex(bytes)).toMatchObject({ digest: index.digest, meta: { version } });
    expect(Object.keys(wallets)).toHaveLength(2);
  });

  test('keeps the published files, each under its digest, and archives unopened', async () => {
    const world = await refreshed();

    for (const { list, files } of publicationOf(world).lists) {
      for (const { name, sha256, file } of files) {
        const { bytes } = world.store.objects.get(name)!;
        expect(sha256Of(bytes)).toBe(sha256);
        expect(name).toBe(`files/${sha256}/${file}`);
        if (list.startsWith('BR_')) expect(Buffer.from(bytes).toString('latin1', 0, 2)).toBe('PK');
      }
    }
    expect(stateOf(world, 'BR_PEP')).toMatchObject({
      version: '2026-10',
      files: [{ file: '202610_PEP.zip' }],
    });
    expect(stateOf(world, 'UN_SC').version).toBe('2026-11-01T00:00:09.554Z');
  });

  test('publishes nothing if one list is missing', async () => {
    const world = listWorld();
    await world.break({ BR_CNEP: 'DOWN' });

    expect(await refreshLists(world.ports)).toEqual({
      version: undefined,
      changes: [],
      notRefreshed: ['BR_CNEP'],
    });

    expect(world.store.written).toEqual([]);
    expect(world.records()).toEqual([]);
    expect(world.ports.log.lines.join()).toContain('BR_CNEP');
  });
});

describe('a refresh without news', () => {
  test('writes nothing', async () => {
    const world = await refreshed();

    const { version, changes } = await refreshLists(world.ports);

    expect({ version, changes }).toEqual({ version: '2026-11-20T12:00:00.000Z', changes: [] });
    expect(world.store.written).toEqual([]);
    expect(world.records()).toHaveLength(1);
    expect(world.ports.log.lines).toEqual([]);
  });

  test('records once a day that the publishers still serve the same files', async () => {
    const world = await refreshed();
    const before = publicationOf(world);
    await world.break({ OFAC_SDN: 'DOWN' });
    world.clock.advance(DAY);

    await refreshLists(world.ports);

    const seen = (list: string) =>
      list === 'OFAC_SDN' ? '2026-11-20T12:00:00.000Z' : '2026-11-21T14:00:00.000Z';
    expect(publicationOf(world)).toEqual({
      ...before,
      lists: before.lists.map((state) => ({ ...state, fetchedAt: seen(state.list) })),
    });
    expect(world.store.written).toEqual(['current.json']);
    expect(world.records()).toHaveLength(1);
  });

  test('makes a new version for a new date of the files, and names no change', async () => {
    const world = await refreshed();
    world.clock.advance(DAY);
    world.publishersClock.advance(DAY);

    const { version, changes } = await refreshLists(world.ports);

    expect(version).toBe('2026-11-21T14:00:00.000Z');
    expect(changes).toEqual([
      { list: 'BR_CEIS', added: 0, removed: 0, changed: 0 },
      { list: 'BR_CNEP', added: 0, removed: 0, changed: 0 },
    ]);
    expect(stateOf(world, 'BR_CEIS').version).toBe('2026-11-21');
    expect(stateOf(world, 'OFAC_SDN').version).toBe('2026-11-20');
  });
});

describe('a changed list', () => {
  test('comes into force with a new index, and the others with it', async () => {
    const world = await refreshed();
    const before = publicationOf(world);
    await world.list('OFAC_SDN', '9901', 'Zdravkomir Palastrovec');

    await refreshLists(world.ports);

    const after = publicationOf(world);
    expect(after.version).toBe('2026-11-20T14:00:00.000Z');
    expect(after.replaced).toBe(before.version);
    expect(searchIn(world, 'Zdravkomir Palastrovec')).toEqual(['OFAC_SDN 9901']);
    expect(after.lists.filter(({ list }) => list !== 'OFAC_SDN')).toEqual(
      before.lists
        .filter(({ list }) => list !== 'OFAC_SDN')
        .map(({ fetchedAt: _, ...same }) => {
          return { ...same, fetchedAt: '2026-11-20T14:00:00.000Z' };
        }),
    );
  });

  test('is recorded with its changes and their ids', async () => {
    const world = await refreshed();
    await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec');
    await world.unlist('UN_SC', 'SXi.003');
    await world.unlist('BR_CEIS', '300007');

    const { changes } = await refreshLists(world.ports);

    const { details, index } = publicationOf(world);
    expect(changes).toEqual([
      { list: 'UN_SC', added: 1, removed: 1, changed: 0 },
      { list: 'BR_CEIS', added: 0, removed: 1, changed: 0 },
    ]);
    const { bytes } = world.store.objects.get(details!.name)!;
    expect(sha256Of(bytes)).toBe(details!.sha256);
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual([
      { list: 'UN_SC', change: { added: ['SXi.901'], removed: ['SXi.003'], changed: [] } },
      { list: 'BR_CEIS', change: { added: [], removed: ['300007'], changed: [] } },
    ]);
    expect(world.records().at(-1)).toMatchObject({
      subject: '2026-11-20T14:00:00.000Z',
      kind: 'lists',
      at: Date.parse('2026-11-20T14:00:00.000Z'),
      decidedBy: 'RefreshLists',
      inputs: { replaced: '2026-11-20T12:00:00.000Z' },
      findings: { changes, details },
      decision: { index: index.digest },
    });
    expect(world.ports.log.lines).toHaveLength(2);
  });

  // An edition counts only its changes against the edition before it.
  test('keeps its last change, and its instant, through later editions in which others change', async () => {
    const world = await refreshed();
    await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec');
    await refreshLists(world.ports);
    world.clock.advance(2 * DAY);
    world.publishersClock.advance(2 * DAY);
    await world.unlist('BR_CEIS', '300007');
    await refreshLists(world.ports);
    world.clock.advance(HOURS_2);

    expect(publicationOf(world).changes.map(({ list }) => list)).not.toContain('UN_SC');
    const desk = { ...world.ports, listArchive: world.ports.listArchive } as unknown as Desk;
    const given = { words: [], flags: {}, ask: async () => '' };
    const rows = shownJson((await listCommands[0]!.run(given, desk)) as Shown) as Record<string, unknown>[];
    expect(rows.find(({ list }) => list === 'UN_SC')).toMatchObject({
      'last seen': new Date('2026-11-22T14:00:00.000Z'),
      age: '2 h',
      state: 'OK',
      'last change': new Date('2026-11-20T14:00:00.000Z'),
      change: '1 added, 0 removed, 0 changed',
    });
    expect(rows.find(({ list }) => list === 'BR_CEIS')).toMatchObject({
      'last change': new Date('2026-11-22T14:00:00.000Z'),
      change: '0 added, 1 removed, 0 changed',
    });
  });

  test('names the entries with changed data', async () => {
    const world = await refreshed();
    await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec');
    await refreshLists(world.ports);
    world.clock.advance(HOURS_2);
    await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec', '1971-02-03');

    expect((await refreshLists(world.ports)).changes).toEqual([
      { list: 'UN_SC', added: 0, removed: 0, changed: 1 },
    ]);
  });
});

describe('a damaged list', () => {
  const broken = (['OFAC_SDN', 'OFAC_CONS', 'UN_SC', 'BR_CEIS', 'BR_CNEP', 'BR_PEP'] as const).flatMap(
    (list) => FAULTS.map((fault) => [list, fault] as const),
  );

  // docs/compliance.md, "The lists"
  test.each(broken)(
    '%s %s leaves the lists in force unchanged, and raises the alarm',
    async (list, fault) => {
      const world = await refreshed();
      const before = publicationOf(world);
      await world.break({ [list]: fault });

      expect((await refreshLists(world.ports)).notRefreshed).toEqual([list]);

      expect(publicationOf(world)).toEqual(before);
      expect(world.store.written).toEqual([]);
      expect(world.ports.log.lines).toEqual([expect.stringMatching(`^"list not refreshed".*"${list}"`)]);
    },
  );

  test('does not stop the refresh of other lists', async () => {
    const world = await refreshed();
    const before = stateOf(world, 'BR_CEIS');
    await world.break({ BR_CEIS: 'HALVED', BR_PEP: 'DOWN' });
    await world.list('OFAC_SDN', '9901', 'Zdravkomir Palastrovec');

    const { notRefreshed } = await refreshLists(world.ports);

    expect(notRefreshed.sort()).toEqual(['BR_CEIS', 'BR_PEP']);
    expect(searchIn(world, 'Zdravkomir Palastrovec')).toEqual(['OFAC_SDN 9901']);
    expect(stateOf(world, 'BR_CEIS')).toEqual(before);
  });

  test('is read again once it is repaired', async () => {
    const world = await refreshed();
    await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec');
    await world.break({ UN_SC: 'CUT' });
    await refreshLists(world.ports);
    expect(searchIn(world, 'Zdravkomir Palastrovec')).toEqual([]);

    await world.break({});
    await refreshLists(world.ports);

    expect(searchIn(world, 'Zdravkomir Palastrovec')).toEqual(['UN_SC SXi.901']);
  });

  test('raises the alarm at each refresh once a week has passed without a download', async () => {
    const world = await refreshed();
    await world.break({ UN_SC: 'DOWN' });
    world.clock.advance(7 * DAY);

    await refreshLists(world.ports);
    world.clock.advance(HOURS_2);
    await refreshLists(world.ports);

    const raised = world.ports.log.lines.filter((line) => line.includes('list is old'));
    expect(raised).toEqual(Array(2).fill(expect.stringContaining('UN_SC')));
  });
});

describe('a list with other entries', () => {
  /** OFAC's file with this number of its own entries, and of others. */
  function serve(world: World, own: number, others: number) {
    const row = (id: number) => `${id},"NOME, Pessoa ${id}","individual",${'-0- ,'.repeat(8)}"DOB 1966."\r\n`;
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
    const rows = [...ids(1, own), ...ids(5000, others)].map(row).join('');
    world.serve['SDN.CSV'] = Buffer.from(`${rows}\u001a`);
  }

  async function withHundred() {
    const world = listWorld();
    serve(world, 100, 0);
    await refreshLists(world.ports);
    world.clock.advance(HOURS_2);
    return world;
  }

  test.each([
    [80, 20, []],
    [79, 21, ['OFAC_SDN']],
    [100, 1100, []],
    [100, 1101, ['OFAC_SDN']],
  ])('has %i of its 100 entries and %i others', async (own, others, refused) => {
    const world = await withHundred();
    serve(world, own, others);

    expect((await refreshLists(world.ports)).notRefreshed).toEqual(refused);
    expect(stateOf(world, 'OFAC_SDN').entries).toBe(refused.length ? 100 : own + others);
  });

  test('is refused after a loss of a fifth within a month, however slow the loss is', async () => {
    const world = await withHundred();
    const counts: number[] = [];
    for (let left = 95; left > 60; left -= 5) {
      serve(world, left, 0);
      world.clock.advance(DAY);
      await refreshLists(world.ports);
      counts.push(stateOf(world, 'OFAC_SDN').entries);
    }
    expect(counts).toEqual([95, 90, 85, 80, 80, 80, 80]);

    serve(world, 75, 0);
    world.clock.advance(30 * DAY);
    expect((await refreshLists(world.ports)).notRefreshed).toEqual([]);
  });

  test('is compared with the list that an operator accepted', async () => {
    const world = await withHundred();
    serve(world, 50, 0);
    await refreshLists(world.ports, { force: ['OFAC_SDN'] });
    serve(world, 45, 0);

    expect((await refreshLists(world.ports)).notRefreshed).toEqual([]);
  });
});

describe('a list with far fewer entries', () => {
  async function halved() {
    const world = await refreshed();
    await world.break({ BR_CEIS: 'HALVED' });
    return world;
  }

  test('is accepted on an operator’s request, which is recorded', async () => {
    const world = await halved();

    const { changes } = await refreshLists(world.ports, { force: ['BR_CEIS'] });

    expect(changes).toEqual([{ list: 'BR_CEIS', added: 0, removed: 6, changed: 0, isForced: true }]);
    expect(stateOf(world, 'BR_CEIS').entries).toBe(6);
    expect(world.records().at(-1)!.findings).toMatchObject({ changes });
  });

  test('is not accepted when an operator accepts another list', async () => {
    const world = await halved();

    expect((await refreshLists(world.ports, { force: 'UN_SC' })).notRefreshed).toEqual(['BR_CEIS']);
    expect(stateOf(world, 'BR_CEIS').entries).toBe(12);
  });

  test('cannot be accepted if it cannot be read', async () => {
    const world = await refreshed();
    await world.break({ BR_CEIS: 'ALTERED' });

    expect((await refreshLists(world.ports, { force: ['BR_CEIS'] })).notRefreshed).toEqual(['BR_CEIS']);
  });

  test.each([{ force: ['CEIS'] }, { force: { list: 'BR_CEIS' } }, { force: [7] }])(
    'cannot be accepted by %j',
    async (event) => {
      const { ports, store } = await halved();

      await expect(refreshLists(ports, event)).rejects.toThrow('there is no list');
      expect(store.written).toEqual([]);
    },
  );

  test('is judged as always in the event of a schedule', async () => {
    const { ports } = await halved();

    const event = { 'detail-type': 'Scheduled Event', source: 'aws.events', detail: {} };
    expect((await refreshLists(ports, event)).notRefreshed).toEqual(['BR_CEIS']);
  });
});
