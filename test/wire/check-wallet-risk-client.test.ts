import { describe, expect, test } from 'vitest';
import type { KycEvidence } from '../../functions/domain/kyc/kyc-decision.ts';
import { decideAgain } from '../../functions/domain/purchase/evidence.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { putApproved, SCREENED } from '../support/approved.ts';
import { aClient, type KycRecordChanges, MINUTE_MS } from '../support/builders.ts';
import { aPurchaseIn, START_AT } from '../support/ports.ts';
import { events, indexOf, onList, openWorld, recordOf } from '../support/rescreening.ts';
import { randomCpf } from '../support/sandbox.ts';
import { HOLDER } from '../support/submissions.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

const tables = memoryTables();

const DAY_MS = 24 * 60 * MINUTE_MS;

/** A paid purchase of a client who was on no list when it began. */
async function paid(changes: Partial<Transaction> = {}, record: KycRecordChanges = {}) {
  const world = openWorld(tables);
  const { ports } = world;
  const purchase = aPurchaseIn('PROCESSING', changes);
  const { id: transactionId, clientId: id, partnerId, kycToken: token } = purchase;
  const cpf = randomCpf();
  await ports.clients.create(aClient({ id, partnerId, cpfCipher: await ports.vault.encrypt(cpf, id) }));
  ports.identity.reviews.set(id, { applicantId: 'a1', status: 'APPROVED', holder: HOLDER });
  await putApproved(ports, purchase, record);
  await ports.transactions.create(purchase);
  const visit = () => {
    ports.clock.advance(1000);
    return checkWalletRisk({ transactionId }, ports);
  };
  const recordedNow = (kind: 'kyc' | 'wallet') =>
    rowIn(tables, 'evidence', `${transactionId}#${kind}#${ports.clock.now()}`);
  const evidenceNow = async () => (await recordedNow('kyc')) as unknown as KycEvidence | undefined;
  const walletEvidenceNow = () => recordedNow('wallet');
  const mine = async () =>
    (await events(ports)).filter(({ partnerId: whose }) => whose === partnerId).map(({ type }) => type);
  const openCase = async () => (await world.cases.listOpen()).find(({ clientId }) => clientId === id)!;
  return { world, ports, purchase, cpf, token, visit, evidenceNow, walletEvidenceNow, mine, openCase };
}

const CLEAR = { status: 'PROCESSING', decision: 'CLEAR' };
const REFUSED = { name: 'CLIENT_REFUSED' };
const HELD = { name: 'ReviewPending' };

describe('a client who was searched in the index in force', () => {
  test('goes on without another search', async () => {
    const { ports, visit, evidenceNow } = await paid();

    expect(await visit()).toMatchObject({ ...CLEAR, screenedWith: indexOf(1).version });

    expect(ports.sanctions.searched).toEqual([]);
    expect(await evidenceNow()).toBeUndefined();
  });

  test('goes on if this instance still has an older index', async () => {
    const { world, visit } = await paid({}, { screenedWith: indexOf(5).version });
    world.publish(4, {}, 'BUNDLED');

    expect(await visit()).toMatchObject({ ...CLEAR, screenedWith: indexOf(5).version });
  });
});

describe('a client who was searched in an older index', () => {
  test('is searched again, and goes on without a hit, with evidence', async () => {
    const { world, ports, cpf, token, visit, evidenceNow } = await paid();
    world.publish(2);

    expect(await visit()).toMatchObject({ ...CLEAR, screenedWith: indexOf(2).version });

    expect(ports.sanctions.searched).toEqual([{ ...SCREENED, cpf }]);
    const evidence = (await evidenceNow())!;
    expect(evidence).toMatchObject({
      kind: 'kyc',
      decidedBy: 'CheckWalletRisk',
      decision: { status: 'APPROVED' },
      findings: { screening: { index: indexOf(2) } },
    });
    expect(decideAgain(evidence)).toEqual(evidence.decision);
    expect(await recordOf(ports, { token })).toMatchObject({ screenedWith: indexOf(2).version });
    // The record names the newest index, so the next visit does not search again.
    await visit();
    expect(ports.sanctions.searched).toHaveLength(1);
  });

  test('goes on if only the tier is higher now', async () => {
    const { world, ports, cpf, token, visit } = await paid();
    world.publish(2, { [cpf]: [onList('BR_PEP')] });

    expect(await visit()).toMatchObject(CLEAR);

    expect(await recordOf(ports, { token })).toMatchObject({ riskTier: 'PEP' });
  });

  // docs/decisions.md, "Screening again"
  test('is refused for a hit, without evidence about the wallet, and every token with it', async () => {
    const { world, ports, cpf, token, visit, walletEvidenceNow, evidenceNow, mine } = await paid();
    world.publish(2, { [cpf]: [onList('OFAC_SDN')] });

    await expect(visit()).rejects.toMatchObject(REFUSED);

    const evidence = (await evidenceNow())!;
    expect(evidence.decision).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(decideAgain(evidence)).toEqual(evidence.decision);
    expect(JSON.stringify(evidence)).not.toContain(cpf);
    expect(await walletEvidenceNow()).toBeUndefined();
    expect(await recordOf(ports, { token })).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await mine()).toEqual(['kyc.rejected']);
    // The state machine repeats the visit if it did not get the answer.
    await expect(visit()).rejects.toMatchObject(REFUSED);
    expect(await mine()).toEqual(['kyc.rejected']);
  });

  test('is refused for a hit after the token’s day, and only the purchase announces it', async () => {
    const { world, ports, cpf, visit, mine } = await paid();
    world.publish(2, { [cpf]: [onList('OFAC_SDN')] });
    ports.clock.advance(DAY_MS);

    await expect(visit()).rejects.toMatchObject(REFUSED);

    expect(await mine()).toEqual([]);
  });

  test('waits while no list answers', async () => {
    const { ports, visit } = await paid();
    ports.sanctions.isDown = true;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('waits for the next visit if the record is being decided at that moment', async () => {
    const { world, ports, visit, walletEvidenceNow } = await paid();
    world.publish(2);
    ports.rescreenings.keep = async () => false;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await walletEvidenceNow()).toBeUndefined();
  });
});

describe('a client who was rejected after the payment', () => {
  test('is refused for a finding of the schedule, with evidence of the purchase’s own', async () => {
    const { world, ports, cpf, visit, evidenceNow } = await paid();
    world.publish(2, { [cpf]: [onList('UN_SC')] });
    ports.clock.advance(MINUTE_MS);
    await rescreenClients(ports);

    await expect(visit()).rejects.toMatchObject(REFUSED);

    const evidence = (await evidenceNow())!;
    expect(evidence).toMatchObject({ decision: { status: 'REJECTED', reason: 'SANCTIONS_HIT' } });
    expect(decideAgain(evidence)).toEqual(evidence.decision);
  });

  test.each([
    ['DOCUMENT_REJECTED', 'KYC_REJECTED'],
    ['SANCTIONS_HIT', 'CLIENT_REFUSED'],
  ] as const)('is refused for a later submission with %s as %s', async (rejectedFor, name) => {
    const { ports, purchase, visit, evidenceNow } = await paid();
    const verdict = { rejectedAt: START_AT + 1, rejectedFor };
    await ports.clients.noteVerdict(purchase.clientId, verdict);

    await expect(visit()).rejects.toMatchObject({ name });

    // The facts of the record approve the client, so the evidence also names the later verdict.
    expect(await evidenceNow()).toMatchObject({ inputs: { overruledBy: verdict } });
  });

  test('goes on if a later submission approved them', async () => {
    const { ports, purchase, visit } = await paid();
    await ports.clients.noteVerdict(purchase.clientId, { rejectedAt: START_AT, rejectedFor: 'UNDERAGE' });

    expect(await visit()).toMatchObject(CLEAR);
  });
});

describe('a client who comes close to a freeze list', () => {
  async function close(changes: Partial<Transaction> = {}) {
    const opened = await paid(changes);
    opened.world.publish(2, { [opened.cpf]: [onList('OFAC_SDN', 0.8)] });
    return opened;
  }

  test('is held with one case and one evidence, however often the step visits', async () => {
    const { ports, token, visit, walletEvidenceNow, evidenceNow, openCase, mine } = await close();

    await expect(visit()).rejects.toMatchObject(HELD);
    expect(await evidenceNow()).toMatchObject({ decision: { status: 'PENDING' } });
    for (let again = 0; again < 3; again++) {
      await expect(visit()).rejects.toMatchObject(HELD);
      expect(await evidenceNow()).toBeUndefined();
    }

    expect(ports.sanctions.searched).toHaveLength(1);
    expect(await openCase()).toMatchObject({ opened: 'PENDING', token });
    expect(await recordOf(ports, { token })).toMatchObject({ status: 'PENDING' });
    expect(await mine()).toEqual(['kyc.pending']);
    expect(await walletEvidenceNow()).toBeUndefined();
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('goes on once a person has cleared them, %s the record is decided', async (_, isReviewed) => {
    const { world, ports, token, visit, openCase } = await close();
    await expect(visit()).rejects.toMatchObject(HELD);
    await world.decide(await openCase(), 'CLEARED');
    ports.clock.advance(MINUTE_MS);
    if (isReviewed) await reviewPendingKyc(ports);

    expect(await visit()).toMatchObject(CLEAR);

    ports.clock.advance(MINUTE_MS);
    await reviewPendingKyc(ports);
    expect(await recordOf(ports, { token })).toMatchObject({ status: 'APPROVED' });
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('is refused once a person has confirmed them, %s the record is decided', async (_, isReviewed) => {
    const { world, ports, visit, evidenceNow, openCase, mine } = await close();
    await expect(visit()).rejects.toMatchObject(HELD);
    ports.clock.advance(1);
    await world.decide(await openCase(), 'CONFIRMED');
    ports.clock.advance(MINUTE_MS);
    if (isReviewed) await reviewPendingKyc(ports);

    await expect(visit()).rejects.toMatchObject(REFUSED);

    expect(await evidenceNow()).toMatchObject({
      findings: { screening: { candidates: [{ review: 'CONFIRMED' }] } },
      decision: { status: 'REJECTED', reason: 'SANCTIONS_HIT' },
    });
    expect(await mine()).toEqual(['kyc.pending', 'kyc.rejected']);
  });

  test('is refused if a clearance was overruled, even with the same index', async () => {
    const { world, ports, visit, openCase } = await close();
    await expect(visit()).rejects.toMatchObject(HELD);
    const opened = await openCase();
    await world.decide(opened, 'CLEARED');
    ports.clock.advance(MINUTE_MS);
    await reviewPendingKyc(ports);
    await world.decide(opened, 'CONFIRMED');

    await expect(visit()).rejects.toMatchObject(REFUSED);
  });

  test('is held after the token’s day too, and goes on once cleared', async () => {
    const { world, ports, visit, openCase } = await close();
    ports.clock.advance(DAY_MS);
    await expect(visit()).rejects.toMatchObject(HELD);
    await reviewPendingKyc(ports);
    await expect(visit()).rejects.toMatchObject(HELD);

    await world.decide(await openCase(), 'CLEARED');

    expect(await visit()).toMatchObject(CLEAR);
  });

  test('is not held if the transfer may be on its way', async () => {
    const { visit } = await close({ disposition: 'SETTLE' });

    expect(await visit()).toMatchObject(CLEAR);
    expect(await visit()).toMatchObject(CLEAR);
  });

  test('goes on once the entry has left the list', async () => {
    const { world, cpf, visit } = await close();
    await expect(visit()).rejects.toMatchObject(HELD);
    world.publish(3, { [cpf]: [] });

    expect(await visit()).toMatchObject({ ...CLEAR, screenedWith: indexOf(3).version });
  });
});
