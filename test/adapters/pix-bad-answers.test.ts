import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { NewCharge } from '../../functions/domain/purchase/pix.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import { CREATED_AT, endToEndId, pay, type StubPsp, startStubPsp } from '../support/stub-psp.ts';
import type { StubAnswer } from '../support/stub-server.ts';

const TXID = '01JBZ0000000000000ONRAMP01';
const charge: NewCharge = {
  txid: TXID,
  amountCentavos: 100_00,
  payer: { cpf: '11144477735' },
  expiresInSeconds: 1800,
};
const refund = { endToEndId: endToEndId(0), id: TXID, amountCentavos: 100_00 };
const [from, to] = [Date.parse('2026-11-02T12:00:00Z'), Date.parse('2026-11-02T13:00:00Z')];

let psp: StubPsp;
let provider: PixProvider;
const log = stubLog();
beforeEach(async () => {
  psp = await startStubPsp();
  log.lines.length = 0;
  const deps = { clock: stubClock(CREATED_AT), log, timeoutMs: 3_000 };
  provider = pixProvider(async () => psp.settings(), deps);
});
afterEach(() => psp.close());

/** The forms of an outage of a write, by whether the provider did it. */
const OUTAGES: [string, StubAnswer][] = [
  ['a time-out', { fault: 'hang' }],
  ['a cut connection', { fault: 'reset' }],
  ['500', { status: 500, body: { detail: 'ErroInternoDoServidor' } }],
  ['a page of HTML', { status: 502, raw: '<html>' }],
  ['wrong JSON', { status: 201, raw: '{"txid": "01' }],
];

describe.each(OUTAGES)('after %s', (_, answer) => {
  test('before the effect, a charge is neither assumed nor written twice, and the repetition makes it', async () => {
    psp.faults.push({ on: 'PUT /cob', instead: answer });

    await expect(provider.createCharge(charge)).rejects.toBeInstanceOf(Unavailable);
    expect(psp.countOf('PUT /cob')).toBe(1);
    expect(psp.charges.size).toBe(0);

    expect(await provider.createCharge(charge)).toMatchObject({ txid: TXID, status: 'ACTIVE' });
  });

  test('after the effect, the charge is found and not made again', async () => {
    psp.faults.push({ on: 'PUT /cob', afterwards: answer });

    expect(await provider.createCharge(charge)).toMatchObject({ txid: TXID, status: 'ACTIVE' });
    expect(psp.countOf('PUT /cob')).toBe(1);
  });

  test('before the effect, a refund is not assumed, and the repetition makes it under its id', async () => {
    psp.faults.push({ on: 'PUT /pix', instead: answer });

    await expect(provider.refund(refund)).rejects.toBeInstanceOf(Unavailable);
    expect(psp.refunds.size).toBe(0);

    expect(await provider.refund(refund)).toEqual({ status: 'PENDING' });
    expect([...psp.refunds.keys()]).toEqual([`${refund.endToEndId}/${TXID}`]);
  });

  test('after the effect, the refund is found and not made again', async () => {
    psp.faults.push({ on: 'PUT /pix', afterwards: answer });

    expect(await provider.refund(refund)).toEqual({ status: 'PENDING' });
    expect(psp.countOf('PUT /pix')).toBe(1);
  });
});

type Json = Record<string, unknown>;
const onePix = (change: object) => (shown: Json) => ({
  ...shown,
  pix: (shown.pix as Json[]).map((each) => ({ ...each, ...change })),
});

describe('a paid charge', () => {
  beforeEach(async () => {
    await provider.createCharge(charge);
    pay(psp, TXID);
  });

  test.each<[string, (shown: Json) => Json]>([
    ['its value as a number', (shown) => ({ ...shown, valor: { original: 100 } })],
    ['its value with a comma', (shown) => ({ ...shown, valor: { original: '100,00' } })],
    ['no value', ({ valor: _, ...shown }) => shown],
    ['the value of its Pix as a number', onePix({ valor: 100 })],
    ['a Pix of nothing', onePix({ valor: '0.00' })],
    ['a Pix without an instant', onePix({ horario: undefined })],
    ['a Pix without an id', onePix({ endToEndId: undefined })],
    ['pix as text', (shown) => ({ ...shown, pix: endToEndId(0) })],
    ['pix as true', (shown) => ({ ...shown, pix: true })],
    ['pix as an empty object', (shown) => ({ ...shown, pix: {} })],
    ['no status', ({ status: _, ...shown }) => shown],
  ])('that is shown with %s is neither paid nor unpaid', async (_, dress) => {
    psp.dress = dress;

    await expect(provider.findCharge(TXID)).rejects.toBeInstanceOf(Unavailable);
    await expect(provider.closeCharge(TXID)).rejects.toBeInstanceOf(Unavailable);
  });

  test.each([
    ['wrong JSON', { raw: '{"txid": "01' }],
    ['a page of HTML', { raw: '<html>' }],
    ['nothing', { raw: '' }],
    ['null', { raw: 'null' }],
    ['a list', { raw: '[]' }],
    ['500', { status: 500 }],
  ])('that is shown as %s is neither paid nor unpaid', async (_, instead) => {
    psp.faults.push({ on: 'GET /cob', instead });

    await expect(provider.findCharge(TXID)).rejects.toBeInstanceOf(Unavailable);
  });

  test('is paid with the only Pix of a provider that sends an object instead of the array', async () => {
    psp.dress = (shown) => ({ ...shown, pix: (shown.pix as Json[])[0] });

    expect(await provider.findCharge(TXID)).toMatchObject({
      status: 'PAID',
      payments: [{ endToEndId: endToEndId(0), amountCentavos: 100_00 }],
    });
  });

  test('is paid with both of two Pix, each with its own value', async () => {
    pay(psp, TXID, { valor: '12.34' });

    const { payments } = (await provider.findCharge(TXID))!;

    expect(payments.map(({ amountCentavos }) => amountCentavos)).toEqual([100_00, 12_34]);
  });
});

describe('the list of received payments', () => {
  const listAs = (pix: unknown) => psp.faults.push({ on: 'GET /pix', instead: { body: { pix } } });

  test('is one Pix if a provider sends an object instead of the array', async () => {
    const { payerCpf: _, ...pix } = pay(psp, TXID);
    listAs(pix);

    expect(await provider.listReceived(from, to)).toMatchObject({
      received: [{ endToEndId: pix.endToEndId }],
    });
  });

  test.each([['text'], [1], [true]])('is refused if it is %j', async (pix) => {
    listAs(pix);

    await expect(provider.listReceived(from, to)).rejects.toBeInstanceOf(Unavailable);
  });

  test('leaves out a Pix whose value is a number, and reports it', async () => {
    const { payerCpf: _, ...pix } = pay(psp, TXID);
    listAs([pix, { ...pix, endToEndId: endToEndId(7), valor: 100 }]);

    expect((await provider.listReceived(from, to)).received).toHaveLength(1);
    expect(log.lines.join()).toContain('payments that cannot be read');
  });
});

describe('an existing refund', () => {
  beforeEach(async () => {
    await provider.refund(refund);
  });

  test.each<[string, Json]>([
    ['its value as a number', { valor: 100 }],
    ['no value', { valor: undefined }],
    ['no status', { status: undefined }],
    ['a status that is no text', { status: true }],
  ])('that is shown with %s has neither succeeded nor failed', async (_, change) => {
    Object.assign(psp.refunds.get(`${refund.endToEndId}/${TXID}`)!, { status: 'DEVOLVIDO', ...change });

    await expect(provider.refund(refund)).rejects.toBeInstanceOf(Unavailable);
    expect(psp.countOf('PUT /pix')).toBe(1);
  });

  test('is never made again under its id, whatever its end', async () => {
    for (const status of ['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO', 'ALGO_NOVO']) {
      psp.refunds.get(`${refund.endToEndId}/${TXID}`)!.status = status;
      await provider.refund(refund);
    }

    expect(psp.countOf('PUT /pix')).toBe(1);
  });
});
