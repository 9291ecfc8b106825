import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { KycSource } from '../../functions/domain/kyc/kyc-reasons.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { hitsOf } from '../../functions/domain/screening/screening.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { aRequest, clientIdOf, HOLDER, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

const tables = memoryTables();

type Status = Parameters<typeof reviewIs>[2];

/** One submission of a client whose review at the provider has this status. */
async function submitted(ports: TestPorts, status: Status, changes: Parameters<typeof aRequest>[0] = {}) {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest(changes);
  const clientId = await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, status);
  return { answer: await submit(request), request, clientId, partnerId: partner.id };
}
const evidenceOf = (token: string) => rowIn(tables, 'evidence', `${token}#kyc#${START_AT}`);
const reasonOf = (submission: Promise<unknown>) =>
  submission.then(
    () => undefined,
    (error: { details?: { reason?: string } }) => error.details?.reason,
  );
const hitOn = (list: ListId) =>
  hitsOf([{ list, entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' }]);

describe('documents and face at the identity provider', () => {
  // Spec, What the service does: "does all KYC/AML"
  // Spec, What the service does: "generates an applicant identifier"
  // docs/decisions.md, "Documents and face are verified by the identity provider"
  test('approve the client once they are approved and show the person of the registry', async () => {
    const ports = openPorts(tables);

    const { answer, clientId, request } = await submitted(ports, 'APPROVED');

    expect(answer).toEqual({
      token: answer.token,
      status: 'APPROVED',
      riskTier: 'STANDARD',
      expiresAt: '2099-01-02T00:00:00.000Z',
    });
    expect(ports.identity.applicants).toEqual([{ clientId, cpf: request.cpf, isNew: true }]);
    expect(await ports.kycRecords.findRecord(answer.token)).not.toHaveProperty('nextCheckAt');
  });

  // Spec, What the service does: "an embedded identity-verification widget"
  test.each([
    [
      'a link to the provider’s page in Model 1',
      undefined,
      'verificationUrl',
      'https://identity.example/verify/',
    ],
    ['access to its widget in Model 3', 'shared', 'widgetToken', 'widget-'],
  ] as const)('are requested while they are pending: %s', async (_, mode, field, begins) => {
    const { answer, clientId } = await submitted(openPorts(tables), 'PENDING', { mode });

    expect(answer).toEqual({
      token: answer.token,
      status: 'PENDING',
      riskTier: 'STANDARD',
      expiresAt: '2099-01-02T00:00:00.000Z',
      [field]: `${begins}${clientId}`,
    });
  });

  test('are requested later if the provider gives no link now', async () => {
    const ports = openPorts(tables);
    ports.identity.verificationLink = () => Promise.reject(new Unavailable('the identity provider'));

    const { answer } = await submitted(ports, 'PENDING');

    expect(answer).toMatchObject({ status: 'PENDING' });
    expect(answer).not.toHaveProperty('verificationUrl');
  });

  test('leave a record that is read again in a minute, by schedule and by client', async () => {
    const ports = openPorts(tables);

    const { answer, clientId } = await submitted(ports, 'PENDING');

    const record = await ports.kycRecords.findRecord(answer.token);
    expect(record).toMatchObject({ status: 'PENDING', nextCheckAt: START_AT + MINUTE_MS, checks: 0 });
    expect(await ports.kycReviews.listOfClient(clientId, 20)).toEqual([answer.token]);
  });

  // Spec, What the service does: "both data sets are cross-checked"
  // docs/decisions.md, "Documents and face are verified by the identity provider"
  test.each([
    ['DOCUMENT_REJECTED', 'REJECTED', HOLDER],
    ['IDENTITY_MISMATCH', 'APPROVED', { ...HOLDER, birthDate: '1980-01-02' }],
    ['IDENTITY_MISMATCH', 'APPROVED', { ...HOLDER, name: 'Outra Pessoa' }],
  ] as const)('refuse the client with %s', async (reason, status, holder) => {
    const ports = openPorts(tables);
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, status, holder);

    expect(await reasonOf(submit(request))).toBe(reason);
  });

  test('are not requested from a client whom lists or registry reject', async () => {
    const ports = openPorts(tables);
    ports.sanctions.candidates = hitOn('OFAC_SDN');

    expect(await reasonOf(partnerOf(ports).submit(aRequest()))).toBe('SANCTIONS_HIT');

    expect(ports.identity.applicants).toEqual([]);
  });

  test('leave no personal data in the evidence', async () => {
    const { answer, request, clientId } = await submitted(openPorts(tables), 'PENDING');

    const evidence = await evidenceOf(answer.token);
    expect(evidence).toMatchObject({
      inputs: { clientId, model: 1 },
      findings: { registry: { situation: 'REGULAR' }, review: { status: 'PENDING' }, unavailable: [] },
      decision: { status: 'PENDING', rules: ['pending: documents not reviewed', 'tier: STANDARD'] },
    });
    expect(JSON.stringify(evidence).toUpperCase()).not.toMatch(new RegExp(`${request.cpf}|MARIA|1980`));
  });
});

describe('a provider that is down', () => {
  const stop: Record<KycSource, (ports: TestPorts) => void> = {
    CPF_REGISTRY: (ports) => {
      ports.cpfRegistry.isDown = true;
    },
    COMPANY_REGISTRY: (ports) => {
      ports.companyRegistry.isDown = true;
    },
    SANCTIONS_LISTS: (ports) => {
      ports.sanctions.isDown = true;
    },
    IDENTITY_PROVIDER: (ports) => {
      ports.identity.isDown = true;
    },
    WALLET_ORACLE: (ports) => {
      ports.walletRisk.isDown = true;
    },
  };

  test.each([
    ['CPF_REGISTRY', 'HIGH'],
    ['COMPANY_REGISTRY', 'HIGH'],
    ['SANCTIONS_LISTS', 'HIGH'],
    ['IDENTITY_PROVIDER', 'STANDARD'],
    ['WALLET_ORACLE', 'HIGH'],
  ] as const)(
    'leaves the client PENDING, named in the evidence and the log: %s',
    async (source, riskTier) => {
      const ports = openPorts(tables);
      const { partner, submit } = partnerOf(ports);
      const request = aRequest({ personType: 'PJ', cnpj: '11222333000181' });
      const clientId = await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
      const { token } = await submit(request);
      await ports.clients.addWallet(clientId, WALLET);
      expect(token).toBeTruthy();
      stop[source](ports);

      const answer = await submit(request);

      expect(answer).toMatchObject({ status: 'PENDING', riskTier });
      expect(await evidenceOf(answer.token)).toMatchObject({ findings: { unavailable: [source] } });
      expect(ports.log.lines.join()).toContain(source);
      expect(ports.log.lines.join()).not.toContain(request.cpf);
    },
  );

  test('does not stop the questions to the others', async () => {
    const ports = openPorts(tables);
    ports.cpfRegistry.isDown = true;

    expect(await reasonOf(submitted(ports, 'REJECTED'))).toBe('DOCUMENT_REJECTED');
  });

  test('is not the same as our own mistake, which answers nothing and stores no record', async () => {
    const ports = openPorts(tables);
    ports.cpfRegistry.findCpf = () => Promise.reject(new Error('refused a query: HTTP 401'));
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();

    await expect(submit(request)).rejects.toThrow('401');

    const clientId = await clientIdOf(ports, partner.id, request.cpf);
    expect(await ports.kycReviews.listOfClient(clientId, 20)).toEqual([]);
  });
});

describe('a birthday', () => {
  test('begins at midnight in Brasília', async () => {
    const ports = openPorts(tables);
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    // Midnight of the first of January in UTC is still the old year in Brasília.
    const holder = { ...HOLDER, birthDate: '2081-01-01' };
    ports.cpfRegistry.entry = { ...ports.cpfRegistry.entry!, birthDate: holder.birthDate };
    await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED', holder);
    expect(await reasonOf(submit(request))).toBe('UNDERAGE');

    ports.clock.advance(3 * 60 * MINUTE_MS - 1);
    expect(await reasonOf(submit(request))).toBe('UNDERAGE');
    ports.clock.advance(1);

    expect(await submit(request)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('the known wallets of a client', () => {
  const secondSubmission = async (ports: TestPorts, wallets: string[]) => {
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    const clientId = await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
    await submit(request);
    for (const wallet of wallets) await ports.clients.addWallet(clientId, wallet);
    return submit(request);
  };

  // Spec, What the service does: "wallet risk scoring"
  // docs/compliance.md, "Effect of a hit"
  test('are scored at the next submission, and a sanctioned one makes the tier HIGH', async () => {
    const ports = openPorts(tables);
    ports.walletRisk.isSanctioned = true;

    const answer = await secondSubmission(ports, [WALLET]);

    expect(answer).toMatchObject({ status: 'APPROVED', riskTier: 'HIGH' });
    expect(ports.walletRisk.asked).toEqual([WALLET]);
    expect(await evidenceOf(answer.token)).toMatchObject({
      findings: { refusedWallets: [WALLET] },
      decision: { rules: [`HIGH: refused wallet, ${WALLET}`, 'tier: HIGH'] },
    });
  });

  test('keep the tier if all are clean', async () => {
    const answer = await secondSubmission(openPorts(tables), [WALLET]);

    expect(answer).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
  });

  test('are scored up to twenty', async () => {
    const ports = openPorts(tables);

    await secondSubmission(
      ports,
      Array.from({ length: 25 }, (_, index) => `0x${index}`),
    );

    expect(ports.walletRisk.asked).toHaveLength(20);
  });

  // Spec, What the service does: "wallet risk scoring"
  test('are not scored at a first submission, which has none', async () => {
    const ports = openPorts(tables);

    await submitted(ports, 'APPROVED');

    expect(ports.walletRisk.asked).toEqual([]);
  });
});

describe('a legal entity', () => {
  test('is searched by its CNPJ, which a PENDING record keeps encrypted', async () => {
    const ports = openPorts(tables);
    const cnpj = '11222333000181';

    const { answer, clientId } = await submitted(ports, 'PENDING', { personType: 'PJ', cnpj });

    expect(ports.sanctions.searched).toMatchObject([{ cnpj }]);
    const { cnpjCipher } = (await ports.kycRecords.findRecord(answer.token))!;
    expect(cnpjCipher).not.toContain(cnpj);
    expect(await ports.vault.decrypt(cnpjCipher!, clientId)).toBe(cnpj);
  });
});
