import { beforeAll, describe, expect, test } from 'vitest';
import { hitsOf } from '../../functions/domain/screening/screening.ts';
import { WALLET } from '../support/builders.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { aRequest, clientIdOf, partnerOf } from '../support/submissions.ts';
import { memoryTables, rowIn } from '../support/tables.ts';
import { forged, newSigner, type Signer } from '../support/token-signer.ts';

const tables = memoryTables();
let vendor: Signer;
beforeAll(async () => {
  vendor = await newSigner();
});

const SECONDS = START_AT / 1000;
const issuer = { issuer: 'https://vendor.example', audience: 'onramp' };

let tokens = 0;
const claimsFor = (cpf: string, changes: Record<string, unknown> = {}) => ({
  iss: issuer.issuer,
  aud: issuer.audience,
  sub: cpf,
  jti: `token-${++tokens}`,
  iat: SECONDS - 5,
  exp: SECONDS + 600,
  ...changes,
});

/** A partner with a registered vendor. */
const registered = (ports: TestPorts) =>
  partnerOf(ports, { kycTokens: { ...issuer, jwks: { keys: [vendor.jwk] } } });
type Request = ReturnType<typeof aRequest>;
/** A request of Model 2 with a token that the vendor signed. */
async function vouched(
  claims: Record<string, unknown> = {},
  changes: Partial<Request> = {},
): Promise<Request> {
  const request = aRequest({ biometricHash: undefined, ...changes });
  return { ...request, partnerKycToken: await vendor.sign(claimsFor(request.cpf, claims)) };
}
const reasonOf = (submission: Promise<unknown>) =>
  submission.then(
    () => 'none',
    (error: { code?: string; details?: object }) => ({ code: error.code, details: error.details }),
  );
const invalid = (fault: string) => ({
  code: 'KYC_REJECTED',
  details: { reason: 'PARTNER_TOKEN_INVALID', fault },
});

describe('a partner’s token', () => {
  // Spec, What the service does: "The partner's own KYC vendor clears the user"
  // Spec, Submit KYC data: "the partner vendor's KYC token"
  // docs/decisions.md, "Documents and face are verified by the identity provider"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  test('approves its client by registry and lists, without documents', async () => {
    const ports = openPorts(tables);
    const request = await vouched();

    const answer = await registered(ports).submit(request);

    expect(answer).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(await ports.kycRecords.findRecord(answer.token)).toMatchObject({ model: 2 });
    expect(ports.cpfRegistry.asked).toEqual([request.cpf]);
    expect(ports.sanctions.searched).toHaveLength(1);
    expect(ports.identity.applicants).toEqual([]);
  });

  // Spec, What the service does: "a hit that the partner vendor missed"
  test('does not outweigh a list hit that the vendor missed', async () => {
    const ports = openPorts(tables);
    ports.sanctions.candidates = hitsOf([
      { list: 'OFAC_SDN', entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' },
    ]);

    expect(await reasonOf(registered(ports).submit(await vouched()))).toEqual({
      code: 'KYC_REJECTED',
      details: { reason: 'SANCTIONS_HIT' },
    });
  });

  // Spec, What the service does: "issues its own KYC token"
  test('does not outweigh our findings about the client’s wallets', async () => {
    const ports = openPorts(tables);
    const { partner, submit } = registered(ports);
    const first = await vouched();
    await submit(first);
    await ports.clients.addWallet(await clientIdOf(ports, partner.id, first.cpf), WALLET);
    ports.walletRisk.isSanctioned = true;

    const answer = await submit(await vouched({ sub: first.cpf }, { cpf: first.cpf }));

    expect(answer).toMatchObject({ status: 'APPROVED', riskTier: 'HIGH' });
    expect(ports.walletRisk.asked).toEqual([WALLET]);
  });

  test('leaves the client PENDING while our own registry is down', async () => {
    const ports = openPorts(tables);
    ports.cpfRegistry.isDown = true;

    const answer = await registered(ports).submit(await vouched());

    expect(answer).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(answer).not.toHaveProperty('verificationUrl');
  });

  test('is named in the evidence by its hash only', async () => {
    const ports = openPorts(tables);
    const request = await vouched({ jti: 'a-telling-id' });

    const { token } = await registered(ports).submit(request);

    const evidence = await rowIn(tables, 'evidence', `${token}#kyc#${START_AT}`);
    expect(evidence).toMatchObject({ inputs: { partnerTokenHash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(JSON.stringify(evidence)).not.toMatch(/a-telling-id|eyJ/);
  });
});

describe('a partner’s token that is used again', () => {
  test('gives the same request the same record, because a retry is not a replay', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();

    const [first, second] = [await submit(request), await submit({ ...request })];

    expect(second).toEqual(first);
  });

  test('gives a rejection again with its reason', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();
    ports.cpfRegistry.entry = undefined;
    await reasonOf(submit(request));
    ports.cpfRegistry.entry = { name: 'A', birthDate: '1980-01-01', situation: 'REGULAR' };

    expect(await reasonOf(submit(request))).toMatchObject({ details: { reason: 'CPF_IRREGULAR' } });
  });

  test.each([
    ['another biometric', { biometricHash: `sha256:${'cd'.repeat(32)}` }],
    ['another kind of person', { personType: 'PJ' as const }],
    ['a legal entity besides', { personType: 'PJ' as const, cnpj: '11222333000181' }],
  ])('is refused with %s', async (_, changes) => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();
    await submit(request);

    expect(await reasonOf(submit({ ...request, ...changes }))).toEqual(invalid('USED'));
    expect(ports.log.lines.join()).toContain('USED');
  });

  test('is refused once a correction has ended its record', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();
    await submit(request);
    const { findClient } = ports.clients;
    ports.clients.findClient = async (id) => ({ ...(await findClient(id))!, correctedAt: START_AT + 1 });

    expect(await reasonOf(submit({ ...request }))).toEqual(invalid('USED'));
  });

  test('is refused with the same id in a newly signed token', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const first = await vouched({ jti: 'twice' });
    await submit(first);

    expect(await reasonOf(submit(await vouched({ jti: 'twice' }, { cpf: first.cpf })))).toEqual(
      invalid('USED'),
    );
  });

  test('is used once by twenty requests at once', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();

    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(request)));

    expect(new Set(answers.map(({ token }) => token)).size).toBe(1);
  });

  test('is still good if the first try failed before it was written', async () => {
    const ports = openPorts(tables);
    const { submit } = registered(ports);
    const request = await vouched();
    const { create } = ports.kycRecords;
    ports.kycRecords.create = () => Promise.reject(new Error('the function died'));
    await reasonOf(submit(request));
    ports.kycRecords.create = create;

    expect(await submit({ ...request, biometricHash: `sha256:${'cd'.repeat(32)}` })).toMatchObject({
      status: 'APPROVED',
    });
  });
});

describe('a partner’s token that is refused', () => {
  const changed = (claims: Record<string, unknown>) => () => vouched(claims);
  const replaced = (make: (cpf: string) => string | Promise<string>) => async () => {
    const request = aRequest({ biometricHash: undefined });
    return { ...request, partnerKycToken: await make(request.cpf) };
  };

  test.each([
    ['ISSUER', 'of another issuer', changed({ iss: 'https://other.example' })],
    ['AUDIENCE', 'for another audience', changed({ aud: 'somebody-else' })],
    ['SUBJECT', 'for another CPF', changed({ sub: '11144477735' })],
    ['TIME', 'that has expired', changed({ exp: SECONDS - 61 })],
    ['TIME', 'that never expires', changed({ exp: undefined })],
    ['TIME', 'from the future', changed({ iat: SECONDS + 61 })],
    ['TIME', 'from the day before yesterday', changed({ iat: SECONDS - 2 * 86_400 })],
    ['TOKEN_ID', 'without an id', changed({ jti: undefined })],
    [
      'ALGORITHM',
      'that nobody signed',
      replaced((cpf) => forged({ alg: 'none', kid: 'k1' }, claimsFor(cpf))),
    ],
    ['SIGNATURE', 'by a stranger', replaced(async (cpf) => (await newSigner()).sign(claimsFor(cpf)))],
    ['UNKNOWN_KEY', 'by an unknown key', replaced((cpf) => vendor.sign(claimsFor(cpf), { kid: 'k9' }))],
    ['MALFORMED', 'that is none', replaced(() => 'x'.repeat(8192))],
  ] as const)('for its %s: one %s', async (fault, _, make) => {
    const ports = openPorts(tables);
    const { partner, submit } = registered(ports);

    expect(await reasonOf(submit(await make()))).toEqual(invalid(fault));

    const fields = { partnerId: partner.id, fault };
    expect(ports.log.lines).toEqual([`"partner KYC token refused" ${JSON.stringify(fields)}`]);
    expect(ports.cpfRegistry.asked).toEqual([]);
  });

  test('for a partner without a registered key', async () => {
    const ports = openPorts(tables);

    expect(await reasonOf(partnerOf(ports).submit(await vouched()))).toEqual(invalid('NOT_REGISTERED'));
    expect(ports.log.lines.join()).toContain('NOT_REGISTERED');
  });
});
