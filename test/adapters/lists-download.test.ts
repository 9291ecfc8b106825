import { afterEach, describe, expect, it } from 'vitest';
import { download } from '../../functions/adapters/lists/download.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { ListRefused } from '../../functions/domain/screening/list-refresh.ts';
import { type Stub, type StubAnswer, type StubRequest, startStub } from '../support/stub-server.ts';

const stubs: Stub[] = [];
afterEach(async () => {
  await Promise.all(stubs.splice(0).map(({ close }) => close()));
});

async function publisher(handle: (request: StubRequest) => StubAnswer) {
  const stub = await startStub(handle);
  stubs.push(stub);
  return stub;
}

const options = { fetch, timeoutMs: 20_000 };
const wanted = (url: string) => ({ url, name: 'SDN.CSV', accept: 'text/csv' });
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString();

/** A publisher in this process, for answers that Node's servers would not send. */
const answers = (make: (url: string) => Response) => ({
  fetch: (async (input) => make(String(input))) as typeof fetch,
  timeoutMs: 20_000,
});

describe('a file', () => {
  it('is requested by our own name, and not unpacked on the way', async () => {
    const stub = await publisher(() => ({ raw: '1,2\r\n', headers: { 'content-type': 'text/csv' } }));

    expect(textOf(await download(wanted(`${stub.url}/SDN.CSV`), options))).toBe('1,2\r\n');

    const { 'user-agent': agent, accept, 'accept-encoding': encoding } = stub.requests[0]!.headers;
    expect({ agent, accept, encoding }).toEqual({
      agent: expect.stringMatching(/^stablecoin-onramp /),
      accept: 'text/csv',
      encoding: 'identity',
    });
  });

  it('is followed over redirects, also relative ones', async () => {
    const stub = await publisher(({ path }) =>
      path === '/a/SDN.CSV'
        ? { status: 302, headers: { location: 'store/SDN.CSV?key=1' } }
        : path === '/a/store/SDN.CSV'
          ? { status: 307, headers: { location: `${stub.url}/last` } }
          : { raw: 'rows' },
    );

    expect(textOf(await download(wanted(`${stub.url}/a/SDN.CSV`), options))).toBe('rows');
    expect(stub.requests.map(({ path }) => path)).toEqual(['/a/SDN.CSV', '/a/store/SDN.CSV', '/last']);
  });

  it('does not exist if the publisher says so', async () => {
    for (const status of [403, 404, 410]) {
      const stub = await publisher(() => ({ status, raw: 'no' }));
      expect(await download(wanted(stub.url), options)).toBeUndefined();
    }
  });
});

describe('a file is refused', () => {
  const refusal = (url: string, by: Parameters<typeof download>[1] = options) =>
    expect(download(wanted(url), by)).rejects;

  it('if it redirects without end', async () => {
    const stub = await publisher(() => ({ status: 302, headers: { location: '/again' } }));

    await refusal(stub.url).toThrow(new ListRefused('SDN.CSV is redirected more than 5 times'));
    expect(stub.requests).toHaveLength(6);
  });

  it.each(['http://elsewhere.example/SDN.CSV', 'ftp://elsewhere.example/', 'file:///etc/passwd'])(
    'if https leads to %s',
    async (location) => {
      const asked: string[] = [];
      const by = answers((url) => {
        asked.push(url);
        return new Response(null, { status: 302, headers: { location } });
      });

      await refusal('https://publisher.example/SDN.CSV', by).toThrow(ListRefused);
      expect(asked).toEqual(['https://publisher.example/SDN.CSV']);
    },
  );

  it('if it is a page', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const stub = await publisher(() => ({ raw: '<html>', headers }));

    await refusal(stub.url).toThrow(new ListRefused('SDN.CSV is a page, not the file'));
  });

  it('if it is empty', async () => {
    const stub = await publisher(() => ({ raw: '' }));

    await refusal(stub.url).toThrow(new ListRefused('SDN.CSV is empty'));
  });

  it.each([204, 206, 300, 400, 401])('if the answer is HTTP %i', async (status) => {
    const by = answers(() => new Response(status === 204 ? null : 'rows', { status }));

    await refusal('https://publisher.example/', by).toThrow(ListRefused);
  });

  it('if its length differs from the announced one', async () => {
    const by = answers(() => new Response('rows', { headers: { 'content-length': '5' } }));

    await refusal('https://publisher.example/', by).toThrow(new ListRefused('SDN.CSV has 4 bytes of 5'));
  });

  it('if it is larger than any list, without reading on', async () => {
    let pulls = 0;
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          pulls += 1;
          controller.enqueue(new Uint8Array(1000));
        },
      });
    const by = answers(() => new Response(endless()));
    const small = { ...wanted('https://publisher.example/'), maxBytes: 10_000 };

    await expect(download(small, by)).rejects.toThrow('larger than 10000 bytes');
    expect(pulls).toBeLessThan(20);
  });
});

describe('a publisher does not answer', () => {
  it.each([408, 429, 500, 502, 503])('with HTTP %i', async (status) => {
    const stub = await publisher(() => ({ status, raw: 'later' }));

    await expect(download(wanted(stub.url), options)).rejects.toThrow(Unavailable);
  });

  it.each(['reset', 'truncate'] as const)('when the connection ends by a %s', async (fault) => {
    const stub = await publisher(() => ({ raw: 'half', fault }));

    await expect(download(wanted(stub.url), options)).rejects.toThrow(Unavailable);
  });

  it('when it takes too long', async () => {
    const stub = await publisher(() => ({ fault: 'hang' }));

    const error = await download(wanted(stub.url), { fetch, timeoutMs: 100 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.cause.message).toBe('it takes too long');
  });
});
