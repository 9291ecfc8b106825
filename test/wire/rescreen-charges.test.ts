import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aKycRecord, aPartner, MINUTE_MS } from '../support/builders.ts';
import { aPurchaseIn, eventsOf, MFA_UNTIL, reread, START_AT } from '../support/ports.ts';
import { onList, openWorld } from '../support/rescreening.ts';
import { randomCpf } from '../support/sandbox.ts';
import { HOLDER } from '../support/submissions.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

/** A purchase that waits for its challenge, and calls by which its client passes the challenge. */
async function challenged(changes: Partial<Transaction> = {}) {
  const world = openWorld(tables);
  const partner = aPartner();
  const ports = { ...world.ports, partners: { ...world.ports.partners, findPartner: async () => partner } };
  const purchase = aPurchaseIn('AWAITING_MFA', { partnerId: partner.id, ...changes });
  const { id, clientId } = purchase;
  const cpf = randomCpf();
  const secret = newTotpSecret(ports.random);
  const cipher = (text: string) => ports.vault.encrypt(text, clientId);
  await ports.clients.create(
    aClient({
      id: clientId,
      cpfCipher: await cipher(cpf),
      totpCipher: await ports.totpSealer.encrypt(secret, clientId),
    }),
  );
  ports.identity.reviews.set(clientId, { applicantId: 'a1', status: 'APPROVED', holder: HOLDER });
  await putApproved(ports, purchase);
  await ports.transactions.create(purchase);
  /** The lists change, and the schedule runs. */
  async function listed(score: number) {
    world.publish(2, { [cpf]: [onList('OFAC_SDN', score)] });
    ports.clock.advance(MINUTE_MS);
    await rescreenClients(ports);
  }
  const ids = () => reservedIds(newReservation(ports.clock.now(), ports.random));
  const confirm = () => {
    const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
    return confirmMfa({ id, totpCode }, { partner, keyId: 'key1', ids: ids() }, ports);
  };
  const pass = () =>
    ports.identity.checks.set(livenessIdOf(id, 1), { status: 'PASSED', reviewedAt: ports.clock.now() });
  const news = () => processCallback({ livenessIds: [livenessIdOf(id, 1)] }, ports);
  async function clearCase() {
    ports.clock.advance(1);
    const opened = (await world.cases.listOpen()).find((each) => each.clientId === clientId)!;
    await world.decide(opened, 'CLEARED');
    await reviewPendingKyc(ports);
  }
  return { world, ports, purchase, listed, confirm, pass, news, clearCase };
}

const LIVENESS: Partial<Transaction> = {
  challenge: { type: 'LIVENESS' },
  riskTier: 'HIGH',
  liveness: { attempt: 1, url: 'https://identity.example/first', urlExpiresAt: START_AT },
};

describe('the right code of a client who is on a list since the purchase began', () => {
  // docs/decisions.md, "Screening again"
  test.each([
    [1, 'REJECTED'],
    [0.8, 'PENDING'],
  ])('opens no charge at a score of %d, and the answer is %s', async (score, status) => {
    const { ports, purchase, listed, confirm } = await challenged();
    await listed(score);

    await expect(confirm()).rejects.toMatchObject({ code: 'KYC_NOT_APPROVED', details: { status } });

    expect([...ports.pix.charges.keys()]).toEqual([]);
    expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
  });

  test('opens a charge once a person has cleared the case', async () => {
    const { ports, purchase, listed, confirm, clearCase } = await challenged();
    await listed(0.8);
    await expect(confirm()).rejects.toMatchObject({ code: 'KYC_NOT_APPROVED' });
    await clearCase();
    ports.clock.advance(MINUTE_MS);

    expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });

    expect([...ports.pix.charges.keys()]).toEqual([purchase.id]);
  });
});

describe('the right code after the day of the KYC token', () => {
  test('opens a charge, because the purchase began in time', async () => {
    const { ports, confirm } = await challenged();
    const over = aKycRecord({ issuedAt: START_AT, expiresAt: START_AT });
    ports.kycRecords.findRecord = async () => over;

    expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
  });
});

describe('the liveness of a client who is on a list since the purchase began', () => {
  test.each([1, 0.8])('is not enough at a score of %d: the purchase waits, then expires', async (score) => {
    const { ports, purchase, listed, pass, news } = await challenged(LIVENESS);
    await listed(score);
    pass();

    await news();
    expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
    expect([...ports.pix.charges.keys()]).toEqual([]);

    ports.clock.advance(MFA_UNTIL - ports.clock.now());
    expect(await expireTransaction({ transactionId: purchase.id }, ports)).toMatchObject({
      status: 'EXPIRED',
    });
    expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.expired']);
  });

  test('goes on at the next look once a person has cleared the case', async () => {
    const { ports, purchase, listed, pass, news, clearCase } = await challenged(LIVENESS);
    await listed(0.8);
    pass();
    await news();
    await clearCase();

    await news();

    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
  });
});
