import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReviewCase } from '../../functions/adapters/dynamodb/case-opening.ts';
import { idempotencyStore } from '../../functions/adapters/dynamodb/idempotency.ts';
import { kycRecordStore, kycReviewStore } from '../../functions/adapters/dynamodb/kyc-records.ts';
import { rateLimiter } from '../../functions/adapters/dynamodb/rate-limiter.ts';
import { deliveryStore } from '../../functions/adapters/dynamodb/records.ts';
import { openDelivery, reopened } from '../../functions/domain/partners/deliveries.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import { recordRefund, recordReturn } from '../../functions/domain/purchase/return.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { ttlOf } from '../../functions/domain/retention.ts';
import type { ReviewCase } from '../../functions/domain/screening/review-case.ts';
import { AT, aClient, aKycRecord, anEvidence, failing, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { aPurchaseIn, aReceivedPix, newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const ports = () => openPorts(tables);
const DAY = 24 * 60 * 60 * 1000;
const YEAR = 366 * DAY;
const rowsOf = async (table: Parameters<typeof rowIn>[1], id: string) => (await rowIn(tables, table, id))!;

const idOf = ({ subject, kind, at }: Evidence) => `${subject}#${kind}#${at}`;

describe('the end of a row', () => {
  test('is for evidence ten years after the decision; published evidence has none', async () => {
    const [decision, publication] = [
      anEvidence('wallet', { subject: newId() }),
      anEvidence('lists', { subject: newId() }),
    ];
    await ports().evidence.record(decision);
    await ports().evidence.record(publication);

    expect((await rowsOf('evidence', idOf(decision))).ttl).toBe(ttlOf('evidence', NOW));
    expect(await rowsOf('evidence', idOf(publication))).not.toHaveProperty('ttl');
  });

  test('is set for a KYC record, its use of a partner’s token, its evidence and its event', async () => {
    const records = kycRecordStore(tables.client, tables.names, dice);
    const record = aKycRecord({ token: newId(), status: 'PENDING', nextCheckAt: NOW });
    const evidence = anEvidence('kyc', { subject: record.token });
    const use = { partnerId: 'demo', kid: 'k1', tokenIdHash: newId(), requestHash: 'x' };
    await records.create(record, evidence, { use });
    const event = { id: newId(), partnerId: 'demo', type: 'kyc.approved' as const };
    await kycReviewStore(tables.client, tables.names, dice).settle({
      token: record.token,
      outcome: { status: 'APPROVED', riskTier: 'STANDARD', rules: [] },
      evidence: { ...evidence, at: NOW + 1 },
      event: { ...event, sequence: 1, at: NOW + 1, data: {} },
    });

    expect(await rowsOf('kycRecords', record.token)).toMatchObject({
      status: 'APPROVED',
      ttl: ttlOf('kycRecords', record.expiresAt),
    });
    const used = await rowsOf('kycRecords', `JTI#demo#${use.tokenIdHash}`);
    expect(used.ttl).toBe(ttlOf('partnerTokenUses', record.expiresAt));
    expect((await rowsOf('evidence', `${record.token}#kyc#${NOW + 1}`)).ttl).toBe(ttlOf('evidence', NOW));
    expect((await rowsOf('events', event.id)).ttl).toBe(ttlOf('events', NOW + 1));
  });

  test('is for a purchase after its last move, for its events a year after they were sent', async () => {
    const { transactions } = ports();
    const purchase = await transactions.create(aPurchaseIn('PROCESSING'));
    expect((await rowsOf('transactions', purchase.id)).ttl).toBe(ttlOf('transactions', purchase.createdAt));
    const nextYear = { ...AT, now: NOW + YEAR };
    const refund = { status: 'PENDING', endToEndId: 'E1', amountCentavos: 1, reason: 'PAID_LATE' } as const;

    await transactions.save(advance(purchase, 'payment refused', nextYear, failing(refund))!);

    expect((await rowsOf('transactions', purchase.id)).ttl).toBe(ttlOf('transactions', nextYear.now));
    expect((await rowsOf('events', `${purchase.id}.1`)).ttl).toBe(ttlOf('events', nextYear.now));
    const failed = (await transactions.findTransaction(purchase.id))!;
    const later = { ...AT, now: NOW + 2 * YEAR };
    await transactions.save(recordRefund(failed, 'REFUNDED', later)!);
    expect((await rowsOf('transactions', purchase.id)).ttl).toBe(ttlOf('transactions', later.now));
  });

  test('is not moved forward by a change of a purchase without an instant', async () => {
    const { transactions } = ports();
    const purchase = await transactions.create(aPurchaseIn('AWAITING_PIX'));

    await transactions.postpone(purchase.id, NOW + YEAR, 1);

    expect((await rowsOf('transactions', purchase.id)).ttl).toBe(ttlOf('transactions', purchase.createdAt));
  });

  test('is for a client after the latest token; an earlier token shortens nothing', async () => {
    const { clients } = ports();
    const { id } = await clients.create(aClient({ id: newId() }));
    expect(await rowsOf('clients', id)).not.toHaveProperty('ttl');

    for (const until of [NOW, NOW + YEAR, NOW + DAY]) await clients.keep(id, until);

    expect((await rowsOf('clients', id)).ttl).toBe(ttlOf('clients', NOW + YEAR));
  });

  test('is for a new client after the token that it is made with', async () => {
    const { clients } = ports();

    const { id } = await clients.create(aClient({ id: newId() }), NOW);

    expect((await rowsOf('clients', id)).ttl).toBe(ttlOf('clients', NOW));
  });

  test('makes no row for a client that does not exist', async () => {
    const id = newId();

    await ports().clients.keep(id, NOW);

    expect(await rowIn(tables, 'clients', id)).toBeUndefined();
  });

  test('is for a delivery a year after it was opened, or opened again', async () => {
    const deliveries = deliveryStore(tables.client, tables.names.deliveries, dice);
    const delivery = openDelivery({ id: newId(), partnerId: 'demo', at: NOW }, 'one');
    await deliveries.save(delivery);
    expect((await rowsOf('deliveries', delivery.id)).ttl).toBe(ttlOf('deliveries', NOW));

    await deliveries.save(reopened(delivery, { ...AT, now: NOW + DAY }));

    expect((await rowsOf('deliveries', delivery.id)).ttl).toBe(ttlOf('deliveries', NOW + DAY));
  });

  test('is for an unmatched payment and the purchase that announces it after the last news of the return', async () => {
    const { unmatchedPayments, transactions } = ports();
    const purchase = await transactions.create(aPurchaseIn('EXPIRED'));
    const pix = aReceivedPix(purchase);
    const { payment } = await unmatchedPayments.create(
      newUnmatchedPayment(pix, { transaction: purchase, mayReturn: true }, NOW),
    );
    expect((await rowsOf('unmatchedPayments', pix.endToEndId)).ttl).toBe(ttlOf('unmatchedPayments', NOW));
    const nextYear = { ...AT, now: NOW + YEAR };

    await unmatchedPayments.save(recordReturn(payment, 'REFUNDED', nextYear, purchase)!);

    expect((await rowsOf('unmatchedPayments', pix.endToEndId)).ttl).toBe(
      ttlOf('unmatchedPayments', nextYear.now),
    );
    expect((await rowsOf('transactions', purchase.id)).ttl).toBe(ttlOf('transactions', nextYear.now));
  });

  test('does not exist for reconciliation’s cursor', async () => {
    await ports().unmatchedPayments.moveCursor(NOW);

    expect(await rowsOf('unmatchedPayments', 'CURSOR')).toEqual({ id: 'CURSOR', upTo: NOW });
  });

  test('is for a review case after client and entry last met', async () => {
    const first: ReviewCase = {
      id: newId(),
      pair: 'pair',
      clientId: newId(),
      partnerId: 'demo',
      token: 'first',
      candidate: { list: 'UN_SC', entryId: '1', score: 0.8, threshold: 0.9, explanation: 'close' },
      index: { version: '2026-01-01T00:00:00.000Z', digest: 'ab', source: 'PUBLISHED' },
      opened: 'PENDING',
      status: 'OPEN',
      openedAt: NOW,
    };
    const again = { ...first, token: 'second', openedAt: NOW + YEAR };

    for (const each of [first, again]) {
      const TransactItems = [openReviewCase(tables.names.cases, each)];
      await tables.client.send(new TransactWriteCommand({ TransactItems }));
    }

    expect(await rowsOf('cases', first.id)).toMatchObject({
      openedAt: NOW,
      token: 'second',
      ttl: ttlOf('cases', NOW + YEAR),
    });
  });

  test('is for a request’s key after a day, for a count two minutes after it began', async () => {
    const { vault: cipher, clock } = ports();
    const keys = idempotencyStore(tables.client, tables.names.requests, { cipher, clock });
    const [scope, keyId, minute] = [newId(), newId(), NOW / 60_000];
    await keys.claim(scope, 'hash', { at: NOW, seed: 'seed' }, 1000);
    await rateLimiter(tables.client, tables.names.requests).count(keyId, minute, ['all']);

    expect((await rowsOf('requests', `IDEMPOTENCY#${scope}`)).ttl).toBe(
      ttlOf('idempotencyKeys', clock.now()),
    );
    expect((await rowsOf('requests', `RATE#${keyId}#${minute}`)).ttl).toBe(NOW / 1000 + 120);
  });
});

describe('evidence', () => {
  test('is not changed by other content under the same id', async () => {
    const first = anEvidence('wallet', { subject: newId(), clientId: newId(), decision: { isClear: false } });
    await ports().evidence.record(first);
    const row = await rowsOf('evidence', idOf(first));

    const { subject } = first;
    await ports().evidence.record(
      anEvidence('wallet', { subject, decidedBy: 'second', findings: { more: true } }),
    );

    expect(await rowsOf('evidence', idOf(first))).toEqual(row);
    expect(row).toMatchObject(first);
  });
});
