import { generateKeyPair } from 'jose';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { importExample } from './readme-blocks.ts';
import { apiKey, clientOf, ok, type StubAnswer, startStub } from './stub-server.ts';

/** A client of a service with these answers, and a user who types a code and follows every link. */
async function world(...answers: StubAnswer[]) {
  const { seen, url } = await startStub(...answers);
  const redirects: string[] = [];
  const user = {
    askForCode: async (instruction: string) => (instruction === 'Type the code' ? '123456' : ''),
    redirectTo: (link: string) => redirects.push(link),
  };
  const called = () => seen.map(({ path }) => path.replace('/v1/laas/', ''));
  return { client: clientOf(url).client, user, redirects, called, seen, url };
}

// Spec, What the service does: "A client library wraps the REST endpoints"
it('the README’s purchase in the sandbox runs', async () => {
  const otpauthUri = 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ';
  const { url, called, seen } = await world(
    ok({ token: 'kyc_1', status: 'APPROVED' }),
    ok({ transactionId: 'T1', authChallenge: { type: 'MFA_TOTP', enrollment: { otpauthUri } } }),
    ok({ transactionId: 'T1', status: 'AWAITING_PIX', pixPayload: '000201' }),
    ok({ transactionId: 'T1', endToEndIds: ['E1'] }),
    ok({ transactionId: 'T1', status: 'COMPLETED', txHash: '0x1' }),
  );
  vi.stubEnv('ONRAMP_URL', url);
  vi.stubEnv('ONRAMP_API_KEY', apiKey);
  const print = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    print.mockRestore();
  });

  const { tryOut } = await importExample('tryOut');

  expect(await tryOut()).toMatchObject({ txHash: '0x1' });
  expect(print).toHaveBeenCalledWith('Your client pays this:', '000201');
  expect(JSON.parse(seen[2]!.body).totpCode).toMatch(/^\d{6}$/);
  expect(called()).toEqual([
    'kyc/submit',
    'transactions/initiate',
    'transactions/T1/mfa',
    'sandbox/transactions/T1/pay',
    'transactions/T1/status',
  ]);
});

describe('the README’s purchase with a person', () => {
  it('goes on at once for a client who is approved', async () => {
    const { approved } = await importExample('approved');
    const { client, user, called } = await world();
    const kyc = { token: 'kyc_1', status: 'APPROVED' };

    expect(await approved(client, kyc, user)).toBe(kyc);
    expect(called()).toEqual([]);
  });

  it('sends a client who must show documents and face to the page, and waits', async () => {
    const { approved } = await importExample('approved');
    const { client, user, redirects, called } = await world(ok({ token: 'kyc_1', status: 'APPROVED' }));
    const kyc = { token: 'kyc_1', status: 'PENDING', verificationUrl: 'https://verify.test' };

    expect(await approved(client, kyc, user)).toMatchObject({ status: 'APPROVED' });
    expect(redirects).toEqual(['https://verify.test']);
    expect(called()).toEqual(['clients/kyc_1']);
  });

  it('asks for the code', async () => {
    const { authenticate } = await importExample('authenticate');
    const { client, user, seen } = await world(ok({ pixPayload: '000201' }));
    const authChallenge = { type: 'MFA_TOTP', instruction: 'Type the code' };

    expect(await authenticate(client, { transactionId: 'T1', authChallenge }, user)).toBe('000201');
    expect(seen).toMatchObject([{ path: '/v1/laas/transactions/T1/mfa', body: '{"totpCode":"123456"}' }]);
  });

  it('sends the client to the page of the face, and waits for the charge', async () => {
    const { authenticate } = await importExample('authenticate');
    const { client, user, redirects, called } = await world(
      ok({ status: 'AWAITING_PIX', pixPayload: '000201' }),
    );
    const authChallenge = { type: 'LIVENESS', livenessUrl: 'https://face.test' };

    expect(await authenticate(client, { transactionId: 'T1', authChallenge }, user)).toBe('000201');
    expect(redirects).toEqual(['https://face.test']);
    expect(called()).toEqual(['transactions/T1/status']);
  });

  it('submits a client whom the partner’s vendor has cleared', async () => {
    const { submitCleared } = await importExample('submitCleared');
    const { client, seen } = await world(ok({ token: 'kyc_1' }));
    const { privateKey } = await generateKeyPair('EdDSA');

    await submitCleared(client, '529.982.247-25', privateKey);

    expect(JSON.parse(seen[0]!.body)).toEqual({
      cpf: '529.982.247-25',
      partnerKycToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
    });
  });
});

it.each([
  [
    { code: 'INVALID_REQUEST', details: { issues: [{ path: 'cpf', message: 'is required' }] } },
    'cpf: refused (cpf is required)',
  ],
  [{ code: 'KYC_REJECTED', details: { reason: 'SANCTIONS_HIT' } }, 'The client was refused: SANCTIONS_HIT'],
  [{ code: 'CLIENT_BLOCKED', details: {} }, 'The client may not buy: CLIENT_BLOCKED'],
  [{ code: 'RATE_LIMIT_EXCEEDED', details: {}, retryAfterSeconds: 7 }, 'Come back in 7 s'],
  [{ code: 'NOT_FOUND', details: {}, requestId: 'r-1' }, 'NOT_FOUND, request r-1: refused'],
])('the README’s code explains the error %o', async ({ code, ...context }, told) => {
  const { explain, errorOf } = await importExample('explain', "export { errorOf } from './errors.ts';");

  expect(explain(errorOf(code, 'refused', context))).toBe(told);
});

it('the README’s code explains a wait that ended otherwise', async () => {
  const { explain, WaitError } = await importExample('explain', "export { WaitError } from './errors.ts';");
  const details = { reason: 'DOCUMENT_REJECTED' };

  const told = explain(new WaitError('STATUS_UNREACHABLE', 'ended', { details }));

  expect(told).toBe('It ended otherwise: DOCUMENT_REJECTED');
});

it('the README’s loop over the events reads all pages, and ends at the given time', async () => {
  const eventAt = (timestamp: string) => ({ id: timestamp, type: 'kyc.approved', timestamp, data: {} });
  const { client, called } = await world(
    ok({ events: [eventAt('2026-11-20T12:00:02Z')], nextCursor: 'a+b' }),
    ok({ events: [eventAt('2026-11-20T12:00:01Z'), eventAt('2026-11-20T12:00:00Z')], nextCursor: 'c' }),
  );
  const handled: string[] = [];
  const { catchUp } = await importExample('catchUp');

  await catchUp(client, '2026-11-20T12:00:01Z', async ({ id }: { id: string }) => void handled.push(id));

  expect(handled).toEqual(['2026-11-20T12:00:02Z', '2026-11-20T12:00:01Z']);
  expect(called()).toEqual(['events?limit=100', 'events?limit=100&cursor=a%2Bb']);
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

  const { receive } = await importExample('receive');
  const request = new Request('http://partner.test/hook', { method: 'POST', body, headers });

  expect(await receive(request, secret)).toBe('show 000201');
});
