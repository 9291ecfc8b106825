import { execFile, spawn } from 'node:child_process';
import { accessSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { apiKey } from './stub-server.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const tsc = join(root, 'node_modules/.bin/tsc');

let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'onramp-client-'));
  await run(tsc, ['-p', join(root, 'client'), '--outDir', built]);
});

afterAll(() => rm(built, { recursive: true }));

/** A partner's page or script with the modules at `from`. `came` is its result. */
function useOf(from: string, baseUrl: string): string {
  return `
    import { isOnrampError } from '${from}/errors.js';
    import { createOnrampClient, metaOf } from '${from}/onramp-client.js';
    import { verifyWebhook } from '${from}/webhook.js';

    const onramp = createOnrampClient({ apiKey: '${apiKey}', baseUrl: '${baseUrl}' });
    const codeOf = (error) => (isOnrampError(error) ? error.code : String(error));
    const record = await onramp.submitKyc({ cpf: '529.982.247-25', biometricHash: 'sha256:00' });
    const stop = new AbortController();
    const silent = onramp.getKycStatus('silent', { signal: stop.signal }).catch(String);
    setTimeout(() => stop.abort(new Error('user left')), 50);
    const came = {
      record,
      status: metaOf(record).status,
      code: await onramp.getKycStatus('unknown').catch(codeOf),
      redirect: await onramp.getKycStatus('elsewhere').catch(codeOf),
      silent: await silent,
      done: (await onramp.waitForStatus('T1', ['COMPLETED'], { timeoutMs: 60_000 })).status,
      event: (await verifyWebhook(${JSON.stringify(signed())})).type,
    };
  `;
}

const expected = {
  record: { token: 'kyc_1' },
  status: 200,
  code: 'KYC_TOKEN_NOT_FOUND',
  redirect: 'UNEXPECTED_RESPONSE',
  silent: 'Error: user left',
  done: 'COMPLETED',
  event: 'kyc.approved',
};

function signed() {
  const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0';
  const payload = '{"type":"kyc.approved","timestamp":"2026-11-20T12:00:00Z","data":{}}';
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, payload),
  };
  return { payload, headers, secret };
}

type Answered = { status: number; body?: object; headers?: Record<string, string> };

/** Twice at its limit before it screens, so that a retry with the key of the first try is needed. */
function serviceOf() {
  const keys: (string | undefined)[] = [];
  const answers: Record<string, (request: IncomingMessage) => Answered | undefined> = {
    'POST /v1/laas/kyc/submit': ({ headers }) => {
      keys.push(headers['idempotency-key'] as string | undefined);
      return keys.length === 1
        ? { status: 429, body: errorOf('RATE_LIMIT_EXCEEDED'), headers: { 'Retry-After': '1' } }
        : { status: 200, body: { success: true, data: { token: 'kyc_1' } } };
    },
    'GET /v1/laas/clients/unknown': () => ({ status: 404, body: errorOf('KYC_TOKEN_NOT_FOUND') }),
    'GET /v1/laas/clients/elsewhere': () => ({
      status: 307,
      headers: { location: '/v1/laas/clients/stolen' },
    }),
    'GET /v1/laas/clients/stolen': () => ({
      status: 200,
      body: { success: true, data: { token: 'stolen' } },
    }),
    'GET /v1/laas/clients/silent': () => undefined,
    'GET /v1/laas/transactions/T1/status': () => ({
      status: 200,
      body: { success: true, data: { status: 'COMPLETED' } },
    }),
  };
  return { keys, answers };
}

const errorOf = (code: string) => ({ success: false, error: { code, message: code, details: {} } });

type Served = Record<string, { type: string; content: string }>;

/** The service and, on the same origin, the partner's page. `reported` is the page's own report. */
async function serve(served: Served = {}) {
  const { keys, answers } = serviceOf();
  const reports = Promise.withResolvers<unknown>();
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const file = served[url];
    if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.content);
    if (url === '/report') reports.resolve(JSON.parse(await text(request)));
    reply(response, url === '/report' ? { status: 204 } : answers[`${method} ${url}`]?.(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { keys, served, url: `http://127.0.0.1:${port}`, reported: reports.promise };
}

function reply(response: ServerResponse, answered: Answered | undefined): void {
  if (!answered) return;
  const { status, headers, body } = answered;
  response.writeHead(status, headers).end(body && JSON.stringify(body));
}

function expectOneKey(keys: (string | undefined)[]): void {
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
}

describe('the output of `npm run build:client`', () => {
  it('is JavaScript that Node runs without types', async () => {
    const { url, keys } = await serve();
    const script = `${useOf(`file://${built}`, url)} console.log(JSON.stringify(came));`;

    const noTypes = ['--no-experimental-strip-types', '--input-type=module'];
    const { stdout } = await run(process.execPath, [...noTypes, '-e', script]);

    expect(JSON.parse(stdout)).toEqual(expected);
    expectOneKey(keys);
  });

  it('has declarations that a partner’s compiler reads without types of Node or of the service', async () => {
    const use = `
      import { createOnrampClient } from '${built}/onramp-client.js';
      import { isOnrampError } from '${built}/errors.js';
      import { isKnownEvent, verifyWebhook } from '${built}/webhook.js';
      const onramp = createOnrampClient({ apiKey: 'k', baseUrl: 'https://service.test' });
      const done: 'COMPLETED' = (await onramp.waitForStatus('T1', ['COMPLETED'])).status;
      // @ts-expect-error only what was awaited comes
      const pending: 'PENDING' = (await onramp.waitForKyc('k', ['APPROVED'])).status;
      // @ts-expect-error no such asset
      await onramp.initiateTransaction({ kycToken: 'k', amountBrl: 50, asset: 'BTC', walletAddress: '0x' });
      export { done, pending, isKnownEvent, isOnrampError, verifyWebhook };
    `;

    await expect(compile({ use })).resolves.toBe('');
  });

  it('compiles with the examples of the README', async () => {
    const readme = await readFile(join(root, 'client/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
    const files = blocks.map((block, index) => {
      const imports = block.replaceAll(/'\.\/([\w-]+)\.ts'/g, `'${built}/$1.js'`);
      return [
        `block${index}`,
        `declare const process: { env: Record<string, string | undefined> };${imports}`,
      ];
    });

    expect(files).toHaveLength(2);
    await expect(compile(Object.fromEntries(files))).resolves.toBe('');
  });

  const chromium = findChromium();

  it.skipIf(!chromium)(
    'is imported unchanged by a page of Chromium (skipped without Chromium)',
    async () => {
      const { url, keys, served, reported } = await serve(await modules());
      const script = `${useOf('', url)} await fetch('/report', { method: 'POST', body: JSON.stringify(came) });`;
      served['/page.js'] = { type: 'text/javascript', content: withReport(script) };
      served['/'] = { type: 'text/html', content: '<script type="module" src="/page.js"></script>' };
      await open(chromium ?? '', url);

      expect(await reported).toEqual(expected);
      expectOneKey(keys);
    },
    60_000,
  );
});

/** The messages of a strict compiler without other types about the sources, by the name of their file. */
async function compile(sources: Record<string, string>): Promise<string> {
  const files = Object.entries(sources).map(async ([name, text]) => {
    const file = join(built, `${name}.mts`);
    await writeFile(file, text);
    return file;
  });
  const options = '--noEmit --strict --ignoreConfig --module nodenext --target es2022 --lib es2022,dom';
  const told = run(tsc, [...options.split(' '), '--types', '', ...(await Promise.all(files))]);
  return told.then(
    ({ stdout }) => stdout,
    ({ stdout, message }: Error & { stdout?: string }) => stdout || message,
  );
}

/** A page that fails reports it, so that the test does not wait for its time-out. */
function withReport(script: string): string {
  const report = `fetch('/report', { method: 'POST', body: JSON.stringify(String(event.reason)) })`;
  return `addEventListener('unhandledrejection', (event) => ${report}); ${script}`;
}

async function modules(): Promise<Served> {
  const names = (await readdir(built)).filter((name) => name.endsWith('.js'));
  const files = names.map(async (name) => {
    const content = await readFile(join(built, name), 'utf8');
    return [`/${name}`, { type: 'text/javascript', content }];
  });
  return Object.fromEntries(await Promise.all(files));
}

function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isThere);
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** With its own profile, which ends with the test, like its processes. */
async function open(browser: string, url: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'onramp-page-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
  const { pid } = spawn(browser, [...flags, url], { detached: true, stdio: 'ignore' });
  onTestFinished(async () => {
    if (pid) process.kill(-pid, 'SIGKILL');
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
}
