import { describe, expect, test } from 'vitest';
import { parsePublication } from '../../functions/adapters/lists/publication.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { refreshLists } from '../../functions/schedules/refresh-lists.ts';
import { listWorld } from '../support/list-world.ts';

const HOURS_2 = 2 * 60 * 60_000;

type World = ReturnType<typeof listWorld>;
const textOf = ({ store }: World) => Buffer.from(store.objects.get('current.json')!.bytes).toString();
const publicationOf = (world: World) => parsePublication(textOf(world));

/** One set of lists is in force, and a newer one is published. */
async function withNews() {
  const world = listWorld();
  await refreshLists(world.ports);
  world.clock.advance(HOURS_2);
  await world.list('UN_SC', 'SXi.901', 'Zdravkomir Palastrovec');
  return world;
}

const added = [{ list: 'UN_SC', added: 1, removed: 0, changed: 0 }];

describe('two refreshes at once', () => {
  test('publish once, and record once', async () => {
    const world = await withNews();
    const first = publicationOf(world).version;

    const answers = await Promise.all([refreshLists(world.ports), refreshLists(world.ports)]);

    expect(answers.map(({ changes }) => changes).sort((a, b) => a.length - b.length)).toEqual([[], added]);
    expect(publicationOf(world).replaced).toBe(first);
    expect(world.records()).toHaveLength(2);
    expect(world.ports.log.lines.filter((line) => line.includes('another run'))).toHaveLength(1);
  });

  test('keep the first result, whatever the second one read', async () => {
    const world = await withNews();
    let isFirst = true;
    world.store.beforeWrite = async (name) => {
      if (name !== 'current.json' || !isFirst) return;
      isFirst = false;
      await world.list('UN_SC', 'SXi.902', 'Bogumir Testanović');
      await refreshLists(world.ports);
    };

    expect((await refreshLists(world.ports)).version).toBeUndefined();

    expect(publicationOf(world).changes).toEqual([{ ...added[0], added: 2 }]);
    const { index } = publicationOf(world);
    expect(world.store.objects.has(index.name)).toBe(true);
  });

  test('publish once if both are the first publication', async () => {
    const world = listWorld();

    await Promise.all([refreshLists(world.ports), refreshLists(world.ports)]);

    expect(world.store.written.filter((name) => name === 'current.json')).toHaveLength(1);
    expect(world.records()).toHaveLength(1);
  });
});

// docs/operations.md, "History"
test('an edition is recorded at once, although the answer to its publication is lost', async () => {
  const world = await withNews();
  const { write } = world.store;
  world.store.write = async (name, ...given) => (await write(name, ...given)) && name !== 'current.json';

  await refreshLists(world.ports);

  const { version } = publicationOf(world);
  expect(Date.parse(version)).toBe(world.clock.now());
  expect(world.records().map(({ subject }) => subject)).toContain(version);
});

describe('a refresh that breaks off', () => {
  const places = [
    ['before the first file', /^files\//],
    ['before the index', /^indexes\//],
    ['before the ids of what changed', /^changes\//],
    ['when all but the publication is written', /^current\.json$/],
  ] as const;

  test.each(places)(
    '%s leaves the lists in force unchanged, and the next one repairs it',
    async (_, place) => {
      const world = await withNews();
      const before = textOf(world);
      world.store.beforeWrite = (name) => {
        if (place.test(name)) throw new Error('the instance is gone');
      };
      await expect(refreshLists(world.ports)).rejects.toThrow('the instance is gone');
      expect(textOf(world)).toBe(before);

      world.store.beforeWrite = () => undefined;
      world.clock.advance(HOURS_2);
      expect((await refreshLists(world.ports)).changes).toEqual(added);

      const { index, lists, details } = publicationOf(world);
      const named = [
        index.name,
        details!.name,
        ...lists.flatMap(({ files }) => files.map(({ name }) => name)),
      ];
      expect(named.filter((name) => !world.store.objects.has(name))).toEqual([]);
    },
  );

  test.each([
    ['', () => Promise.resolve()],
    [', which puts others in force', (world: World) => world.list('UN_SC', 'SXi.902', 'Bogumir Testanović')],
  ])('before its record is recorded by the next one%s', async (_, news) => {
    const world = await withNews();
    const { record } = world.ports.evidence;
    const first = publicationOf(world).version;
    world.ports.evidence.record = async (evidence) => {
      if (evidence.subject !== first) throw new Error('the table is gone');
    };
    await expect(refreshLists(world.ports)).rejects.toThrow('the table is gone');
    const { version } = publicationOf(world);
    expect(world.records().map(({ subject }) => subject)).not.toContain(version);

    world.ports.evidence.record = record;
    world.clock.advance(HOURS_2);
    await news(world);
    const next = await refreshLists(world.ports);

    expect(world.records().map(({ subject }) => subject)).toEqual([
      first,
      version,
      ...(next.version === version ? [] : [next.version]),
    ]);
    expect(world.records()[1]).toMatchObject({ subject: version, findings: { changes: added } });
  });
});

describe('the publication in force', () => {
  test('is built again if this code makes another index of the same files', async () => {
    const world = await withNews();
    await world.unlist('UN_SC', 'SXi.901');
    const { revision } = world.store.objects.get('current.json')!;
    const other = publicationOf(world);
    other.index = { ...other.index, digest: 'ab'.repeat(32) };
    await world.store.write('current.json', Buffer.from(JSON.stringify(other)), revision);

    const { version, changes } = await refreshLists(world.ports);

    expect({ version, changes }).toEqual({ version: '2026-11-20T14:00:00.000Z', changes: [] });
    expect(publicationOf(world).index.digest).not.toBe(other.index.digest);
  });

  test.each([
    ['is gone', undefined],
    ['is damaged', Buffer.from('another')],
  ])('is built again under another name if its index %s', async (_, bytes) => {
    const world = listWorld();
    await refreshLists(world.ports);
    const { name } = publicationOf(world).index;
    if (bytes) world.store.objects.set(name, { bytes, revision: '"other"' });
    else world.store.objects.delete(name);
    world.clock.advance(HOURS_2);

    expect((await refreshLists(world.ports)).changes).toEqual([]);

    const { index, version } = publicationOf(world);
    expect(version).toBe('2026-11-20T14:00:00.000Z');
    expect(openIndex(world.store.objects.get(index.name)!.bytes).digest).toBe(index.digest);
    expect(world.ports.log.lines.join()).toContain('index in force is not whole');
  });

  test('stays if the file of an unavailable list was changed in the bucket', async () => {
    const world = await withNews();
    const before = textOf(world);
    await world.break({ BR_CEIS: 'DOWN' });
    const [file] = publicationOf(world).lists.find(({ list }) => list === 'BR_CEIS')!.files;
    world.store.objects.set(file!.name, { bytes: Buffer.from('another'), revision: '"other"' });

    await expect(refreshLists(world.ports)).rejects.toThrow('has another digest');

    expect(textOf(world)).toBe(before);
  });

  test('is replaced by a new list even if its files were changed in the bucket', async () => {
    const world = await withNews();
    for (const { list, files } of publicationOf(world).lists) {
      if (list !== 'UN_SC') continue;
      world.store.objects.set(files[0]!.name, { bytes: Buffer.from('another'), revision: '"other"' });
    }

    expect((await refreshLists(world.ports)).changes).toEqual([{ ...added[0], added: 13 }]);
    expect(world.ports.log.lines.join()).toContain('former list not read');
  });

  test('stays if it cannot be read: nothing is published over it', async () => {
    const world = await withNews();
    world.store.objects.set('current.json', { bytes: Buffer.from('{"version":'), revision: '"other"' });

    await expect(refreshLists(world.ports)).rejects.toThrow();

    expect(textOf(world)).toBe('{"version":');
  });
});
