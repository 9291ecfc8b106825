import { describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { DocumentHolder, Liveness, LivenessCheck } from '../../functions/domain/kyc/identity.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { KycModel } from '../../functions/domain/kyc/kyc.ts';
import { hitsOf } from '../../functions/domain/screening/screening.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { reviewLiveness } from '../../functions/logic/purchase/liveness.ts';
import { aClient, MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT, type TestPorts } from '../support/ports.ts';
import { aRequest, HOLDER, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

const tables = memoryTables();

const CPF = '52998224725';
const DAY_MS = 24 * 60 * MINUTE_MS;
const REVIEWED_AT = START_AT + MINUTE_MS;

/** A purchase of this model whose check passed in time at the provider. */
async function passed(model: KycModel, check: Partial<LivenessCheck>, liveness: Partial<Liveness> = {}) {
  const opened = openPorts(tables);
  const { partner } = partnerOf(opened);
  const ports = { ...opened, partners: { ...opened.partners, findPartner: async () => partner } };
  const purchase = await putPurchaseIn(opened, 'AWAITING_MFA', {
    model,
    challenge: { type: 'LIVENESS' },
    riskTier: 'HIGH',
    liveness: { attempt: 1, url: 'https://identity.example/first', urlExpiresAt: START_AT, ...liveness },
  });
  const { id, clientId } = purchase;
  const cpfCipher = await ports.vault.encrypt(CPF, clientId);
  await ports.clients.create(aClient({ id: clientId, cpfCipher }));
  const status = 'PASSED';
  ports.identity.checks.set(livenessIdOf(id, 1), { status, reviewedAt: REVIEWED_AT, ...check });
  ports.clock.advance(2 * MINUTE_MS);
  return {
    ports,
    purchase,
    partner,
    review: async () => reviewLiveness(await reread(opened, purchase), ports),
  };
}
const VERIFIED = { holder: HOLDER, verifiedAt: REVIEWED_AT };
const evidenceOf = ({ id }: { id: string }, at = START_AT + 2 * MINUTE_MS) =>
  rowIn(tables, 'evidence', `${id}#liveness#${at}`);

describe('a face whose document no submission has compared', () => {
  test.each([
    ['in Model 2, whenever it was verified', 2, START_AT - 30 * DAY_MS],
    ['in Model 1, verified since the submission may have been', 1, START_AT - DAY_MS],
    ['in Model 3, verified nobody says when', 3, undefined],
  ] as const)('counts if the registry knows its holder: %s', async (_, model, verifiedAt) => {
    const { ports, purchase, review } = await passed(model, { holder: HOLDER, verifiedAt });

    expect(await review()).toBe(true);

    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
    expect(ports.cpfRegistry.asked).toEqual([CPF]);
    expect(await evidenceOf(purchase)).toMatchObject({
      kind: 'liveness',
      inputs: { reviewedAt: REVIEWED_AT },
      decision: { status: 'PASSED' },
      findings: { registry: { situation: 'REGULAR' }, holder: 'SAME' },
    });
  });

  // docs/operations.md, "History"
  test('is archived, even if the registry answers only an hour after the check', async () => {
    const { ports, purchase, review } = await passed(2, VERIFIED);
    ports.clock.advance(60 * MINUTE_MS);

    expect(await review()).toBe(true);

    const at = ports.clock.now();
    expect(await evidenceOf(purchase, at)).toMatchObject({ at, inputs: { reviewedAt: REVIEWED_AT } });
  });

  // docs/decisions.md, "The liveness check"
  test.each<[string, DocumentHolder | undefined]>([
    ['another name', { ...HOLDER, name: 'Outra Pessoa Teste' }],
    ['another birth date', { ...HOLDER, birthDate: '1980-01-02' }],
    ['another CPF', { ...HOLDER, cpf: '11144477735' }],
    ['nothing that could be read', undefined],
  ])('fails if the document shows %s', async (_, holder) => {
    const { ports, purchase, review } = await passed(2, { holder, verifiedAt: REVIEWED_AT });

    expect(await review()).toBe(false);

    expect(await reread(ports, purchase)).toMatchObject({
      status: 'AWAITING_MFA',
      liveness: { attempt: 2, url: '' },
    });
    expect(ports.pix.charges.size).toBe(0);
    expect(ports.log.lines.join()).toContain('liveness of another person');
    const evidence = await evidenceOf(purchase);
    expect(evidence).toMatchObject({ decision: { status: 'FAILED', reason: 'IDENTITY_MISMATCH' } });
    for (const personal of [CPF, 'Outra', 'Teste']) {
      expect(JSON.stringify([evidence, ports.log.lines])).not.toContain(personal);
    }
  });

  test.each(['DECEASED', 'IRREGULAR', undefined] as const)(
    'fails if the registry now has the person as %s',
    async (situation) => {
      const { ports, purchase, review } = await passed(2, VERIFIED);
      ports.cpfRegistry.entry = situation && { ...ports.cpfRegistry.entry!, situation };

      expect(await review()).toBe(false);

      expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
    },
  );

  test('waits while the registry is down, and the client must still prove themselves', async () => {
    const { ports, purchase, review } = await passed(2, VERIFIED);
    await ports.clients.resetTotp(purchase.clientId, 'cipher', START_AT);
    ports.cpfRegistry.isDown = true;

    await expect(review()).rejects.toThrow('the CPF registry is unavailable');
    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_MFA', liveness: { attempt: 1 } });
    expect(await ports.clients.findClient(purchase.clientId)).toHaveProperty('mustProve');

    ports.cpfRegistry.isDown = false;
    expect(await review()).toBe(true);
    expect(await ports.clients.findClient(purchase.clientId)).not.toHaveProperty('mustProve');
  });

  // docs/decisions.md, "Limits of a partner"
  test('counts as a look-up of the partner, and waits beyond its quota', async () => {
    const { ports, purchase, partner, review } = await passed(2, VERIFIED);
    partner.registryQuota = { perDay: 0 };

    await expect(review()).rejects.toThrow('the quota of paid look-ups is unavailable');
    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_MFA', liveness: { attempt: 1 } });
    expect(ports.cpfRegistry.asked).toEqual([]);

    partner.registryQuota = { perDay: 1 };
    expect(await review()).toBe(true);
    expect(await ports.registryUse.findUsed(purchase.partnerId, dayInBrasilia(ports.clock.now()))).toBe(1);
  });

  test('does not end the client’s duty to prove themselves if it is another person’s', async () => {
    const holder = { ...HOLDER, name: 'Outra Pessoa Teste' };
    const { ports, purchase, review } = await passed(2, { holder, verifiedAt: REVIEWED_AT });
    await ports.clients.resetTotp(purchase.clientId, 'cipher', START_AT);

    await review();

    expect(await ports.clients.findClient(purchase.clientId)).toHaveProperty('mustProve');
  });
});

test('a face whose document the submission compared needs no question to the registry', async () => {
  const { ports, review } = await passed(1, { holder: HOLDER, verifiedAt: START_AT - DAY_MS - 1 });

  expect(await review()).toBe(true);
  expect(ports.cpfRegistry.asked).toEqual([]);
});

describe('a verification with documents is the check', () => {
  test.each([
    ['where this purchase’s link asked for documents', true, START_AT],
    ['and nowhere else', undefined, undefined],
  ] as const)('%s', async (_, withDocuments, since) => {
    const { ports, review } = await passed(2, VERIFIED, withDocuments && { withDocuments });

    await review();

    expect(ports.identity.documentsSince).toEqual([since]);
  });
});

test('an unverified client of Model 2 must show documents', async () => {
  const ports: TestPorts = openPorts(tables);
  const { partner, submit } = partnerOf(ports);
  const request = aRequest();
  ports.sanctions.candidates = hitsOf([
    { list: 'BR_PEP', entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' },
  ]);
  await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
  const { token: kycToken } = await submit(request);
  await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'PENDING');

  const { transactionId, authChallenge } = await initiateTransaction(
    { kycToken, amountBrl: 250, asset: 'USDT', walletAddress: WALLET },
    { partner, keyId: 'key1', ids: reservedIds(newReservation(START_AT, ports.random)) },
    ports,
  );

  expect(authChallenge).toMatchObject({ type: 'LIVENESS', livenessUrl: expect.any(String) });
  expect((await reread(ports, { id: transactionId })).liveness).toMatchObject({ withDocuments: true });
});
