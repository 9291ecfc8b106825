import { describe, expect, test } from 'vitest';
import {
  approvedClient,
  call,
  clientPath,
  editRow,
  expectRefusal,
  initiate,
  rowsWhere,
  submitKyc,
} from '../support/partner-api.ts';
import { registrySays } from '../support/provider-faults.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const lookUp = (apiKey: string, kycToken: string) => call('GET', clientPath(kycToken), { apiKey });

describe('200', () => {
  // Spec, Get KYC status: "Response 200: token, status, riskTier, expiresAt"
  test.each(['52998224725', '11144477735', '90000000175'])(
    'gives for %s the result of the submission',
    async (cpf) => {
      const { apiKey } = await newPartner();
      const submitted = await submitKyc(apiKey, aSubmission({ cpf }));

      const answer = await lookUp(apiKey, String(submitted.data.token));

      expect(answer.status).toBe(200);
      expect(answer.data).toEqual(submitted.data);
      expect(Object.keys(answer.data)).toEqual(['token', 'status', 'riskTier', 'expiresAt']);
    },
  );

  // Spec, KYC record statuses: "APPROVED, PENDING, REJECTED, EXPIRED"
  // Spec, Get KYC status: "Response 200: token, status, riskTier, expiresAt"
  // docs/operations.md, "Review cases"
  test.each([
    ['PENDING', 60_000, 'PENDING'],
    ['REJECTED', 60_000, 'REJECTED'],
    ['APPROVED', 60_000, 'APPROVED'],
    ['APPROVED', 0, 'EXPIRED'],
    ['PENDING', -1, 'EXPIRED'],
    ['REJECTED', -1, 'EXPIRED'],
    ['APPROVED', -24 * 60 * 60 * 1000, 'EXPIRED'],
  ])('shows a record that is %s with %d ms left as %s', async (status, leftMs, told) => {
    const { apiKey, kycToken } = await approvedClient();
    // Longer than a call may take, so that the call itself does not decide.
    const expiresAt = Date.now() + leftMs;
    await editRow('TablesKycRecords', kycToken, { status, expiresAt });

    const answer = await lookUp(apiKey, kycToken);

    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      token: kycToken,
      status: told,
      riskTier: 'STANDARD',
      expiresAt: new Date(expiresAt).toISOString(),
    });
  });
});

describe('200 after a later decision about the client', () => {
  const clientOf = async (partnerId: string) =>
    String((await rowsWhere('TablesClients', (row) => row.partnerId === partnerId))[0]!.id);

  test('shows a rejection by a later submission, as initiate does', async () => {
    const { apiKey, cpf, kycToken } = await approvedClient();
    await registrySays(cpf, { situacao: { codigo: '3', descricao: 'TITULAR FALECIDO' }, obito: '2023' });
    expectRefusal(await submitKyc(apiKey, aSubmission({ cpf })), 'KYC_REJECTED', { reason: 'DECEASED' });

    const { data } = await lookUp(apiKey, kycToken);

    expect(data).toMatchObject({ token: kycToken, status: 'REJECTED', reason: 'DECEASED' });
    expectRefusal(await initiate(apiKey, aPurchase(kycToken)), 'KYC_NOT_APPROVED', { status: data.status });
  });

  test('shows a tier that was raised since', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    await editRow('TablesClients', await clientOf(partnerId), { raisedAt: Date.now(), raisedTier: 'PEP' });

    expect((await lookUp(apiKey, kycToken)).data).toMatchObject({ status: 'APPROVED', riskTier: 'PEP' });
    const { data } = await initiate(apiKey, aPurchase(kycToken));
    expect(data.authChallenge).toMatchObject({ type: 'LIVENESS' });
  });

  test.each([
    [{ rejectedFor: 'SANCTIONS_HIT' }, 'rejectedAt', { status: 'REJECTED', reason: 'SANCTIONS_HIT' }],
    [{ raisedTier: 'HIGH' }, 'raisedAt', { status: 'APPROVED', riskTier: 'HIGH' }],
  ])('equals the replay of the submission: %j', async (verdict, instant, expected) => {
    const { partnerId, apiKey } = await newPartner();
    const body = aSubmission();
    const again = () => submitKyc(apiKey, body, { headers: { 'Idempotency-Key': 'once' } });
    const first = await again();
    await editRow('TablesClients', await clientOf(partnerId), { [instant]: Date.now(), ...verdict });

    const replayed = await again();

    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.data).toMatchObject({ token: first.data.token, ...expected });
    expect(replayed.data).toEqual((await lookUp(apiKey, String(first.data.token))).data);
  });
});

describe('404 KYC_TOKEN_NOT_FOUND', () => {
  test('answers for another partner’s token as for an unknown one', async () => {
    const { kycToken } = await approvedClient();
    const { apiKey } = await newPartner();

    const [others, unknown] = [await lookUp(apiKey, kycToken), await lookUp(apiKey, `kyc_${'0'.repeat(32)}`)];

    expectRefusal(others, 'KYC_TOKEN_NOT_FOUND', {});
    expect(others.text).toBe(unknown.text);
  });

  test.each(['x', '%20', '%00', '%F0%9F%92%B8', '..%2F..%2Fsecret', 'kyc_%', 'k'.repeat(256)])(
    'answers for the token %s',
    async (kycToken) => {
      const { apiKey } = await newPartner();

      expectRefusal(await lookUp(apiKey, kycToken), 'KYC_TOKEN_NOT_FOUND', {});
    },
  );

  test('answers for a token that is too long to be a key', async () => {
    const { apiKey } = await newPartner();

    expectRefusal(await lookUp(apiKey, 'k'.repeat(3000)), 'KYC_TOKEN_NOT_FOUND', {});
  });

  test('answers for a token in another case', async () => {
    const { apiKey, kycToken } = await approvedClient();

    expectRefusal(await lookUp(apiKey, kycToken.toLowerCase()), 'KYC_TOKEN_NOT_FOUND', {});
  });

  // Spec, Submit KYC data: "Response 200: token, status, riskTier, expiresAt"
  test('does not give the token of a rejected record either', async () => {
    const { partnerId, apiKey } = await newPartner();
    await submitKyc(apiKey, aSubmission({ cpf: '90000000256' }));
    const [record] = await rowsWhere('TablesKycRecords', (row) => row.partnerId === partnerId);
    const stranger = await newPartner();

    const own = await lookUp(apiKey, String(record!.token));
    const others = await lookUp(stranger.apiKey, String(record!.token));

    expect(own.data).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expectRefusal(others, 'KYC_TOKEN_NOT_FOUND', {});
  });
});
