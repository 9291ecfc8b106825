import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf, manifestOf, parseManifest } from '../../functions/adapters/lists/manifest.ts';
import { sanctionsLists } from '../../functions/adapters/lists/sanctions-lists.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { bucketOf, bytesOf, cguCsv, FILES, type ListedFile, ofacFile, sdnCsv } from './lists-fixtures.ts';

const MINUTE = 60_000;
const client = { cpf: '11144477735', name: 'Zeno Documentado', birthDate: '1950-01-01' };

function instanceOf(bucket: ReturnType<typeof bucketOf>) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const lists = sanctionsLists({ read: bucket.read, clock: { now: () => now } });
  const pass = (ms: number) => {
    now += ms;
  };
  return { search: () => lists.search(client), pass };
}

const without = (name: string) => FILES.filter((file) => !file.name.endsWith(name));
const withFile = (name: string, bytes: Uint8Array): ListedFile[] =>
  FILES.map((file) => (file.name === name ? { ...file, bytes } : file));

describe('the manifest', () => {
  it('is made of the digests of the bytes, and read back the same', () => {
    const manifest = manifestOf('2026-11-20', FILES);
    const sdn = FILES[0]!;

    expect(manifest.files[0]).toEqual({
      name: 'v1/sdn.csv',
      list: 'OFAC_SDN',
      sha256: createHash('sha256').update(sdn.bytes).digest('hex'),
    });
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest);
  });

  it.each(['../secret', 'a/../../b', '', 'a b', 'a\u0000', `${'a'.repeat(201)}`])(
    'refuses the file name %j',
    (name) => {
      expect(() => manifestOf('1', [{ name, list: 'UN_SC', bytes: new Uint8Array() }])).toThrow(Error);
    },
  );

  it('gives a list of one file its digest, and one of several that of the lines of sha256sum', () => {
    const [one, two] = manifestOf('1', FILES).files;
    const lines = `${one!.sha256}  v1/sdn.csv\n${two!.sha256}  v1/alt.csv\n`;

    expect(digestOf([one!])).toBe(one!.sha256);
    expect(digestOf([one!, two!])).toBe(createHash('sha256').update(lines).digest('hex'));
  });
});

describe('screening is unavailable', () => {
  const unreadable: [string, ReturnType<typeof bucketOf>][] = [
    ...FILES.map(({ name }): [string, ReturnType<typeof bucketOf>] => [
      `the manifest does not name ${name}`,
      bucketOf(without(name)),
    ]),
    ['a list has no entries', bucketOf(withFile('v1/ceis.csv', cguCsv([])))],
    ['a list has no entry that can be found', bucketOf(withFile('v1/sdn.csv', ofacFile([])))],
    ['a list is named twice', bucketOf([...FILES, { ...FILES[3]!, name: 'v1/un2.xml' }])],
    ['a file is in another format', bucketOf(withFile('v1/un.xml', Buffer.from('<html/>')))],
    ['a file was cut', bucketOf(withFile('v1/sdn.csv', FILES[0]!.bytes.subarray(0, -9)))],
  ];
  it.each(unreadable)('when %s', async (_what, bucket) => {
    await expect(instanceOf(bucket).search()).rejects.toThrow(new Unavailable('sanctions lists'));
  });

  it.each(FILES.map(({ name }) => name))('when %s is missing or altered', async (name) => {
    const bucket = bucketOf();
    bucket.objects.delete(name);
    await expect(instanceOf(bucket).search()).rejects.toThrow(Unavailable);

    bucket.objects.set(name, sdnCsv([{ id: 1, name: 'OUTRO' }]));
    await expect(instanceOf(bucket).search()).rejects.toThrow(Unavailable);
  });

  const sha256 = '0'.repeat(64);
  it.each([
    ['missing', undefined],
    ['empty', new Uint8Array()],
    ['no JSON', Buffer.from('<html>')],
    ['not UTF-8', Buffer.from([0xff])],
    ['null', bytesOf(null)],
    ['without version', bytesOf({ files: [] })],
    ['without files', bytesOf({ version: '1' })],
    ['of no files', bytesOf({ version: '1', files: [] })],
    ['of a list unknown', bytesOf({ version: '1', files: [{ name: 'a', list: 'EU', sha256 }] })],
    ['of a short digest', bytesOf({ version: '1', files: [{ name: 'a', list: 'UN_SC', sha256: '0' }] })],
  ])('when the manifest is %s', async (_what, bytes) => {
    const bucket = bucketOf();
    bucket.objects.delete('manifest.json');
    if (bytes) bucket.objects.set('manifest.json', bytes);

    await expect(instanceOf(bucket).search()).rejects.toThrow('sanctions lists is unavailable');
  });

  it('when the bucket cannot be read, with the cause for the log and nothing of the client', async () => {
    const cause = new Error('socket hang up');
    const read = () => Promise.reject(cause);
    const lists = sanctionsLists({ read, clock: { now: () => 0 } });

    const error = await lists.search(client).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ name: 'Unavailable', cause });
    expect(String(error)).not.toContain(client.cpf);
  });

  it('only as long as it lasts: the next search looks again', async () => {
    const bucket = bucketOf();
    const file = bucket.objects.get('v1/un.xml')!;
    bucket.objects.delete('v1/un.xml');
    const { search } = instanceOf(bucket);
    await expect(search()).rejects.toThrow(Unavailable);

    bucket.objects.set('v1/un.xml', file);

    expect((await search()).hits).toHaveLength(1);
  });
});

describe('an instance', () => {
  it('loads the lists once, also for searches at the same time', async () => {
    const bucket = bucketOf();
    const { search, pass } = instanceOf(bucket);

    await Promise.all([search(), search(), search()]);
    pass(5 * MINUTE - 1);
    await search();

    expect(bucket.reads).toHaveLength(1 + FILES.length);
  });

  it('reads the manifest again after 5 minutes, and the files only when it has changed', async () => {
    const bucket = bucketOf();
    const { search, pass } = instanceOf(bucket);
    await search();
    bucket.reads.length = 0;

    pass(5 * MINUTE);
    await search();
    await search();

    expect(bucket.reads).toEqual(['manifest.json']);
  });

  it('goes over to a new version within 5 minutes, and honours a delisting', async () => {
    const bucket = bucketOf();
    const { search, pass } = instanceOf(bucket);
    expect((await search()).hits).toHaveLength(1);

    const next = withFile('v1/sdn.csv', sdnCsv([{ id: 99, name: 'OUTRO, Nome' }])).map((file) => ({
      ...file,
      name: file.name.replace('v1', 'v2'),
    }));
    for (const [name, bytes] of bucketOf(next, '2026-11-21').objects) bucket.objects.set(name, bytes);
    expect((await search()).hits).toHaveLength(1);
    pass(5 * MINUTE);

    const { lists, hits } = await search();
    expect(hits).toEqual([]);
    expect(lists.every(({ version }) => version === '2026-11-21')).toBe(true);
  });

  it('does not go on with old lists when the manifest has gone', async () => {
    const bucket = bucketOf();
    const { search, pass } = instanceOf(bucket);
    await search();

    bucket.objects.delete('manifest.json');
    pass(5 * MINUTE);

    await expect(search()).rejects.toThrow(Unavailable);
  });
});
