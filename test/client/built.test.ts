import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { compile, installPackage, PACKAGE, root, run } from './packed.ts';
import { blocksOf } from './readme-blocks.ts';
import { apiKey } from './stub-server.ts';

const KILOBYTE = 1024;

let partner: Awaited<ReturnType<typeof installPackage>>;

beforeAll(async () => {
  partner = await installPackage();
});

/** A partner's page or script with the package at `from`. `came` is its result. */
function useOf(from: string, baseUrl: string): string {
  return `
    import { createOnrampClient, isOnrampError, metaOf, verifyWebhook } from '${from}';
    import { biometricHash, freshCpf, signPartnerKycToken, totpCode } from '${from}';

    const onramp = createOnrampClient({ apiKey: '${apiKey}', baseUrl: '${baseUrl}' });
    const codeOf = (error) => (isOnrampError(error) ? error.code : String(error));
    const record = await onramp.submitKyc({ cpf: '529.982.247-25', biometricHash: 'sha256:00' });
    const stop = new AbortController();
    const silent = onramp.getKycStatus('silent', { signal: stop.signal }).catch(String);
    setTimeout(() => stop.abort(new Error('user left')), 50);
    const kind = { name: 'ECDSA', namedCurve: 'P-256' };
    const { privateKey } = await crypto.subtle.generateKey(kind, false, ['sign', 'verify']);
    const vouched = { cpf: freshCpf(), issuer: 'vendor', audience: 'onramp', keyId: 'k1', privateKey };
    const came = {
      hash: await biometricHash(new TextEncoder().encode('abc')),
      totp: await totpCode('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 59_000),
      token: (await signPartnerKycToken(vouched)).split('.').length,
      record,
      status: metaOf(record).status,
      pdf: Array.from(await onramp.transactions.receiptPdf('T1')),
      noPdf: await onramp.transactions.receiptPdf('T2').catch(codeOf),
      code: await onramp.getKycStatus('unknown').catch(codeOf),
      redirect: await onramp.getKycStatus('elsewhere').catch(codeOf),
      silent: await silent,
      done: (await onramp.waitForStatus('T1', ['COMPLETED'], { timeoutMs: 60_000 })).status,
      event: (await verifyWebhook(${JSON.stringify(signed())})).type,
    };
  `;
}

/** Not UTF-8, as the compressed parts of a PDF. */
const PDF = Buffer.from('%PDF-1.7\xff\x00\x80', 'latin1');

const expected = {
  hash: `sha256:${createHash('sha256').update('abc').digest('hex')}`,
  totp: '287082',
  token: 3,
  record: { token: 'kyc_1' },
  status: 200,
  pdf: [...PDF],
  noPdf: 'RECEIPT_NOT_AVAILABLE',
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

type Answered = { status: number; body?: object | Buffer; headers?: Record<string, string> };

/** A service whose first answer is a limit, so that a retry with the key of the first try is needed. */
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
    'GET /v1/laas/transactions/T1/receipt': ({ headers }) => ({
      status: headers.accept === 'application/pdf' ? 200 : 406,
      body: PDF,
      headers: { 'Content-Type': 'application/pdf' },
    }),
    'GET /v1/laas/transactions/T2/receipt': () => ({ status: 409, body: errorOf('RECEIPT_NOT_AVAILABLE') }),
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
  response.writeHead(status, headers).end(Buffer.isBuffer(body) ? body : body && JSON.stringify(body));
}

function expectOneKey(keys: (string | undefined)[]): void {
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
}

/** The oldest Node on the PATH, because the package names the oldest one that it takes. */
async function oldestNode(): Promise<{ path: string; version: string }> {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const versions = [process.execPath, ...paths].map(async (path) => {
    const version = await run(path, ['--version']).catch(() => undefined);
    return version ? [{ path, version: version.stdout.trim().slice(1) }] : [];
  });
  const found = (await Promise.all(versions)).flat();
  const [oldest] = found.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
  return oldest!;
}

describe('the package', () => {
  it('is smaller than 40 kB and holds only modules, declarations and documents', () => {
    const { size, files } = partner.archive;

    expect(size).toBeLessThan(40 * KILOBYTE);
    const others = files.map(({ path }) => path).filter((path) => !/^[a-z-]+(\.d\.ts|\.js)$/.test(path));
    expect(others.sort()).toEqual(['CHANGELOG.md', 'README.md', 'package.json']);
  });

  it('needs no other package, and brings nothing but itself', async () => {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
    const manifest = await read(join(partner.installed, 'package.json'));

    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(kind);
    }
    const { packages } = await read(join(partner.project, 'package-lock.json'));
    expect(Object.keys(packages)).toEqual(['', `node_modules/${PACKAGE}`]);
  });

  it('has the license of the service, and a changelog of its version', async () => {
    const manifest = JSON.parse(await readFile(join(partner.installed, 'package.json'), 'utf8'));
    const service = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const changelog = await readFile(join(partner.installed, 'CHANGELOG.md'), 'utf8');

    expect(manifest.license).toBe(service.license);
    const { version } = manifest;
    expect(changelog).toMatch(new RegExp(`^(To become ${version},|## \\[${version}\\])`, 'm'));
  });

  it('is imported by its name, by the oldest Node of this machine', async () => {
    const { url, keys } = await serve();
    const { path, version } = await oldestNode();
    const script = `${useOf(PACKAGE, url)} console.log(JSON.stringify(came));`;

    const { stdout } = await run(path, ['--input-type=module', '-e', script], { cwd: partner.project });

    expect(JSON.parse(stdout), `Node ${version}`).toEqual(expected);
    expectOneKey(keys);
  });

  it('has declarations that a partner’s compiler reads without types of Node or of the service', async () => {
    const use = `
      import { createOnrampClient, isKnownEvent, isOnrampError, verifyWebhook } from '${PACKAGE}';
      import type { KnownWebhookEvent, OnrampClient, Transaction } from '${PACKAGE}';
      const onramp: OnrampClient = createOnrampClient({ apiKey: 'k', baseUrl: 'https://service.test' });
      const read: Transaction = await onramp.getTransactionStatus('T1');
      const done: 'COMPLETED' = (await onramp.waitForStatus('T1', ['COMPLETED'])).status;
      // @ts-expect-error only what was awaited comes
      const pending: 'PENDING' = (await onramp.waitForKyc('k', ['APPROVED'])).status;
      // @ts-expect-error no such asset
      await onramp.initiateTransaction({ kycToken: 'k', amountBrl: 50, asset: 'BTC', walletAddress: '0x' });
      export { done, isKnownEvent, isOnrampError, pending, read, verifyWebhook, type KnownWebhookEvent };
    `;

    await expect(compile(partner.project, { use })).resolves.toBe('');
  });

  it('compiles with the examples of its README', async () => {
    const readme = await readFile(join(partner.installed, 'README.md'), 'utf8');
    const files = blocksOf(readme).map((block, index) => [
      `block${index}`,
      `declare const process: { env: Record<string, string | undefined> };${block}`,
    ]);

    expect(files.length).toBeGreaterThan(1);
    await expect(compile(partner.project, Object.fromEntries(files))).resolves.toBe('');
  });

  const chromium = findChromium();

  it.skipIf(!chromium)(
    'is imported unchanged by a page of Chromium (skipped without Chromium)',
    async () => {
      const { url, keys, served, reported } = await serve(await modules());
      const report = "await fetch('/report', { method: 'POST', body: JSON.stringify(came) });";
      const script = `${useOf('/exports.js', url)} ${report}`;
      served['/page.js'] = { type: 'text/javascript', content: withReport(script) };
      served['/'] = { type: 'text/html', content: '<script type="module" src="/page.js"></script>' };
      await open(chromium ?? '', url);

      expect(await reported).toEqual(expected);
      expectOneKey(keys);
    },
    60_000,
  );
});

/** A page that fails reports it, so that the test does not wait for its time-out. */
function withReport(script: string): string {
  const report = `fetch('/report', { method: 'POST', body: JSON.stringify(String(event.reason)) })`;
  return `addEventListener('unhandledrejection', (event) => ${report}); ${script}`;
}

async function modules(): Promise<Served> {
  const names = (await readdir(partner.installed)).filter((name) => name.endsWith('.js'));
  const files = names.map(async (name) => {
    const content = await readFile(join(partner.installed, name), 'utf8');
    return [`/${name}`, { type: 'text/javascript', content }];
  });
  return Object.fromEntries(await Promise.all(files));
}

/** Opens the page with a profile of its own. The profile and the processes end with the test. */
async function open(browser: string, url: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'onramp-page-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
  const { pid } = spawn(browser, [...flags, url], { detached: true, stdio: 'ignore' });
  onTestFinished(async () => {
    if (pid) process.kill(-pid, 'SIGKILL');
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
}
