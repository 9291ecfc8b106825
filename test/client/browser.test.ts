import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { apiKey, ok, startStub } from './stub-server.ts';

const entry = "export * from './exports.ts';";

async function bundle() {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: new URL('../../client', import.meta.url).pathname, loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'onramp',
    metafile: true,
    write: false,
  });
  return { code: outputFiles[0]?.text ?? '', inputs: Object.entries(metafile.inputs) };
}

/** The globals of a page: no process, no Buffer, no require. */
const pageGlobals = {
  fetch,
  Response,
  Headers,
  AbortSignal,
  DOMException,
  TextDecoder,
  TextEncoder,
  URL,
  Uint8Array,
  crypto,
  atob,
  btoa,
  setTimeout,
  clearTimeout,
};

describe('the bundle for a browser', () => {
  it('contains only the client: no node: import, no package', async () => {
    const { code, inputs } = await bundle();

    const paths = inputs.map(([path]) => path).filter((path) => path !== '<stdin>');
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) expect(path).toMatch(/^client\/[a-z-]+\.ts$/);
    expect(inputs.flatMap(([, { imports }]) => imports).filter(({ external }) => external)).toEqual([]);
    expect(code).not.toMatch(/node:|\brequire\(|\bprocess\b|\bBuffer\b/);
  });

  it('calls the service and verifies a webhook with the globals of a page', async () => {
    const stub = await startStub(ok({ token: 'kyc_1' }));
    const now = new Date();
    const payload = '{"type":"kyc.approved","timestamp":"2026-11-20T12:00:00Z","data":{}}';
    const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0';
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', now, payload),
    };
    const page = createContext({
      ...pageGlobals,
      apiKey,
      baseUrl: stub.url,
      message: { payload, headers, secret },
    });
    runInContext((await bundle()).code, page);

    const record = await runInContext(
      `onramp.createOnrampClient({ apiKey, baseUrl }).getKycStatus('k')`,
      page,
    );
    const event = await runInContext('onramp.verifyWebhook(message)', page);

    expect(record).toMatchObject({ token: 'kyc_1' });
    expect(event).toMatchObject({ type: 'kyc.approved' });
  });
});

describe('the sources', () => {
  it('import each other only', async () => {
    const { inputs } = await bundle();
    const paths = inputs.map(([path]) => path).filter((path) => path !== '<stdin>');

    for (const path of [...paths, 'client/types.ts']) {
      const source = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
      for (const [, from] of source.matchAll(/ from '([^']+)'/g)) expect(from).toMatch(/^\.\/[a-z-]+\.ts$/);
    }
  });
});
