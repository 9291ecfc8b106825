import { describe, expect, it } from 'vitest';
import { PUBLICATION } from '../../functions/adapters/lists/publication.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { bytesOf, type Folder, folderOf, instanceOf } from './lists-published-fixtures.ts';
import { entry } from './screening-fixtures.ts';

const MINUTE = 60_000;
const client = { cpf: '52998224725', name: 'Zeno Fictel', birthDate: '1950-01-01' };
const listed = (id: string) => [entry({ id, name: 'FICTEL, Zeno', born: '1950-01-01' })];

const OLD = '2026-11-01T12:00:00.000Z';
const NEW = '2026-11-20T10:00:00.000Z';
const NEXT = '2026-11-20T12:02:00.000Z';

const oldFolder = () => folderOf(OLD, listed('old'));
const newFolder = () => folderOf(NEW, listed('new'));

/** The bucket after a later publication. The earlier objects stay beside it. */
function publish(bucket: Folder, next: Folder): void {
  for (const [name, bytes] of next.objects) bucket.objects.set(name, bytes);
}

async function answerOf({ lists }: ReturnType<typeof instanceOf>) {
  const { index, candidates } = await lists.search(client);
  return { ...index, found: candidates.map(({ entryId }) => entryId) };
}

const published = ({ version, digest }: Folder, found: string) => {
  return { version, digest, source: 'PUBLISHED', found: [found] };
};
const bundled = (folder: Folder, found: string) => ({ ...published(folder, found), source: 'BUNDLED' });

describe('an instance', () => {
  it('searches the published index, and names it with its content', async () => {
    const bucket = newFolder();
    const { lists, log } = instanceOf(bucket);

    const screening = await lists.search(client);

    expect(screening.index).toEqual({ version: NEW, digest: bucket.digest, source: 'PUBLISHED' });
    expect(screening.lists.map(({ list }) => list)).toEqual(LIST_IDS);
    expect(screening.candidates).toEqual([expect.objectContaining({ entryId: 'new', zone: 'HIT' })]);
    expect(log.lines).toEqual([]);
  });

  it('loads it once, also for searches at the same time', async () => {
    const bucket = newFolder();
    const { lists, clock } = instanceOf(bucket);

    await Promise.all([lists.search(client), lists.search(client), lists.findIndex()]);
    clock.advance(5 * MINUTE - 1);
    await lists.search(client);

    expect(bucket.reads).toEqual([PUBLICATION, bucket.indexName]);
  });

  it('looks again after 5 minutes, and does not read the same index again', async () => {
    const bucket = newFolder();
    const instance = instanceOf(bucket);
    await answerOf(instance);

    instance.clock.advance(5 * MINUTE);
    await answerOf(instance);
    await answerOf(instance);

    expect(bucket.reads).toEqual([PUBLICATION, bucket.indexName, PUBLICATION]);
  });

  it('uses a new publication within 5 minutes, and respects a delisting', async () => {
    const bucket = newFolder();
    const instance = instanceOf(bucket);
    expect(await answerOf(instance)).toEqual(published(bucket, 'new'));

    const next = folderOf(NEXT, []);
    publish(bucket, next);
    expect((await answerOf(instance)).found).toEqual(['new']);
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual({ ...published(next, ''), found: [] });
    expect(await instance.lists.findIndex()).toEqual({
      version: NEXT,
      digest: next.digest,
      source: 'PUBLISHED',
    });
  });

  it('names the index before the first search, without reading it', async () => {
    const bucket = newFolder();
    const { lists } = instanceOf(bucket);

    expect(await lists.findIndex()).toEqual({ version: NEW, digest: bucket.digest, source: 'PUBLISHED' });
    expect(bucket.reads).toEqual([PUBLICATION]);
  });

  // Lambda freezes an instance after each answer. An open read would then end much later, by its time-out.
  it('answers only once its reads have ended, also with slow ones', async () => {
    const bucket = newFolder();
    let open = 0;
    const read: Folder['read'] = async (name) => {
      open++;
      await new Promise((resolve) => setTimeout(resolve, 1100));
      open--;
      return bucket.read(name);
    };
    const instance = instanceOf({ read });
    await answerOf(instance);
    const next = folderOf(NEXT, listed('next'));
    publish(bucket, next);
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual(published(next, 'next'));
    expect(open).toBe(0);
    expect(instance.log.lines).toEqual([]);
  });
});

describe('if the bucket fails', () => {
  const failure = () => new Error('socket hang up');

  // docs/compliance.md, "The lists"
  it('at the first search, the copy of the deployment is used, and evidence and log say so', async () => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    bucket.failure = failure();
    const instance = instanceOf(bucket, copy);

    expect(await answerOf(instance)).toEqual(bundled(copy, 'old'));
    expect(await instance.lists.findIndex()).toMatchObject({ version: OLD, source: 'BUNDLED' });
    expect(instance.log.lines).toHaveLength(1);
    expect(instance.log.lines[0]).toContain('The published lists cannot be read');
  });

  it('the log says it once for each look, and the published index is used as soon as possible', async () => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    bucket.failure = failure();
    const instance = instanceOf(bucket, copy);
    await answerOf(instance);
    await answerOf(instance);
    instance.clock.advance(5 * MINUTE);
    await answerOf(instance);
    expect(instance.log.lines).toHaveLength(2);

    bucket.failure = undefined;
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual(published(bucket, 'new'));
    expect(instance.log.lines).toHaveLength(2);
  });

  it('later, the instance goes on with its index', async () => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    const instance = instanceOf(bucket, copy);
    await answerOf(instance);

    bucket.failure = failure();
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual(published(bucket, 'new'));
    expect(instance.log.lines).toEqual([expect.stringContaining('The published lists cannot be read')]);
  });

  it('without a deployed copy, nobody passes unsearched, and the next search looks again', async () => {
    const bucket = newFolder();
    bucket.failure = failure();
    const { lists } = instanceOf(bucket);

    const error = await lists.search(client).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Unavailable', cause: bucket.failure });
    expect(String(error)).not.toContain(client.cpf);
    await expect(lists.findIndex()).rejects.toThrow(new Unavailable('sanctions lists'));

    bucket.failure = undefined;

    expect((await lists.search(client)).candidates).toHaveLength(1);
  });

  it.each([
    ['missing', undefined],
    ['empty', new Uint8Array()],
    ['no JSON', Buffer.from('<html>')],
    ['not UTF-8', Buffer.from([0xff])],
    ['null', bytesOf(null)],
    ['of no index', bytesOf({ version: NEW, lists: [], wallets: {}, changes: [] })],
  ])('or the publication is %s, the result is the same', async (_what, bytes) => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    bucket.objects.delete(PUBLICATION);
    if (bytes) bucket.objects.set(PUBLICATION, bytes);

    expect(await answerOf(instanceOf(bucket, copy))).toEqual(bundled(copy, 'old'));
    await expect(instanceOf(bucket).lists.search(client)).rejects.toThrow(Unavailable);
  });
});

describe('if the index is not the published one', () => {
  const damages: [string, (bucket: Folder) => void][] = [
    ['is missing', (bucket) => bucket.objects.delete(bucket.indexName)],
    ['is cut', (bucket) => replace(bucket, (bytes) => bytes.slice(0, -8))],
    ['has one bit turned', (bucket) => replace(bucket, (bytes) => bytes.with(bytes.length - 9, 1))],
    ['is another, and whole', (bucket) => replace(bucket, () => indexOf(folderOf(NEXT, [])))],
    ['lacks a list', (bucket) => publish(bucket, folderOf(NEW, listed('new'), LIST_IDS.slice(1)))],
  ];

  it.each(damages)('because it %s, the copy of the deployment is used', async (_what, damage) => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    damage(bucket);
    const instance = instanceOf(bucket, copy);

    expect(await answerOf(instance)).toEqual(bundled(copy, 'old'));
    expect(await instance.lists.findIndex()).toMatchObject({ version: OLD, source: 'BUNDLED' });
    expect(instance.log.lines).toEqual([expect.stringContaining('The index of the lists cannot be used')]);
  });

  it.each(damages)('because it %s, and there is no copy, nobody passes', async (_what, damage) => {
    const bucket = newFolder();
    damage(bucket);

    await expect(instanceOf(bucket).lists.search(client)).rejects.toThrow(new Unavailable('sanctions lists'));
  });

  it('the loaded index is used until a later look finds it whole', async () => {
    const bucket = newFolder();
    const instance = instanceOf(bucket, oldFolder());
    await answerOf(instance);
    const next = folderOf(NEXT, listed('next'));
    publish(bucket, next);
    bucket.objects.delete(next.indexName);
    instance.clock.advance(5 * MINUTE);
    expect(await answerOf(instance)).toMatchObject({ version: NEW, source: 'PUBLISHED', found: ['new'] });
    expect(instance.log.lines).toHaveLength(1);

    publish(bucket, next);
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual(published(next, 'next'));
  });

  it('and the copy is damaged too, nobody passes', async () => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    bucket.objects.delete(bucket.indexName);
    replace(copy, (bytes) => bytes.slice(1));

    await expect(instanceOf(bucket, copy).lists.search(client)).rejects.toThrow(Unavailable);
  });
});

describe('the copy of the deployment', () => {
  it('is used if it is newer than the publication', async () => {
    const [bucket, copy] = [oldFolder(), newFolder()];
    const instance = instanceOf(bucket, copy);

    expect(await answerOf(instance)).toEqual(bundled(copy, 'new'));
    expect(instance.log.lines).toEqual([]);

    const next = folderOf(NEXT, listed('next'));
    publish(bucket, next);
    instance.clock.advance(5 * MINUTE);

    expect(await answerOf(instance)).toEqual(published(next, 'next'));
  });

  it('is not read if the bucket has a newer publication', async () => {
    const copy = oldFolder();
    await answerOf(instanceOf(newFolder(), copy));

    expect(copy.reads).toEqual([PUBLICATION]);
  });

  it('may be damaged without an effect on requests, and the log says so', async () => {
    const [bucket, copy] = [newFolder(), oldFolder()];
    copy.objects.set(PUBLICATION, Buffer.from('{'));
    const instance = instanceOf(bucket, copy);

    expect(await answerOf(instance)).toEqual(published(bucket, 'new'));
    expect(instance.log.lines).toEqual([
      expect.stringContaining('The lists of the deployment cannot be read'),
    ]);
  });
});

const indexOf = (folder: Folder) => folder.objects.get(folder.indexName)!;

function replace(folder: Folder, change: (bytes: Uint8Array) => Uint8Array): void {
  folder.objects.set(folder.indexName, change(indexOf(folder)));
}
