import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixCallback } from '../../functions/adapters/pix/callback.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import {
  CREATED_AT,
  endToEndId,
  KEY,
  pay,
  problem,
  type StubPsp,
  startStubPsp,
} from '../support/stub-psp.ts';

const ID = '01JBZ0000000000000ONRAMP01';
const wanted = { endToEndId: endToEndId(0), id: ID, amountCentavos: 110_00 };
const stored = `${wanted.endToEndId}/${ID}`;

let psp: StubPsp;
let provider: PixProvider;
let overrides: Partial<PixSettings>;

beforeEach(async () => {
  psp = await startStubPsp();
  overrides = {};
  const deps = { clock: stubClock(CREATED_AT), log: stubLog(), timeoutMs: 3_000 };
  provider = pixProvider(async () => ({ ...psp.settings(), ...overrides }), deps);
});
afterEach(() => psp.close());

describe('refund', () => {
  test('starts one of the whole amount under the given id', async () => {
    expect(await provider.refund(wanted)).toEqual({ status: 'PENDING' });
    expect(psp.refunds.get(stored)).toMatchObject({ id: ID, valor: '110.00' });
  });

  test.each([
    ['EM_PROCESSAMENTO', 'PENDING'],
    ['NAO_REALIZADO', 'FAILED'],
    ['EM_ANALISE', 'PENDING'],
  ])('reads %s as %s, without writing again', async (status, expected) => {
    await provider.refund(wanted);
    psp.refunds.get(stored)!.status = status;

    expect(await provider.refund(wanted)).toEqual({ status: expected });
    expect(psp.countOf('PUT /pix')).toBe(1);
  });

  test.each([
    ['its id between the banks', { rtrId: 'D1' }, { rtrId: 'D1' }],
    ['no such id if the bank shows none', { rtrId: undefined }, {}],
    ['no such id if it is unreadable', { rtrId: 'D1 <b>' }, {}],
  ])('reads DEVOLVIDO as REFUNDED, with %s', async (_, shown, expected) => {
    await provider.refund(wanted);
    Object.assign(psp.refunds.get(stored)!, { status: 'DEVOLVIDO', ...shown });

    expect(await provider.refund(wanted)).toEqual({ status: 'REFUNDED', ...expected });
  });

  test.each([
    ['a time-out after the work was done', { fault: 'hang' }],
    ['a 500 after the work was done', { status: 500 }],
    ['400, as the id is in use', problem(400, 'PixDevolucaoInvalida')],
    ['409', { status: 409 }],
  ] as const)('reads after %s', async (_, afterwards) => {
    psp.faults.push({ on: 'PUT /pix', afterwards });
    expect(await provider.refund(wanted)).toEqual({ status: 'PENDING' });
    expect(psp.countOf('PUT /pix')).toBe(1);
  });

  test('is Unavailable if nothing exists after an outage', async () => {
    psp.faults.push({ on: 'PUT /pix', instead: { status: 503 } });
    await expect(provider.refund(wanted)).rejects.toBeInstanceOf(Unavailable);
  });

  test('writes nothing while it cannot read', async () => {
    psp.faults.push({ on: 'GET /pix', instead: { status: 503 } });
    await expect(provider.refund(wanted)).rejects.toBeInstanceOf(Unavailable);
    expect(psp.countOf('PUT /pix')).toBe(0);
  });

  test('refuses a refund under our id with another amount', async () => {
    await provider.refund(wanted);
    await expect(provider.refund({ ...wanted, amountCentavos: 1_00 })).rejects.toThrow('has another valor');
  });

  test.each([
    [400, 'PixDevolucaoInvalida'],
    [404, 'PixNaoEncontrado'],
    [422, 'SaldoInsuficiente'],
  ])('has ended unsent if it is refused by %d, and is nowhere to be found', async (status, type) => {
    psp.faults.push({ on: 'PUT /pix', instead: problem(status, type) });

    const refused = await provider.refund(wanted);

    const refusal = expect.stringContaining(`refused a refund: HTTP ${status} ${type}`);
    expect(refused).toEqual({ status: 'FAILED', refusal });
    expect(JSON.stringify(refused)).not.toContain('11144477735');
    expect(psp.refunds.size).toBe(0);
  });

  test.each([401, 403, 408, 409, 425, 429])('is undecided if it is refused by %d', async (status) => {
    const refusal = { on: 'PUT /pix', instead: { status } };
    // A refused token is replaced once.
    psp.faults.push(...(status === 401 ? [refusal, refusal] : [refusal]));

    await expect(provider.refund(wanted)).rejects.toThrow();
    expect(await provider.refund(wanted)).toEqual({ status: 'PENDING' });
  });

  test('is undecided if it is refused and cannot be searched', async () => {
    psp.faults.push({ on: 'PUT /pix', instead: problem(422, 'SaldoInsuficiente') });
    psp.faults.push({ on: `GET /pix/${stored.split('/')[0]}/devolucao`, afterwards: { status: 404 } });
    psp.faults.push({ on: `GET /pix/${stored.split('/')[0]}/devolucao`, instead: { status: 503 } });

    await expect(provider.refund(wanted)).rejects.toBeInstanceOf(Unavailable);
  });

  test('counts if only the Pix itself shows it', async () => {
    pay(psp, 'another', { endToEndId: wanted.endToEndId });
    psp.faults.push({ on: 'PUT /pix', afterwards: problem(400, 'PixDevolucaoInvalida') });
    for (const _ of [1, 2])
      psp.faults.push({
        on: `GET /pix/${wanted.endToEndId}/devolucao`,
        instead: problem(404, 'NaoEncontrado'),
      });

    expect(await provider.refund(wanted)).toEqual({ status: 'PENDING' });
  });
});

describe('findRefund', () => {
  test('gives the state of a refund, and starts none', async () => {
    expect(await provider.findRefund(wanted)).toBeUndefined();
    await provider.refund(wanted);

    expect(await provider.findRefund(wanted)).toEqual({ status: 'PENDING' });
    expect(psp.countOf('PUT /pix')).toBe(1);
  });
});

describe('registerCallback', () => {
  const ours = 'https://onramp.example/callbacks/pix/hush-token';

  test('registers our address if there is none', async () => {
    await provider.registerCallback();
    expect(psp.webhookUrl).toBe(ours);
    expect(psp.requests.at(-1)?.path).toBe(`/v2/webhook/${KEY}`);
  });

  test('replaces another’s address', async () => {
    psp.webhookUrl = 'https://elsewhere.example/';
    await provider.registerCallback();
    expect(psp.webhookUrl).toBe(ours);
  });

  test('keeps our own address', async () => {
    psp.webhookUrl = ours;
    await provider.registerCallback();
    expect(psp.countOf('PUT /webhook')).toBe(0);
  });

  // docs/security.md, "Providers calling us"
  test('lets Efí check that our address asks for its certificate', async () => {
    overrides = { profile: 'efi' };
    await provider.registerCallback();
    expect(psp.requests.at(-1)?.headers).not.toHaveProperty('x-skip-mtls-checking');
  });

  test('fails without its token in the message', async () => {
    psp.faults.push({ on: 'PUT /webhook', instead: problem(400, 'WebhookOperacaoInvalida') });
    const error = await provider.registerCallback().catch((caught: Error) => caught.stack);
    expect(error).toContain('WebhookOperacaoInvalida');
    expect(error).not.toContain('hush');
  });
});

describe('isCallbackToken', () => {
  const callbackWith = (callbackToken: string) =>
    pixCallback(async () => ({ key: 'our-key', callbackToken }));

  test.each([
    ['hush-token', true],
    ['hush-toke', false],
    ['hush-token ', false],
    ['', false],
  ])('is for %j: %s', async (token, expected) => {
    expect(await callbackWith('hush-token').isCallbackToken(token)).toBe(expected);
  });

  test('is never true without a configured token', async () => {
    expect(await callbackWith('').isCallbackToken('')).toBe(false);
  });
});
