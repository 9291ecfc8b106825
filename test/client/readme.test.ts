import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { apiKey, ok, type StubAnswer, startStub } from './stub-server.ts';

const clientFolder = new URL('../../client/', import.meta.url);

/** The n-th TypeScript block of the README as a module, with `more` below it. */
async function importBlock(index: number, more = '') {
  const readme = await readFile(new URL('README.md', clientFolder), 'utf8');
  const contents = [...readme.matchAll(/```ts\n(.*?)```/gs)][index]?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'onramp-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { outputFiles } = await build({
    stdin: { contents: `${contents}\n${more}`, resolveDir: clientFolder.pathname, loader: 'ts' },
    bundle: true,
    alias: { 'stablecoin-onramp-client': new URL('exports.ts', clientFolder).pathname },
    format: 'esm',
    write: false,
  });
  const path = join(folder, 'block.mjs');
  await writeFile(path, outputFiles[0]?.text ?? '');
  return import(/* @vite-ignore */ path);
}

/** Runs the README's purchase against a service with these answers. */
async function purchase(...answers: StubAnswer[]) {
  const stub = await startStub(...answers);
  vi.stubEnv('ONRAMP_URL', stub.url);
  vi.stubEnv('ONRAMP_API_KEY', apiKey);
  const print = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    print.mockRestore();
  });
  const redirects: string[] = [];
  const { buy } = await importBlock(0);
  const txHash = await buy({
    askForCode: async (instruction: string) => (instruction === 'Type the code' ? '123456' : ''),
    redirectTo: (url: string) => redirects.push(url),
  });
  return { txHash, print, redirects, called: stub.seen.map(({ path }) => path.replace('/v1/laas/', '')) };
}

// Spec, What the service does: "A client library wraps the REST endpoints"
it('the README’s purchase runs', async () => {
  const { txHash, print, called } = await purchase(
    ok({ token: 'kyc_1', status: 'APPROVED' }),
    ok({ transactionId: 'T1', authChallenge: { type: 'MFA_TOTP', instruction: 'Type the code' } }),
    ok({ transactionId: 'T1', status: 'AWAITING_PIX', pixPayload: '000201' }),
    ok({ transactionId: 'T1', endToEndIds: ['E1'] }),
    ok({ transactionId: 'T1', status: 'COMPLETED', txHash: '0x1' }),
  );

  expect(txHash).toBe('0x1');
  expect(print).toHaveBeenCalledWith('Pay this from your bank:', '000201');
  expect(called).toEqual([
    'kyc/submit',
    'transactions/initiate',
    'transactions/T1/mfa',
    'sandbox/transactions/T1/pay',
    'transactions/T1/status',
  ]);
});

it('the README’s purchase runs for a client who must show documents and face', async () => {
  const { txHash, print, redirects, called } = await purchase(
    ok({ token: 'kyc_1', status: 'PENDING', verificationUrl: 'https://verify.test' }),
    ok({ token: 'kyc_1', status: 'APPROVED' }),
    ok({ transactionId: 'T1', authChallenge: { type: 'LIVENESS', livenessUrl: 'https://face.test' } }),
    ok({ transactionId: 'T1', status: 'AWAITING_PIX', pixPayload: '000201' }),
    ok({ transactionId: 'T1', endToEndIds: ['E1'] }),
    ok({ transactionId: 'T1', status: 'COMPLETED', txHash: '0x1' }),
  );

  expect(txHash).toBe('0x1');
  expect(print).toHaveBeenCalledWith('Pay this from your bank:', '000201');
  expect(redirects).toEqual(['https://verify.test', 'https://face.test']);
  expect(called).toEqual([
    'kyc/submit',
    'clients/kyc_1',
    'transactions/initiate',
    'transactions/T1/status',
    'sandbox/transactions/T1/pay',
    'transactions/T1/status',
  ]);
});

it.each([
  [
    { code: 'INVALID_REQUEST', details: { issues: [{ path: 'cpf', message: 'is required' }] } },
    'cpf is required',
  ],
  [{ code: 'KYC_REJECTED', details: { reason: 'SANCTIONS_HIT' } }, 'The client was refused: SANCTIONS_HIT'],
  [
    { code: 'STATUS_UNREACHABLE', details: { reason: 'DOCUMENT_REJECTED' } },
    'It ended otherwise: DOCUMENT_REJECTED',
  ],
])('the README’s code explains the error %o', async ({ code, details }, told) => {
  const { explain, OnrampError } = await importBlock(
    0,
    "export { OnrampError } from 'stablecoin-onramp-client';",
  );

  expect(explain(new OnrampError(code, 'refused', { details }))).toBe(told);
});

it('the README’s receiver runs', async () => {
  const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0';
  const now = new Date();
  const body =
    '{"type":"transaction.pix_ready","timestamp":"2026-11-20T12:00:00Z","data":{"pixPayload":"000201"}}';
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };

  const { receive } = await importBlock(1);
  const request = new Request('http://partner.test/hook', { method: 'POST', body, headers });

  expect(await receive(request, secret)).toBe('show 000201');
});
