import { describe, expect, test } from 'vitest';
import type { KnownWebhookEvent } from '../../client/webhook.ts';
import { WALLET } from '../support/builders.ts';
import { forgetCharges } from '../support/partner-api.ts';
import { biometricIs } from '../support/provider-faults.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, rowOf, totpCode } from '../support/sandbox.ts';
import { newSigner } from '../support/token-signer.ts';

type Partner = Awaited<ReturnType<typeof newPartner>>;
type Submission = Parameters<Partner['client']['submitKyc']>[0];

const QUICKLY = { intervalMs: 100, timeoutMs: SLOW_MS };

/** The fields that the partner sends in each model. The sandbox plays the vendor of Model 2. */
const MODELS: Record<1 | 2 | 3, (partner: Partner, cpf: string) => Promise<Submission>> = {
  1: async (_, cpf) => ({ cpf, biometricHash: BIOMETRIC_HASH }),
  2: async ({ client }, cpf) => ({ cpf, ...(await client.sandbox.partnerKycToken({ cpf })) }),
  3: async (_, cpf) => ({ cpf, biometricHash: BIOMETRIC_HASH, mode: 'shared' }),
};

/** The error that ended a call, as a partner's code sees it. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ code, details }: { code?: string; details?: object }) => ({ code, details }),
  );
const rejectedFor = (reason: string) => ({ code: 'KYC_REJECTED', details: { reason } });
const rejectedToken = (fault: unknown) => ({
  code: 'KYC_REJECTED',
  details: { reason: 'PARTNER_TOKEN_INVALID', fault },
});

const purchaseWith = (kycToken: string) =>
  ({ kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET }) as const;

/** The single event of a partner without purchases. A webhook may come twice. */
async function onlyEventOf({ client }: Partner): Promise<KnownWebhookEvent> {
  const { webhooks } = await eventually(
    () => client.sandbox.webhooks(),
    ({ webhooks }) => webhooks.length > 0,
    SLOW_MS,
  );
  expect(new Set(webhooks.map(({ id }) => id)).size).toBe(1);
  expect(webhooks[0]).toMatchObject({ verified: true });
  return webhooks[0]!.event as KnownWebhookEvent;
}

describe('a client is screened and may buy', () => {
  // Spec, What the service does: "the transaction flow is identical"
  // Spec, What the service does: "the partner passes only biometricHash"
  test.each([1, 2, 3] as const)('in Model %d', async (model) => {
    const partner = await newPartner();
    const { client } = partner;

    const kyc = await client.submitKyc(await MODELS[model](partner, randomCpf()));

    expect(kyc).toEqual({
      token: kyc.token,
      status: 'APPROVED',
      riskTier: 'STANDARD',
      expiresAt: kyc.expiresAt,
    });
    expect(await client.getKycStatus(kyc.token)).toEqual(kyc);
    expect(await rowOf('TablesKycRecords', kyc.token)).toMatchObject({ model });
    expect(await client.initiateTransaction(purchaseWith(kyc.token))).toMatchObject({
      status: 'PENDING_AUTH',
    });
  });

  // Spec, What the service does: "a special test CPF exists"
  test.each([
    [1, '900.000.001-75', 'PEP'],
    [2, '900.000.001-75', 'PEP'],
    [3, '111.444.777-35', 'HIGH'],
  ] as const)('in Model %d, %s with the tier %s', async (model, cpf, riskTier) => {
    const partner = await newPartner();

    const kyc = await partner.client.submitKyc(await MODELS[model](partner, cpf));

    expect(kyc).toMatchObject({ status: 'APPROVED', riskTier });
  });
});

describe('the biometric hash', () => {
  test.each([1, 3] as const)('must be the provider’s if it holds one, in Model %d', async (model) => {
    const partner = await newPartner();
    const submission = await MODELS[model](partner, randomCpf());
    const { token } = await partner.client.submitKyc(submission);
    const { clientId } = (await rowOf('TablesKycRecords', token)) as { clientId: string };

    await biometricIs(clientId, BIOMETRIC_HASH);
    expect(await partner.client.submitKyc(submission)).toMatchObject({ status: 'APPROVED' });

    await biometricIs(clientId, `sha256:${'0'.repeat(64)}`);
    expect(await refusalOf(partner.client.submitKyc(submission))).toEqual(rejectedFor('IDENTITY_MISMATCH'));
  });
});

// docs/decisions.md, "Data that the partner collected"
describe.concurrent('what the partner collected in Model 3', () => {
  const collectedOf = async ({ client }: Partner, cpf: string) => {
    const { scenarios } = await client.sandbox.scenarios();
    const { collected } = scenarios.find((one) => one.cpf === cpf)!;
    return { cpf, biometricHash: BIOMETRIC_HASH, mode: 'shared', ...collected! } as const;
  };

  // Spec, What the service does: "both data sets are cross-checked"
  test('is approved if registry and document agree, and refused if not, until it is corrected', async () => {
    const partner = await newPartner();
    const { client } = partner;
    const collected = await collectedOf(partner, '90000001228');

    expect(await client.submitKyc(collected)).toMatchObject({ status: 'APPROVED' });
    for (const wrong of [
      { name: 'Iolanda Outra' },
      { birthDate: '1987-09-24' },
      { documentNumber: '12.345.678-9' },
    ])
      expect(await refusalOf(client.submitKyc({ ...collected, ...wrong }))).toEqual(
        rejectedFor('DATA_MISMATCH'),
      );
    const { token } = await client.submitKyc(collected);
    expect(await client.initiateTransaction(purchaseWith(token))).toMatchObject({ status: 'PENDING_AUTH' });
  });

  test('is refused a minute later if the document turns out to have another number', async () => {
    const partner = await newPartner();
    const { client } = partner;

    const { token, status } = await client.submitKyc(await collectedOf(partner, '90000001309'));
    expect(status).toBe('PENDING');

    const rejected = await client.waitForKyc(token, ['REJECTED'], QUICKLY);
    expect(rejected).toMatchObject({ status: 'REJECTED', reason: 'DATA_MISMATCH' });
    expect(await onlyEventOf(partner)).toMatchObject({
      type: 'kyc.rejected',
      data: { ...rejected, sequence: 1 },
    });
  });
});

describe.concurrent('a legal entity', () => {
  const entity = (cnpj: string | undefined) => ({
    cpf: randomCpf(),
    biometricHash: BIOMETRIC_HASH,
    personType: 'PJ' as const,
    cnpj,
  });

  test('is approved if its registry knows it and no list has its name', async () => {
    const { client } = await newPartner();

    expect(await client.submitKyc(entity('90.000.006/0001-51'))).toMatchObject({
      status: 'APPROVED',
      riskTier: 'STANDARD',
    });
  });

  test.each([
    ['90.000.001/0001-29', 'SANCTIONS_HIT'],
    ['12.345.678/0001-95', 'SANCTIONS_HIT'],
    ['90.000.003/0001-18', 'CNPJ_IRREGULAR'],
    ['90.000.004/0001-62', 'CNPJ_IRREGULAR'],
  ])('%s is rejected with %s', async (cnpj, reason) => {
    const { client } = await newPartner();

    expect(await refusalOf(client.submitKyc(entity(cnpj)))).toEqual(rejectedFor(reason));
  });

  test.each([
    ['without a CNPJ', undefined, 'CNPJ_REQUIRED'],
    ['close to a listed name', '90.000.002/0001-73', undefined],
  ])('%s is PENDING, at submit and at the lookup', async (_, cnpj, reason) => {
    const { client } = await newPartner();

    const kyc = await client.submitKyc(entity(cnpj));

    expect(kyc).toMatchObject({ status: 'PENDING' });
    expect(kyc.reason).toBe(reason);
    expect(await client.getKycStatus(kyc.token)).toEqual(kyc);
  });

  test('is PENDING while its registry is down, and APPROVED some minutes later', async () => {
    const { client } = await newPartner();

    const { token, status } = await client.submitKyc(entity('90.000.005/0001-07'));

    expect(status).toBe('PENDING');
    expect(await client.waitForKyc(token, ['APPROVED'], QUICKLY)).toMatchObject({ token });
  });
});

describe.concurrent('a PENDING record', () => {
  test.each([
    [1, 'verificationUrl', /^http/],
    [3, 'widgetToken', /^[\x21-\x7e]+$/],
  ] as const)(
    'is approved a minute later in Model %d, and then carries a purchase',
    async (model, way, form) => {
      const partner = await newPartner();
      const { client } = partner;

      const kyc = await client.submitKyc(await MODELS[model](partner, '900.000.003-37'));
      expect(kyc).toMatchObject({
        status: 'PENDING',
        riskTier: 'STANDARD',
        [way]: expect.stringMatching(form),
      });

      const approved = await client.waitForKyc(kyc.token, ['APPROVED'], QUICKLY);
      expect(approved).toEqual({
        token: kyc.token,
        status: 'APPROVED',
        riskTier: 'STANDARD',
        expiresAt: kyc.expiresAt,
      });
      expect(await onlyEventOf(partner)).toMatchObject({
        type: 'kyc.approved',
        data: { ...approved, sequence: 1 },
      });
      expect(await client.initiateTransaction(purchaseWith(kyc.token))).toMatchObject({
        status: 'PENDING_AUTH',
      });
    },
  );

  test('is rejected a minute later if the document is, and carries no purchase', async () => {
    const partner = await newPartner();
    const { client } = partner;

    const kyc = await client.submitKyc(await MODELS[1](partner, '900.000.004-18'));
    expect(kyc.status).toBe('PENDING');

    const rejected = await client.waitForKyc(kyc.token, ['REJECTED'], QUICKLY);
    expect(rejected).toMatchObject({ status: 'REJECTED', reason: 'DOCUMENT_REJECTED' });
    expect(await onlyEventOf(partner)).toMatchObject({
      type: 'kyc.rejected',
      data: { ...rejected, sequence: 1 },
    });
    expect(await refusalOf(client.initiateTransaction(purchaseWith(kyc.token)))).toEqual({
      code: 'KYC_NOT_APPROVED',
      details: { status: 'REJECTED' },
    });
  });

  test('is approved after an outage of the CPF registry once it answers', async () => {
    const partner = await newPartner();
    const cpf = '900.000.006-80';

    const kyc = await partner.client.submitKyc(await MODELS[1](partner, cpf));
    expect(kyc).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(kyc).not.toHaveProperty('verificationUrl');

    const approved = await partner.client.waitForKyc(kyc.token, ['APPROVED'], QUICKLY);
    expect(approved.riskTier).toBe('STANDARD');
    expect(await onlyEventOf(partner)).toMatchObject({ type: 'kyc.approved', data: approved });
  });
});

describe('a client is refused', () => {
  // Spec, What the service does: "a hit that the partner vendor missed"
  // Spec, Errors: "KYC_REJECTED 422: Client failed compliance screening; details.reason"
  // docs/decisions.md, "Decisions are made from facts alone"
  test.each([
    ['SANCTIONS_HIT', 1, '900.000.002-56'],
    ['SANCTIONS_HIT', 2, '900.000.002-56'],
    ['SANCTIONS_HIT', 3, '900.000.002-56'],
    ['IDENTITY_MISMATCH', 1, '900.000.005-07'],
    ['IDENTITY_MISMATCH', 3, '900.000.005-07'],
    ['CPF_IRREGULAR', 1, '405.321.768-71'],
    ['CPF_IRREGULAR', 2, '983.025.147-05'],
    ['UNDERAGE', 1, '302.720.950-79'],
    ['UNDERAGE', 3, '208.034.070-09'],
    ['DECEASED', 1, '051.375.187-43'],
    ['DECEASED', 2, '088.499.798-78'],
  ] as const)('with %s in Model %d: %s', async (reason, model, cpf) => {
    const partner = await newPartner();

    const refusal = await refusalOf(partner.client.submitKyc(await MODELS[model](partner, cpf)));

    expect(refusal).toEqual(rejectedFor(reason));
  });

  // Spec, Authentication: "validated by the service, including their signature"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  test.each([
    ['that is none', async () => 'a.b.c'],
    [
      'for somebody else',
      async ({ client }: Partner) => {
        return (await client.sandbox.partnerKycToken({ cpf: randomCpf() })).partnerKycToken;
      },
    ],
    [
      'that a stranger signed',
      async () => (await newSigner('EdDSA', 'sandbox-1')).sign({ sub: '52998224725' }),
    ],
  ] as const)('with PARTNER_TOKEN_INVALID for a token %s', async (_, make) => {
    const partner = await newPartner();
    const submission = { cpf: '529.982.247-25', partnerKycToken: await make(partner) };

    expect(await refusalOf(partner.client.submitKyc(submission))).toEqual(rejectedToken(expect.any(String)));
  });

  test('with PARTNER_TOKEN_INVALID if the partner has registered no vendor', async () => {
    const partner = await newPartner({ kycTokens: undefined });

    const refusal = await refusalOf(partner.client.submitKyc(await MODELS[2](partner, randomCpf())));

    expect(refusal).toEqual(rejectedToken('NOT_REGISTERED'));
  });

  test('with a partner’s token that was used, except in the same request, which gets its answer again', async () => {
    const partner = await newPartner();
    const submission = await MODELS[2](partner, randomCpf());
    const first = await partner.client.submitKyc(submission);

    expect(await partner.client.submitKyc({ ...submission })).toEqual(first);
    expect(
      await refusalOf(partner.client.submitKyc({ ...submission, biometricHash: BIOMETRIC_HASH })),
    ).toEqual(rejectedToken('USED'));
  });
});

describe('an expired token', () => {
  // Spec, Get KYC status: "Response 200: token, status, riskTier, expiresAt"
  test.each([1, 2, 3] as const)(
    'is EXPIRED from its first lookup, and carries no purchase, in Model %d',
    async (model) => {
      const partner = await newPartner();
      const { client } = partner;

      const kyc = await client.submitKyc(await MODELS[model](partner, '900.000.010-66'));
      const purchase = refusalOf(client.initiateTransaction(purchaseWith(kyc.token)));

      expect(kyc).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
      expect(await purchase).toEqual({ code: 'KYC_TOKEN_EXPIRED', details: {} });
      expect(await client.getKycStatus(kyc.token)).toEqual({ ...kyc, status: 'EXPIRED' });
      expect(Date.parse(kyc.expiresAt)).toBeLessThanOrEqual(Date.now());
    },
  );
});

describe('a scenario', () => {
  test('is played again with each submission, once it has ended', async () => {
    const partner = await newPartner();
    const submit = async (cpf: string) => partner.client.submitKyc(await MODELS[1](partner, cpf));
    const first = await submit('900.000.003-37');
    expect((await submit('900.000.003-37')).status).toBe('PENDING');
    await partner.client.waitForKyc(first.token, ['APPROVED'], QUICKLY);

    const again = await submit('900.000.003-37');

    expect(again).toMatchObject({ status: 'PENDING', verificationUrl: expect.stringMatching(/^http/) });
    expect(await partner.client.getKycStatus(first.token)).toMatchObject({ status: 'APPROVED' });
    await partner.client.waitForKyc(again.token, ['APPROVED'], QUICKLY);
  });

  test('lets its client enrol again, unlike any other client', async () => {
    const challengeOf = async (cpf: string) => {
      const partner = await newPartner();
      const { client } = partner;
      const initiated = async () => {
        const { token } = await client.submitKyc(await MODELS[1](partner, cpf));
        return client.initiateTransaction(purchaseWith(token));
      };
      const { transactionId, authChallenge } = await initiated();
      const code = totpCode(authChallenge.enrollment!.otpauthUri);
      await client.confirmMfa({ transactionId, totpCode: code });
      await forgetCharges({ id: transactionId });
      return { first: authChallenge, again: (await initiated()).authChallenge };
    };

    const { first, again } = await challengeOf('900.000.008-41');
    expect(again).toEqual(first);
    expect((await challengeOf(randomCpf())).again).not.toHaveProperty('enrollment');
  });

  test('of a refusal is played again, too', async () => {
    const partner = await newPartner();
    const submit = async () => partner.client.submitKyc(await MODELS[3](partner, '900.000.004-18'));
    const first = await submit();
    await partner.client.waitForKyc(first.token, ['REJECTED'], QUICKLY);

    const again = await submit();

    expect(again).toMatchObject({ status: 'PENDING', widgetToken: expect.any(String) });
    const { reason } = await partner.client.waitForKyc(again.token, ['REJECTED'], QUICKLY);
    expect(reason).toBe('DOCUMENT_REJECTED');
  });
});
