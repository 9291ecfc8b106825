import { describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import type { SandboxClientEvent, SandboxPurchaseEvent } from '../../client/types.ts';
import { pspAt } from '../support/psp.ts';
import {
  clearMfa,
  endOf,
  eventsOf,
  newWallet,
  openPix,
  openPurchase,
  type Purchase,
  refundedEnd,
  SLOW_MS,
  transfersTo,
} from '../support/purchases.ts';
import { expectNothingSent, expectRefunded } from '../support/refunds.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, sandbox } from '../support/sandbox.ts';

const HIGH = '111.444.777-35';

const trigger = (event: SandboxPurchaseEvent, { client, transactionId }: Purchase) =>
  client.sandbox.trigger(event, { transactionId });

/** The same partner by a client that repeats nothing, so that each refusal is seen. */
const impatient = ({ apiKey }: { apiKey: string }) =>
  createOnrampClient({ apiKey, baseUrl: sandbox().url, maxRetries: 0, timeoutMs: 120_000 });

const anOrder = ({ kycToken }: { kycToken: string }) =>
  ({ kycToken, amountBrl: 250, asset: 'USDC', walletAddress: newWallet() }) as const;

const buyAgain = (purchase: Purchase) =>
  impatient(purchase)
    .initiateTransaction(anOrder(purchase))
    .then(
      () => 'OPENED',
      ({ code }) => code,
    );

const typesOf = async (purchase: Purchase, count: number) =>
  (await eventsOf(purchase, count)).map(({ type }) => type);

const payByAnother = ({ client, transactionId }: Purchase) =>
  client.sandbox.pay(transactionId, { payerCpf: randomCpf() });

/** The purchase after this many Pix were returned in full. */
const returned = ({ transactionId }: Purchase, count: number) =>
  eventually(
    async () => (await pspAt(sandbox()).charge(transactionId))?.pix ?? [],
    (pix) => pix.filter(({ devolucoes }) => devolucoes?.[0]?.status === 'DEVOLVIDO').length === count,
    SLOW_MS,
  );

/** Each event of `scenarios`, by the ends that it leads to. An event without a journey does not compile. */
const JOURNEYS: Record<SandboxPurchaseEvent | SandboxClientEvent, Record<string, () => Promise<void>>> = {
  MED: {
    async 'before the transfer fails the purchase, without a refund, and blocks the client'() {
      const purchase = await openPix();

      expect(await trigger('MED', purchase)).toEqual({ event: 'MED', waits: true });
      await purchase.client.sandbox.pay(purchase.transactionId);

      const { failure, refund } = await endOf(purchase, ['FAILED']);
      expect({ failure, refund }).toEqual({ failure: { reason: 'PAYMENT_TAKEN_BACK' }, refund: undefined });
      await expectNothingSent(purchase);
      await eventually(
        () => buyAgain(purchase),
        (answer) => answer === 'CLIENT_BLOCKED',
        SLOW_MS,
      );
    },
    async 'after the transfer changes nothing of the purchase, and blocks the client'() {
      const purchase = await openPix();
      await purchase.client.sandbox.pay(purchase.transactionId);
      const { txHash } = await endOf(purchase, ['COMPLETED']);

      expect(await trigger('MED', purchase)).toEqual({ event: 'MED', waits: false });

      await eventually(
        () => buyAgain(purchase),
        (answer) => answer === 'CLIENT_BLOCKED',
        SLOW_MS,
      );
      expect((await typesOf(purchase, 3)).at(-1)).toBe('transaction.med_opened');
      const { status } = await purchase.client.getTransactionStatus(purchase.transactionId);
      expect(status).toBe('COMPLETED');
      const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
      expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    },
  },
  LATE_PIX: {
    async 'after the end is returned in full, each time'() {
      const purchase = await openPix();
      await purchase.client.cancelTransaction(purchase.transactionId);

      expect(await trigger('LATE_PIX', purchase)).toEqual({ event: 'LATE_PIX', waits: false });
      await returned(purchase, 1);
      await trigger('LATE_PIX', purchase);
      await returned(purchase, 2);

      await expectNothingSent(purchase);
      const [canceled, ...others] = await eventsOf(purchase, 3);
      expect(canceled).toMatchObject({ type: 'transaction.canceled' });
      const told = {
        type: 'transaction.pix_returned',
        data: { returned: { amountBrl: 250, reason: 'PAID_LATE' } },
      };
      expect(others).toMatchObject([told, told]);
    },
    async 'of an open charge fails the purchase, with a refund'() {
      const purchase = await openPix();

      expect(await trigger('LATE_PIX', purchase)).toEqual({ event: 'LATE_PIX', waits: true });
      await purchase.client.sandbox.pay(purchase.transactionId);

      await expectRefunded(purchase, 'PAID_LATE', 250);
    },
  },
  PSP_OUTAGE: {
    async 'at the challenge is a 500 that may be repeated'() {
      const purchase = await openPurchase();

      await trigger('PSP_OUTAGE', purchase);

      const refused = clearMfa({ ...purchase, client: impatient(purchase) });
      await expect(refused).rejects.toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
      expect(await clearMfa(purchase)).toMatchObject({ status: 'AWAITING_PIX' });
    },
    async 'at the payment delays the purchase'() {
      const purchase = await openPix();

      await trigger('PSP_OUTAGE', purchase);
      await purchase.client.sandbox.pay(purchase.transactionId);

      await endOf(purchase, ['COMPLETED']);
    },
  },
  REFUND_FAILS: {
    async 'announces the delay, and the next try succeeds'() {
      const purchase = await openPix();

      await trigger('REFUND_FAILS', purchase);
      await payByAnother(purchase);

      expect(await refundedEnd(purchase)).toMatchObject({ failure: { reason: 'PAYER_MISMATCH' } });
      expect((await typesOf(purchase, 4)).slice(2)).toEqual([
        'transaction.refund_delayed',
        'transaction.refunded',
      ]);
    },
    async 'needs a person if the bank takes the payment back meanwhile'() {
      const purchase = await openPix();

      await trigger('REFUND_FAILS', purchase);
      await payByAnother(purchase);
      await eventsOf(purchase, 3);
      await trigger('MED', purchase);

      expect((await typesOf(purchase, 5)).slice(2)).toEqual([
        'transaction.refund_delayed',
        ...['transaction.med_opened', 'transaction.refund_failed'].map(() => expect.any(String)),
      ]);
      const { refund } = await purchase.client.getTransactionStatus(purchase.transactionId);
      expect(refund).toMatchObject({ status: 'FAILED' });
    },
  },
  SETTLEMENT_REVERTS: {
    async 'fails the purchase after four tries, with a refund'() {
      const purchase = await openPix();

      await trigger('SETTLEMENT_REVERTS', purchase);
      const { note } = await purchase.client.sandbox.pay(purchase.transactionId);

      expect(note).toBeUndefined();
      await expectRefunded(purchase, 'SETTLEMENT_FAILED', 250);
    },
  },
  CHAIN_OUTAGE: {
    async 'after the payment delays the transfer, which is sent once'() {
      const purchase = await openPix();

      await trigger('CHAIN_OUTAGE', purchase);
      await purchase.client.sandbox.pay(purchase.transactionId);

      const { txHash } = await endOf(purchase, ['COMPLETED']);
      const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
      expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
      // No event waits any more, because each visit has used up one of its times.
      expect(await purchase.client.sandbox.reset()).toEqual({ cleared: 0 });
    },
  },
  VENUE_LIES: {
    async 'and is outvoted: the purchase costs what it does without the lie'() {
      const [purchase, honest] = [await openPurchase(), await openPix()];

      await trigger('VENUE_LIES', purchase);
      await clearMfa(purchase);

      // The exchange has lied once, and no event waits any more.
      expect(await purchase.client.sandbox.reset()).toEqual({ cleared: 0 });
      await Promise.all([purchase, honest].map((each) => each.client.sandbox.pay(each.transactionId)));
      const { assetAmount } = await endOf(purchase, ['COMPLETED']);
      expect(assetAmount).toBe((await endOf(honest, ['COMPLETED'])).assetAmount);
      expect(Number(assetAmount)).toBeLessThan(250 / 5.4);
    },
  },
  PROMISES_EXHAUSTED: {
    async 'refuses the next right code, each time, and the same code succeeds after that'() {
      const purchase = await openPurchase();
      const confirm = () => clearMfa({ ...purchase, client: impatient(purchase) });
      const refusal = { code: 'PROMISES_EXHAUSTED', status: 503, retryAfterSeconds: 60 };

      for (let times = 0; times < 2; times++) {
        await trigger('PROMISES_EXHAUSTED', purchase);
        await expect(confirm()).rejects.toMatchObject({ ...refusal, details: { scope: 'CLIENT' } });
      }

      expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
    },
  },
  IDENTITY_OUTAGE: {
    async 'at a submission leaves the client PENDING until the provider is back'() {
      const { client } = await newPartner();
      const cpf = randomCpf();

      await client.sandbox.trigger('IDENTITY_OUTAGE', { cpf });
      const { token, status } = await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });

      expect(status).toBe('PENDING');
      await client.waitForKyc(token, ['APPROVED'], { intervalMs: 500, timeoutMs: SLOW_MS });
    },
    async 'at a purchase with liveness is a 500 that may be repeated'() {
      const partner = await newPartner();
      const { token: kycToken } = await partner.client.submitKyc({
        cpf: HIGH,
        biometricHash: BIOMETRIC_HASH,
      });
      const order = anOrder({ kycToken });

      await partner.client.sandbox.trigger('IDENTITY_OUTAGE', { kycToken });

      await expect(impatient(partner).initiateTransaction(order)).rejects.toMatchObject({ status: 500 });
      expect(await partner.client.initiateTransaction(order)).toMatchObject({
        authChallenge: { type: 'LIVENESS' },
      });
    },
  },
  SCREENING_OUTAGE: {
    async 'at initiate is a 500 that may be repeated, for this client alone'() {
      const purchase = await openPurchase();
      const other = await openPurchase({ partner: purchase });
      const { client, kycToken } = purchase;
      const order = anOrder(purchase);

      await client.sandbox.trigger('SCREENING_OUTAGE', { kycToken });

      await expect(impatient(purchase).initiateTransaction(order)).rejects.toMatchObject({ status: 500 });
      expect(await buyAgain(other)).toBe('OPENED');
      expect(await client.initiateTransaction(order)).toMatchObject({ status: 'PENDING_AUTH' });
    },
    async 'after the payment delays the purchase'() {
      const purchase = await openPix();
      const { client, kycToken, transactionId } = purchase;

      await client.sandbox.trigger('SCREENING_OUTAGE', { kycToken });
      await client.sandbox.pay(transactionId);

      await endOf(purchase, ['COMPLETED']);
      expect(await client.sandbox.reset()).toEqual({ cleared: 0 });
    },
  },
  LOW_LIQUIDITY: {
    async 'refuses the next purchase of this client, each time'() {
      const purchase = await openPurchase();
      const other = await openPurchase({ partner: purchase });
      const { client, kycToken } = purchase;
      const order = anOrder(purchase);
      const initiate = () => impatient(purchase).initiateTransaction(order, { idempotencyKey: newWallet() });
      const refusal = { code: 'LIQUIDITY_UNAVAILABLE', status: 503, retryAfterSeconds: 60 };

      for (let times = 0; times < 2; times++) {
        await client.sandbox.trigger('LOW_LIQUIDITY', { kycToken });
        expect(await buyAgain(other)).toBe('OPENED');
        await expect(initiate()).rejects.toMatchObject(refusal);
        expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
      }
    },
    async 'is not remembered for the request’s idempotency key'() {
      const purchase = await openPurchase();
      const order = anOrder(purchase);
      const initiate = () => impatient(purchase).initiateTransaction(order, { idempotencyKey: 'one key' });

      await purchase.client.sandbox.trigger('LOW_LIQUIDITY', { cpf: purchase.cpf });

      await expect(initiate()).rejects.toMatchObject({ code: 'LIQUIDITY_UNAVAILABLE' });
      const opened = await initiate();
      await purchase.client.sandbox.trigger('LOW_LIQUIDITY', { cpf: purchase.cpf });
      expect(await initiate()).toEqual(opened);
    },
  },
  PRICE_PAUSE: {
    async 'refuses the next purchase of this client alone'() {
      const purchase = await openPurchase();
      const initiate = () => impatient(purchase).initiateTransaction(anOrder(purchase));

      await purchase.client.sandbox.trigger('PRICE_PAUSE', { kycToken: purchase.kycToken });

      await expect(initiate()).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE', status: 503 });
      expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    },
  },
  QUOTE_EXPIRES: {
    async 'refuses the next purchase of this client that has a quote'() {
      const purchase = await openPurchase();
      const { client, kycToken } = purchase;
      const order = anOrder(purchase);
      const { quoteId } = await client.createQuote({ asset: order.asset, amountBrl: order.amountBrl });

      await client.sandbox.trigger('QUOTE_EXPIRES', { kycToken });

      expect(await client.initiateTransaction(order)).toMatchObject({ status: 'PENDING_AUTH' });
      const initiate = () => client.initiateTransaction({ ...order, quoteId });
      await expect(initiate()).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
      expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    },
  },
  LIMIT_REACHED: {
    async 'refuses the next purchase of this client alone, each time, and uses up nothing'() {
      const purchase = await openPurchase();
      const other = await openPurchase({ partner: purchase });
      const { client, kycToken } = purchase;
      const initiate = () => impatient(purchase).initiateTransaction(anOrder(purchase));

      for (let times = 0; times < 2; times++) {
        await client.sandbox.trigger('LIMIT_REACHED', { kycToken });
        expect(await buyAgain(other)).toBe('OPENED');
        await expect(initiate()).rejects.toMatchObject({
          code: 'LIMIT_EXCEEDED',
          status: 422,
          details: { limit: 'DAILY_AMOUNT', remaining: 0 },
        });
        expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
      }
      const { limits } = await client.getClientLimits(kycToken);
      expect(limits.map(({ used }) => used)).toEqual(limits.map(() => 0));
    },
  },
  QUOTA_REACHED: {
    async 'refuses the next submission of this client alone, each time'() {
      const partner = await newPartner();
      const submit = (cpf: string) => impatient(partner).submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
      const [cpf, other] = [randomCpf(), randomCpf()];

      for (let times = 0; times < 2; times++) {
        await partner.client.sandbox.trigger('QUOTA_REACHED', { cpf });
        expect(await submit(other)).toMatchObject({ status: 'APPROVED' });
        await expect(submit(cpf)).rejects.toMatchObject({
          code: 'KYC_QUOTA_EXCEEDED',
          details: { limit: 'REGISTRY_LOOK_UPS', remaining: 0 },
        });
        expect(await submit(cpf)).toMatchObject({ status: 'APPROVED' });
      }
    },
    async 'refuses a scenario’s client, too'() {
      const partner = await newPartner();
      const submit = () => impatient(partner).submitKyc({ cpf: HIGH, biometricHash: BIOMETRIC_HASH });

      await partner.client.sandbox.trigger('QUOTA_REACHED', { cpf: HIGH });

      await expect(submit()).rejects.toMatchObject({ code: 'KYC_QUOTA_EXCEEDED' });
      expect(await submit()).toMatchObject({ status: 'APPROVED' });
    },
  },
};

// docs/decisions.md, "The sandbox's endpoints and keys"
describe.concurrent.each(Object.entries(JOURNEYS))('%s', (_, journeys) => {
  test.each(Object.entries(journeys))('%s', (_, journey) => journey());
});

describe('the events', () => {
  test('are listed, each with a journey', async () => {
    const { client } = await newPartner();

    const { triggers } = await client.sandbox.scenarios();

    expect(triggers.map(({ event }) => event)).toEqual(Object.keys(JOURNEYS));
  });

  test('are the partner’s own only', async () => {
    const purchase = await openPurchase();
    const { transactionId, kycToken, cpf } = purchase;
    const { client: stranger } = await newPartner();

    await expect(stranger.sandbox.trigger('MED', { transactionId })).rejects.toMatchObject({
      code: 'TRANSACTION_NOT_FOUND',
    });
    await expect(stranger.sandbox.trigger('LOW_LIQUIDITY', { kycToken })).rejects.toMatchObject({
      code: 'KYC_TOKEN_NOT_FOUND',
    });
    // The CPF may be a client of both.
    await stranger.sandbox.trigger('LOW_LIQUIDITY', { cpf });

    expect(await buyAgain(purchase)).toBe('OPENED');
    expect(await purchase.client.sandbox.reset()).toEqual({ cleared: 0 });
  });

  test('end at a reset, which leaves those of another partner', async () => {
    const [purchase, other] = [await openPurchase(), await openPurchase()];
    for (const { client, kycToken } of [purchase, other])
      await client.sandbox.trigger('LOW_LIQUIDITY', { kycToken });
    await trigger('MED', purchase);

    expect(await purchase.client.sandbox.reset()).toEqual({ cleared: 2 });
    expect(await purchase.client.sandbox.reset()).toEqual({ cleared: 0 });

    expect(await buyAgain(purchase)).toBe('OPENED');
    expect(await buyAgain(other)).toBe('LIQUIDITY_UNAVAILABLE');
  });

  test('need the kind of target that they are for, and a purchase that can have them', async () => {
    const { client, transactionId, kycToken, cpf } = await openPurchase();
    const ask = (event: string, target: object) =>
      client.sandbox.trigger(event as 'MED', target as { transactionId: string });
    const wrong: [event: string, target: object][] = [
      ['MED', { kycToken }],
      ['MED', { transactionId, cpf }],
      ['LOW_LIQUIDITY', { transactionId }],
      ['LOW_LIQUIDITY', { kycToken, cpf }],
      ['LOW_LIQUIDITY', { cpf: '52998224724' }],
      ['LOW_LIQUIDITY', {}],
      ['EARTHQUAKE', { transactionId }],
    ];

    for (const [event, target] of wrong)
      await expect(ask(event, target)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(ask('LATE_PIX', { transactionId })).rejects.toMatchObject({
      code: 'INVALID_TRANSACTION_STATE',
      details: { status: 'AWAITING_MFA' },
    });
  });
});
