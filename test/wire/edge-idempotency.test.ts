import { describe, expect, test } from 'vitest';
import type { Reservation } from '../../functions/domain/partners/idempotency-ports.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import {
  type Answer,
  approvedClient,
  confirmMfa,
  editRow,
  executionsOf,
  expectRefusal,
  holdingsOf,
  initiate,
  openPurchase,
  rowsWhere,
  submitKyc,
  textOf,
} from '../support/partner-api.ts';
import { registrySays } from '../support/provider-faults.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner, randomCpf, rowOf, sandbox, totpCode } from '../support/sandbox.ts';

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const transactionsOf = (partnerId: string) =>
  rowsWhere('TablesTransactions', (row) => row.partnerId === partnerId);

describe('the same request with the same Idempotency-Key', () => {
  // Spec, Limits: "a repeated request with the same Idempotency-Key"
  test('gets the first answer again, and opens one transaction', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const request = aPurchase(kycToken);

    const first = await initiate(apiKey, request, withKey('order-1'));
    const second = await initiate(apiKey, request, withKey('order-1'));

    expect(first.status).toBe(200);
    expect(isReplay(first)).toBe(false);
    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await transactionsOf(partnerId)).toHaveLength(1);
    expect(await executionsOf(String(first.data.transactionId))).toHaveLength(1);
  });

  // Spec, Limits: "returns the cached response of the first"
  // docs/decisions.md, "Idempotency"
  test('gets the secret again only until the client has used it', async () => {
    const purchase = await approvedClient();
    const request = aPurchase(purchase.kycToken);
    const first = await initiate(purchase.apiKey, request, withKey('order-1'));
    const { enrollment } = first.data.authChallenge as { enrollment: { otpauthUri: string } };
    const code = totpCode(enrollment.otpauthUri);
    const confirmed = await confirmMfa(purchase.apiKey, String(first.data.transactionId), code);

    const replayed = await initiate(purchase.apiKey, request, withKey('order-1'));

    expect([confirmed.status, replayed.status]).toEqual([200, 200]);
    expect(isReplay(replayed)).toBe(true);
    const { authChallenge, ...others } = first.data;
    const { type, instruction } = authChallenge as Record<string, unknown>;
    expect(replayed.data).toEqual({ ...others, authChallenge: { type, instruction } });
  });

  test('may be written differently: order of fields, punctuation of the CPF, unknown fields', async () => {
    const { partnerId, apiKey } = await newPartner();
    const { cpf, biometricHash } = aSubmission({ cpf: '52998224725' });

    const first = await submitKyc(apiKey, { cpf, biometricHash }, withKey('client-1'));
    const second = await submitKyc(
      apiKey,
      { note: 'again', biometricHash, cpf: '529.982.247-25' },
      withKey('client-1'),
    );

    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
    expect(await holdingsOf(partnerId)).toMatchObject({ TablesKycRecords: 1 });
  });

  test('opens one transaction when ten arrive together', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const request = aPurchase(kycToken);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => initiate(apiKey, request, withKey('click'))),
    );

    const rows = await transactionsOf(partnerId);
    expect(rows).toHaveLength(1);
    const good = answers.filter(({ status }) => status === 200);
    expect(good.filter((answer) => !isReplay(answer))).toHaveLength(1);
    for (const { data } of good) expect(data.transactionId).toBe(rows[0]!.id);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefusal(answer, 'IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: expect.any(Number) });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await executionsOf(String(rows[0]!.id))).toHaveLength(1);
  });

  test('must wait while the first is still being answered', async () => {
    const { apiKey, kycToken } = await approvedClient();
    const request = aPurchase(kycToken);
    const { data } = await initiate(apiKey, request, withKey('slow'));
    const row = await requestRowOf(String(data.transactionId));
    const leaseUntil = Date.now() + 120_000;
    await editRow('TablesRequests', String(row!.id), { answer: undefined, leaseUntil });

    const answer = await initiate(apiKey, request, withKey('slow'));

    expectRefusal(answer, 'IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: expect.any(Number) });
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(Math.floor((leaseUntil - Date.now()) / 1000));
    expect(seconds).toBeLessThanOrEqual(120);
  });
});

describe('another request with the same Idempotency-Key', () => {
  test('is refused with 409 and changes nothing', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    await initiate(apiKey, aPurchase(kycToken), withKey('order-1'));

    const answer = await initiate(apiKey, aPurchase(kycToken, { amountBrl: 251 }), withKey('order-1'));

    expectRefusal(answer, 'IDEMPOTENCY_KEY_REUSED', {});
    expect(isReplay(answer)).toBe(false);
    expect(await transactionsOf(partnerId)).toHaveLength(1);
  });

  test('is a new request at another path', async () => {
    const { apiKey, kycToken, cpf } = await approvedClient();

    const opened = await initiate(apiKey, aPurchase(kycToken), withKey('same'));
    const submitted = await submitKyc(apiKey, aSubmission({ cpf }), withKey('same'));

    expect([opened.status, submitted.status]).toEqual([200, 200]);
    expect(isReplay(submitted)).toBe(false);
  });

  test('is a new request for another transaction', async () => {
    const first = await openPurchase();
    const second = await openPurchase();

    const codes = [first, second].map(({ otpauthUri }) => totpCode(otpauthUri));
    const one = await confirmMfa(first.apiKey, first.id, codes[0], withKey('same'));
    const other = await confirmMfa(second.apiKey, second.id, codes[1], withKey('same'));

    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.data.pixPayload).not.toBe(other.data.pixPayload);
  });

  test('is a new request for another partner, who learns nothing of the first', async () => {
    const body = aSubmission();
    const [one, other] = [await newPartner(), await newPartner()];

    const first = await submitKyc(one.apiKey, body, withKey('same'));
    const second = await submitKyc(other.apiKey, body, withKey('same'));

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(isReplay(second)).toBe(false);
    expect(second.data.token).not.toBe(first.data.token);
  });
});

describe('a refusal', () => {
  test('is remembered like any answer', async () => {
    const { apiKey } = await newPartner();
    const cpf = randomCpf();
    const request = aPurchase('kyc_UNKNOWN');

    const first = await initiate(apiKey, request, withKey('refused'));
    const second = await initiate(apiKey, request, withKey('refused'));
    const rejected = await submitKyc(apiKey, { cpf, partnerKycToken: 'a.b.c' }, withKey('rejected'));
    const again = await submitKyc(apiKey, { cpf, partnerKycToken: 'a.b.c' }, withKey('rejected'));

    expectRefusal(second, 'KYC_TOKEN_NOT_FOUND', {});
    expectRefusal(again, 'KYC_REJECTED', { reason: 'PARTNER_TOKEN_INVALID', fault: 'MALFORMED' });
    expect([second.text, again.text]).toEqual([first.text, rejected.text]);
    expect([first, second, rejected, again].map(isReplay)).toEqual([false, true, false, true]);
  });
});

describe('an internal error', () => {
  test('is not remembered: the retry succeeds once the provider accepts us again', async () => {
    const { apiKey } = await newPartner();
    const body = aSubmission();
    await registrySays(body.cpf, { status: 400 });

    const failed = await submitKyc(apiKey, body, withKey('retry'));
    await registrySays(body.cpf, {});
    const retried = await submitKyc(apiKey, body, withKey('retry'));

    expectRefusal(failed, 'INTERNAL_ERROR', {});
    expect(retried.status).toBe(200);
    expect(isReplay(retried)).toBe(false);
  });

  test('in the middle of a purchase continues with the same transaction', async () => {
    const purchase = await approvedClient();
    const { apiKey, kycToken } = purchase;
    const { partnerId, id, totpCipher } = await clientRowOf(kycToken);
    const request = aPurchase(kycToken);
    await editRow('TablesClients', id, { totpCipher: 'unreadable' });

    const failed = await initiate(apiKey, request, withKey('retry'));
    const [opened] = await transactionsOf(partnerId);
    await editRow('TablesClients', id, { totpCipher });
    const retried = await initiate(apiKey, request, withKey('retry'));

    expectRefusal(failed, 'INTERNAL_ERROR', {});
    expect(retried.status).toBe(200);
    expect(retried.data.transactionId).toBe(opened!.id);
    expect(await transactionsOf(partnerId)).toHaveLength(1);
    expect(await executionsOf(String(opened!.id))).toHaveLength(1);
  });

  test('says so if it is retried after the transaction has expired', async () => {
    const { apiKey, kycToken } = await approvedClient();
    const { partnerId, id, totpCipher } = await clientRowOf(kycToken);
    const request = aPurchase(kycToken);
    await editRow('TablesClients', id, { totpCipher: 'unreadable' });
    await initiate(apiKey, request, withKey('late'));
    const [opened] = await transactionsOf(partnerId);
    await editRow('TablesClients', id, { totpCipher });
    await editRow('TablesTransactions', String(opened!.id), { status: 'EXPIRED', expiresAt: undefined });

    const answer = await initiate(apiKey, request, withKey('late'));

    expectRefusal(answer, 'TRANSACTION_EXPIRED', {});
  });
});

describe('the stored answer', () => {
  test('contains neither CPF nor name nor TOTP secret, and answers are encrypted', async () => {
    const purchase = await openPurchase();
    const { apiKey, kycToken, cpf } = purchase;
    await submitKyc(apiKey, aSubmission({ cpf }), withKey('secret-1'));
    const opened = await initiate(apiKey, aPurchase(kycToken), withKey('secret-2'));
    const id = String(opened.data.transactionId);
    const cleared = await confirmMfa(apiKey, id, totpCode(purchase.otpauthUri), withKey('secret-3'));
    const secret = new URL(purchase.otpauthUri).searchParams.get('secret')!;
    const punctuated = cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');

    const rows = await everyRow();

    expect(cleared.status).toBe(200);
    expect(JSON.stringify(rows)).toContain(id);
    for (const told of [cpf, punctuated, secret, personaOf(cpf).name, personaOf(cpf).name.toUpperCase()]) {
      expect(rows.filter(({ text }) => text.includes(told))).toEqual([]);
    }
    const requests = rows.filter(({ table }) => table.startsWith('TablesRequests'));
    for (const told of [String(cleared.data.pixPayload), id, kycToken, 'otpauth', 'secret-1', 'secret-3']) {
      expect(requests.filter(({ text }) => text.includes(told))).toEqual([]);
    }
  });
});

async function clientRowOf(kycToken: string) {
  const { clientId } = (await rowOf('TablesKycRecords', kycToken))!;
  return (await rowOf('TablesClients', String(clientId))) as Record<
    'id' | 'partnerId' | 'totpCipher',
    string
  >;
}

/** The row of the request that opened a transaction. The row's reservation gives the id of the transaction. */
async function requestRowOf(transactionId: string) {
  const rows = await rowsWhere('TablesRequests', ({ reservation }) => {
    return (
      reservation !== undefined && reservedIds(reservation as Reservation).transaction() === transactionId
    );
  });
  return rows[0];
}

/** Everything in the service's own tables, without those of the simulated providers. */
async function everyRow(): Promise<{ table: string; text: string }[]> {
  const tables = Object.keys(sandbox().refs).filter((name) => /^Tables[A-Z][A-Za-z]+[0-9A-F]{8}$/.test(name));
  expect(tables.length).toBeGreaterThanOrEqual(10);
  const found = await Promise.all(
    tables.map(async (table) => (await rowsWhere(table, () => true)).map((row) => ({ table, row }))),
  );
  return found.flat().map(({ table, row }) => ({ table, text: textOf(row) }));
}
