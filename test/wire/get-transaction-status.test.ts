import { describe, expect, test } from 'vitest';
import { WALLET } from '../support/builders.ts';
import {
  type Answer,
  codeOf,
  confirmMfa,
  type Data,
  expectRefusal,
  getStatus,
  moveRow,
  openPurchase,
} from '../support/partner-api.ts';
import { chargeAtPsp } from '../support/provider-faults.ts';
import { eventually, newPartner } from '../support/sandbox.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The fields of an answer in every status: docs/decisions.md, "Fields of the answers". */
const ALWAYS = [
  ...['transactionId', 'status', 'asset', 'amountBrl', 'assetAmount', 'walletAddress', 'createdAt'],
  'history',
];

const fieldsOf = ({ data }: Answer) => Object.keys(data).sort();
const withAlways = (...more: string[]) => [...ALWAYS, ...more].sort();
const historyOf = ({ data }: Answer) => (data.history as Data[]).map(({ status }) => status);

describe('200', () => {
  // Spec, Transaction: "Pix copy-paste string, issued once the challenge is cleared"
  // Spec, Transaction states: "CREATED: transaction initiate, valid request"
  // Spec, Transaction states: "AWAITING_MFA: auth challenge issued"
  // Spec, Get transaction status: "Response contains status"
  test('shows for AWAITING_MFA the challenge, and never the secret again', async () => {
    const { apiKey, id } = await openPurchase(undefined, { amountBrl: 250.5, asset: 'USDT' });

    const answer = await getStatus(apiKey, id);

    expect(answer.status).toBe(200);
    expect(fieldsOf(answer)).toEqual(withAlways('authChallenge', 'expiresAt'));
    expect(answer.data).toEqual({
      transactionId: id,
      status: 'AWAITING_MFA',
      asset: 'USDT',
      amountBrl: 250.5,
      assetAmount: expect.stringMatching(/^\d+\.\d{6}$/),
      walletAddress: WALLET,
      createdAt: expect.stringMatching(ISO),
      expiresAt: expect.stringMatching(ISO),
      authChallenge: { type: 'MFA_TOTP', instruction: expect.any(String) },
      history: [
        { status: 'CREATED', at: answer.data.createdAt },
        { status: 'AWAITING_MFA', at: answer.data.createdAt },
      ],
    });
  });

  // Spec, Get transaction status: "and pixPayload once available"
  // docs/decisions.md, "Fields of the answers"
  test('shows for AWAITING_PIX the Pix to pay, and the new deadline', async () => {
    const purchase = await openPurchase();
    const before = await getStatus(purchase.apiKey, purchase.id);
    const { data } = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    const answer = await getStatus(purchase.apiKey, purchase.id);

    expect(fieldsOf(answer)).toEqual(withAlways('pixPayload', 'expiresAt'));
    expect(answer.data).toMatchObject({ status: 'AWAITING_PIX', pixPayload: data.pixPayload });
    expect(Date.parse(String(answer.data.expiresAt))).toBeGreaterThan(
      Date.parse(String(before.data.expiresAt)),
    );
    expect(historyOf(answer)).toEqual(['CREATED', 'AWAITING_MFA', 'AWAITING_PIX']);
  });

  test.concurrent('shows EXPIRED fifteen minutes after the start without a code', async () => {
    const { apiKey, id } = await openPurchase();
    const { data } = await getStatus(apiKey, id);

    const answer = await expired(apiKey, id);

    expect(fieldsOf(answer)).toEqual(withAlways());
    expect(historyOf(answer)).toEqual(['CREATED', 'AWAITING_MFA', 'EXPIRED']);
    expect(endOf(answer)).toBeGreaterThanOrEqual(Date.parse(String(data.expiresAt)));
    expectRefusal(await confirmMfa(apiKey, id, '123456'), 'TRANSACTION_EXPIRED', {});
  });

  test.concurrent('shows EXPIRED thirty minutes after the code without a Pix', async () => {
    const purchase = await openPurchase();
    const { apiKey, id } = purchase;
    await confirmMfa(apiKey, id, await codeOf(purchase));
    const { data } = await getStatus(apiKey, id);

    const answer = await expired(apiKey, id);

    expect(fieldsOf(answer)).toEqual(withAlways());
    expect(historyOf(answer)).toEqual(['CREATED', 'AWAITING_MFA', 'AWAITING_PIX', 'EXPIRED']);
    expect(endOf(answer)).toBeGreaterThanOrEqual(Date.parse(String(data.expiresAt)));
    expect((await chargeAtPsp(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  // Spec, Get transaction status: "and pixPayload once available"
  // docs/decisions.md, "Fields of the answers"
  test.each([
    ['COMPLETED', { txHash: `0x${'ab'.repeat(32)}` }, ['txHash']],
    ['FAILED', { failure: { reason: 'WALLET_RISK_TOO_HIGH' } }, ['failure']],
  ] as const)('shows for %s how the purchase ended', async (status, facts, fields) => {
    const { apiKey, id } = await openPurchase();
    await moveRow(id, status, { ...facts, expiresAt: undefined });

    const answer = await getStatus(apiKey, id);

    expect(fieldsOf(answer)).toEqual(withAlways(...fields));
    expect(answer.data).toMatchObject({ status, ...facts });
  });

  test('shows a refund in BRL', async () => {
    const { apiKey, id } = await openPurchase();
    const refund = { status: 'PENDING', endToEndId: 'E1', amountCentavos: 25_001, reason: 'PAID_LATE' };
    await moveRow(id, 'FAILED', { refund });

    const { data } = await getStatus(apiKey, id);

    expect(data.refund).toEqual({
      status: 'PENDING',
      endToEndId: 'E1',
      amountBrl: 250.01,
      reason: 'PAID_LATE',
    });
  });

  test('shows no internal field of a purchase', async () => {
    const { apiKey, id, kycToken } = await openPurchase();

    const { text } = await getStatus(apiKey, id);

    for (const inner of ['partnerId', 'clientId', 'mfaAttempts', 'wait', 'sequence', kycToken, 'otpauth']) {
      expect(text).not.toContain(inner);
    }
  });
});

describe('404 TRANSACTION_NOT_FOUND', () => {
  test('answers for another partner’s purchase as for an unknown one', async () => {
    const { id } = await openPurchase();
    const { apiKey } = await newPartner();

    const [others, unknown] = [await getStatus(apiKey, id), await getStatus(apiKey, '0'.repeat(26))];

    expectRefusal(others, 'TRANSACTION_NOT_FOUND', {});
    expect(others.text).toBe(unknown.text);
  });

  // Spec, Errors: "TRANSACTION_NOT_FOUND 404: Transaction id does not exist"
  // docs/decisions.md, "Precedence of refusals"
  test.each(['x', '%20', '%00', '%F0%9F%92%B8', '..%2F..%2Fadmin', '%', '0'.repeat(64)])(
    'answers for the id %s',
    async (id) => {
      const { apiKey } = await newPartner();

      expectRefusal(await getStatus(apiKey, id), 'TRANSACTION_NOT_FOUND', {});
    },
  );

  test('answers for an id that is too long to be a key', async () => {
    const { apiKey } = await newPartner();

    expectRefusal(await getStatus(apiKey, '0'.repeat(3000)), 'TRANSACTION_NOT_FOUND', {});
  });

  test('answers for an id in another case', async () => {
    const { apiKey, id } = await openPurchase();

    expectRefusal(await getStatus(apiKey, id.toLowerCase()), 'TRANSACTION_NOT_FOUND', {});
  });
});

const expired = (apiKey: string, id: string): Promise<Answer> =>
  eventually(
    () => getStatus(apiKey, id),
    ({ data }) => data.status === 'EXPIRED',
  );

const endOf = ({ data }: Answer) => Date.parse(String((data.history as Data[]).at(-1)!.at));
