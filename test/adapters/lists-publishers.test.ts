import { describe, expect, it } from 'vitest';
import { firstPublication } from '../../functions/adapters/lists/publish.ts';
import { listPublishers } from '../../functions/adapters/lists/publishers.ts';
import { newestPeriods, periodsBefore } from '../../functions/adapters/lists/publishers-portal.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { LIST_IDS, type ListId } from '../../functions/domain/screening/lists.ts';
import { simulatorLists } from '../../infra/sandbox.ts';
import { listWorld } from '../support/list-world.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const sources = simulatorLists('http://simulators');
type Handle = (url: string) => Response | undefined | Promise<Response | undefined>;

/** The simulated publishers. `handle` replaces some of them. */
function publishers(handle: Handle = () => undefined, fewest: Partial<Record<ListId, number>> = {}) {
  const { app } = listWorld();
  const asked: string[] = [];
  const get = (async (input, init) => {
    const url = String(input);
    asked.push(url.replace('http://simulators/lists/', ''));
    return (await handle(url)) ?? app.request(url, init);
  }) as typeof fetch;
  const options = { fetch: get, clock: { now: () => now }, timeoutMs: 20_000 };
  const all = { ...sources, fewest: { ...sources.fewest, ...fewest } };
  return { ...listPublishers({ ...options, sources: all }), asked };
}

describe('a list', () => {
  it.each([
    ['OFAC_SDN', '2026-11-20', ['SDN.CSV', 'ALT.CSV', 'SDN_COMMENTS.CSV']],
    ['OFAC_CONS', '2026-11-20', ['CONS_PRIM.CSV', 'CONS_ALT.CSV', 'CONS_COMMENTS.CSV']],
    ['UN_SC', '2026-11-01T00:00:09.554Z', ['consolidated.xml']],
    ['BR_CEIS', '2026-11-20', ['20261120_CEIS.zip']],
    ['BR_CNEP', '2026-11-20', ['20261120_CNEP.zip']],
    ['BR_PEP', '2026-10', ['202610_PEP.zip']],
  ] as const)('%s of %s is %j', async (list, version, names) => {
    const found = await publishers().download(list);

    expect(found).toMatchObject({ list, version });
    expect(found.files.map(({ file }) => file)).toEqual(names);
  });

  it('of one file has the file’s digest, of several files one over all', async () => {
    const [un, ofac] = await Promise.all([publishers().download('UN_SC'), publishers().download('OFAC_SDN')]);

    expect(un.sha256).toBe(un.files[0]!.sha256);
    expect(ofac.files.map(({ sha256 }) => sha256)).not.toContain(ofac.sha256);
  });

  it('of the United Nations without its time of generation is refused', async () => {
    const plain = () => new Response('<CONSOLIDATED_LIST></CONSOLIDATED_LIST>');

    await expect(publishers(plain).download('UN_SC')).rejects.toThrow('when it was generated');
  });

  it.each([
    ['2026-11-21T12:00:00Z', true],
    ['2026-11-21T12:00:01Z', false],
    ['2026-13-45T00:00:00Z', false],
  ])('of the United Nations generated at %s is accepted: %s', async (generated, isHad) => {
    const file = () => new Response(`<CONSOLIDATED_LIST dateGenerated="${generated}"></CONSOLIDATED_LIST>`);

    const had = publishers(file)
      .download('UN_SC')
      .then(
        ({ version }) => version === generated,
        () => false,
      );
    expect(await had).toBe(isHad);
  });

  it('takes at most three times as long as a file may, however many places are tried', async () => {
    const asked: string[] = [];
    const slow = (async (input, init) => {
      init?.signal?.throwIfAborted();
      asked.push(String(input));
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      return new Response('no', { status: 404 });
    }) as typeof fetch;
    const { download } = listPublishers({
      fetch: slow,
      clock: { now: () => now },
      timeoutMs: 2_000,
      sources,
    });

    const error = await download('BR_CEIS').catch((thrown) => thrown);

    expect(error).toBeInstanceOf(Unavailable);
    expect(error.cause.message).toBe('it takes too long');
    expect(asked).toHaveLength(4);
  });

  it('of OFAC with a missing file does not exist', async () => {
    const { download } = publishers((url) =>
      url.endsWith('/ALT.CSV') ? new Response('no', { status: 404 }) : undefined,
    );

    await expect(download('OFAC_SDN')).rejects.toThrow(Unavailable);
  });
});

describe('the newest file of the portal', () => {
  const page = '/download-de-dados/';
  const isPage = (url: string) => /download-de-dados\/\w+$/.test(url);
  const archive = 'PK archive';

  it('is the one that the page names', async () => {
    const { download, asked } = publishers();

    await download('BR_CEIS');

    expect(asked).toEqual([
      'portal/download-de-dados/ceis',
      'portal/download-de-dados/ceis/20261120',
      'portal/files/20261120_CEIS.zip',
    ]);
  });

  it.each([
    ['is down', () => new Response('no', { status: 503 })],
    ['names none', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ])('is searched back to three days before if the page %s', async (_, answer) => {
    const { download, asked } = publishers((url) => {
      if (isPage(url)) return answer();
      return url.endsWith(`${page}ceis/20261117`) ? new Response(archive) : new Response('', { status: 403 });
    });

    expect(await download('BR_CEIS')).toMatchObject({ version: '2026-11-17' });
    expect(asked.slice(1)).toEqual(
      ['20261120', '20261119', '20261118', '20261117'].map((day) => `portal${page}ceis/${day}`),
    );
  });

  it('does not exist if none of the days has one', async () => {
    const { download } = publishers((url) => (isPage(url) ? undefined : new Response('', { status: 403 })));

    await expect(download('BR_CEIS')).rejects.toThrow(Unavailable);
  });

  it('is searched in earlier months for exposed persons', async () => {
    const { download } = publishers((url) => {
      if (isPage(url)) return new Response('', { status: 500 });
      return url.endsWith(`${page}pep/202609`) ? new Response(archive) : new Response('', { status: 404 });
    });

    expect(await download('BR_PEP')).toMatchObject({
      version: '2026-09',
      files: [{ file: '202609_PEP.zip' }],
    });
  });

  it('is the latest of several on the page, in any order and spacing', () => {
    const entries = [
      'arquivos.push({"ano" : "2026", "mes" : "09", "dia" : "30", "origem" :  "CEIS"});',
      'arquivos.push( { "ano":"2026","mes":"10","dia":"02","origem":"CEIS" } )',
      'arquivos.push({"ano" : "2025", "mes" : "12", "dia" : "31", "origem" :  "CEIS"});',
    ].join('\n');

    expect(newestPeriods('CEIS', entries)).toEqual(['2026-10-02']);
    expect(newestPeriods('PEP', 'arquivos.push({"ano" : "2026", "mes" : "08", "dia" : ""});')).toEqual([
      '2026-08',
    ]);
    expect(newestPeriods('CEIS', 'arquivos.push({"ano" : "2026", "mes" : "08", "dia" : ""});')).toEqual([]);
    expect(newestPeriods('CEIS', 'arquivos.push(arquivo);')).toEqual([]);
  });

  it('is guessed across the change of a month and of a year', () => {
    expect(periodsBefore('CEIS', '2026-01-02')).toEqual([
      '2026-01-02',
      '2026-01-01',
      '2025-12-31',
      '2025-12-30',
    ]);
    expect(periodsBefore('PEP', '2026-01-31')).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

describe('the minimum number of entries of a list', () => {
  it('is that of its description, unless the sources say otherwise', () => {
    const options = { fetch, clock: { now: () => now }, timeoutMs: 1 };
    const { addresses } = sources;

    expect(listPublishers({ ...options, sources: { addresses } }).fewest).toMatchObject({
      OFAC_SDN: 5000,
      UN_SC: 400,
    });
    expect(listPublishers({ ...options, sources: { addresses, fewest: { UN_SC: 9 } } }).fewest).toMatchObject(
      {
        OFAC_SDN: 5000,
        UN_SC: 9,
      },
    );
  });
});

describe('a first publication', () => {
  it('has all lists', async () => {
    const { publication, objects } = await firstPublication(publishers(), now);

    expect(publication.lists.map(({ list }) => list)).toEqual(LIST_IDS);
    expect(publication.version).toBe('2026-11-20T12:00:00.000Z');
    expect(objects.get(publication.index.name)!.length).toBe(publication.index.bytes);
  });

  it('is refused if a list is shorter than it ever is', async () => {
    const short = publishers(undefined, { BR_PEP: 12 });

    await expect(firstPublication(short, now)).rejects.toThrow(/^BR_PEP: .* never fewer than 12/);
  });

  it('is refused if a publisher does not answer', async () => {
    const { download, fewest } = publishers((url) =>
      url.includes('/un/') ? new Response('', { status: 503 }) : undefined,
    );

    await expect(firstPublication({ download, fewest }, now)).rejects.toThrow(Unavailable);
  });
});
