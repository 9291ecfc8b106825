import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { NewCharge } from '../../functions/domain/purchase/pix.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import {
  CREATED_AT,
  endToEndId,
  HOST,
  KEY,
  pay,
  problem,
  type StubPsp,
  startStubPsp,
} from '../support/stub-psp.ts';

const TXID = '01JBZ0000000000000ONRAMP01';
const wanted: NewCharge = {
  txid: TXID,
  amountCentavos: 100_00,
  payer: { cpf: '11144477735', name: 'Ana Souza' },
  expiresInSeconds: 1800,
};

let psp: StubPsp;
let provider: PixProvider;
let overrides: Partial<PixSettings>;
const clock = stubClock(CREATED_AT);
const log = stubLog();

beforeEach(async () => {
  psp = await startStubPsp();
  overrides = {};
  log.lines.length = 0;
  provider = pixProvider(async () => ({ ...psp.settings(), ...overrides }), { clock, log, timeoutMs: 3_000 });
});
afterEach(() => psp.close());

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it answered'),
    (error: Error) => error,
  );
const textOf = (error: Error) => `${error.stack} ${(error.cause as Error | undefined)?.stack}`;
const seeded = async () => void (await provider.createCharge(wanted));

describe('createCharge', () => {
  test('sends value, key, life and debtor, and answers in centavos', async () => {
    const charge = await provider.createCharge(wanted);

    const sent = psp.requests.find(({ method }) => method === 'PUT');
    expect(sent?.path).toBe(`/v2/cob/${TXID}`);
    expect(JSON.parse(sent!.text)).toEqual({
      calendario: { expiracao: 1800 },
      devedor: { cpf: '11144477735', nome: 'Ana Souza' },
      valor: { original: '100.00' },
      chave: KEY,
    });
    expect(charge).toEqual({
      txid: TXID,
      status: 'ACTIVE',
      key: KEY,
      amountCentavos: 100_00,
      payload: psp.charges.get(TXID)?.pixCopiaECola,
      createdAt: Date.parse(CREATED_AT),
      expiresAt: Date.parse(CREATED_AT) + 1_800_000,
      payments: [],
    });
  });

  test('names the debtor in some way if the name is unknown, because the API needs one', async () => {
    await provider.createCharge({ ...wanted, payer: { cpf: '11144477735' } });
    expect(psp.charges.get(TXID)?.devedor).toEqual({ cpf: '11144477735', nome: 'Cliente' });
  });

  test.each([
    ['a time-out after the work was done', { fault: 'hang' }],
    ['a connection cut after the work was done', { fault: 'reset' }],
    ['truncated JSON', { raw: '{"txid":', status: 201 }],
    ['503 as problem+json', problem(503, 'ServicoIndisponivel')],
    [
      '409 txid_duplicado',
      { status: 409, body: { nome: 'txid_duplicado', mensagem: 'Campo txid já em uso' } },
    ],
    ['400 CobOperacaoInvalida', problem(400, 'CobOperacaoInvalida')],
  ] as const)('finds the charge by reading after %s', async (_, afterwards) => {
    psp.faults.push({ on: 'PUT /cob', afterwards });

    const charge = await provider.createCharge(wanted);

    expect(charge).toMatchObject({ txid: TXID, status: 'ACTIVE', amountCentavos: 100_00 });
    expect(psp.countOf('PUT /cob')).toBe(1);
    expect(psp.countOf('GET /cob')).toBe(1);
  });

  test.each([
    ['fresh', 5, 1800],
    ['some seconds old', 6, 1806],
    ['half spent', 900, 2700],
    ['dead for ten minutes', 2400, 4200],
  ])('gives an existing charge that is %s its whole time again', async (_, ageSeconds, expiracao) => {
    await seeded();
    const later = stubClock(new Date(Date.parse(CREATED_AT) + ageSeconds * 1000).toISOString());
    const settings = async () => ({ ...psp.settings(), ...overrides });
    const again = pixProvider(settings, { clock: later, log, timeoutMs: 3_000 });

    const charge = await again.createCharge(wanted);

    expect(charge).toMatchObject({
      status: 'ACTIVE',
      expiresAt: Date.parse(CREATED_AT) + expiracao * 1000,
      payload: psp.charges.get(TXID)?.pixCopiaECola,
    });
    const revisions = psp.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ text }) => JSON.parse(text));
    expect(revisions).toEqual(expiracao === 1800 ? [] : [{ calendario: { expiracao } }]);
  });

  test('never shows a charge that ends soon and cannot be prolonged', async () => {
    await seeded();
    const later = stubClock(new Date(Date.parse(CREATED_AT) + 1_700_000).toISOString());
    const settings = async () => ({ ...psp.settings(), ...overrides });
    const again = pixProvider(settings, { clock: later, log, timeoutMs: 3_000 });
    psp.faults.push({ on: 'PATCH /cob', instead: problem(503, 'ServicoIndisponivel') });

    await expect(again.createCharge(wanted)).rejects.toBeInstanceOf(Unavailable);
  });

  test('is Unavailable, without a second write, if nothing exists after an outage', async () => {
    psp.faults.push({ on: 'PUT /cob', instead: problem(503, 'ServicoIndisponivel') });
    await expect(provider.createCharge(wanted)).rejects.toBeInstanceOf(Unavailable);
    expect(psp.countOf('PUT /cob')).toBe(1);
  });

  test('is Unavailable if the reading side is down too', async () => {
    psp.faults.push({ on: 'PUT /cob', afterwards: { fault: 'reset' } });
    psp.faults.push({ on: 'GET /cob', instead: { status: 500 } });
    await expect(provider.createCharge(wanted)).rejects.toBeInstanceOf(Unavailable);
  });

  test('is Unavailable if the duplicate cannot be read yet', async () => {
    psp.faults.push({ on: 'PUT /cob', instead: { status: 409, body: { nome: 'txid_duplicado' } } });
    await expect(provider.createCharge(wanted)).rejects.toBeInstanceOf(Unavailable);
  });

  test('gives the paid charge if it was paid before the repetition', async () => {
    await seeded();
    pay(psp, TXID);
    const charge = await provider.createCharge(wanted);
    expect(charge).toMatchObject({ status: 'PAID', payments: [{ amountCentavos: 100_00 }] });
  });

  test('is a fault of ours, without personal data, if the request itself is refused', async () => {
    psp.faults.push({ on: 'PUT /cob', instead: problem(400, 'CobOperacaoInvalida') });

    const error = await failureOf(provider.createCharge(wanted));

    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(
      'the Pix provider refused to create a charge: HTTP 400 CobOperacaoInvalida, cob.devedor',
    );
    expect(textOf(error)).not.toMatch(/11144477735|segredo|hush|Ana/);
  });

  test('names the code of an error in Efí’s own form', async () => {
    overrides = { profile: 'efi' };
    psp.faults.push({ on: 'PUT /cob', instead: { status: 400, body: { nome: 'chave_invalida' } } });
    const error = await failureOf(provider.createCharge(wanted));
    expect(error.message).toContain('HTTP 400 chave_invalida');
    expect(psp.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('replaces a token that expires mid-flow', async () => {
    await seeded();
    psp.faults.push({ on: 'GET /cob', instead: { status: 401 } });
    expect(await provider.findCharge(TXID)).toMatchObject({ txid: TXID });
    expect(psp.tokens).toBe(2);
  });

  test('requests a new token with new settings, because tokens are bound to the certificate', async () => {
    await seeded();
    overrides = { certificate: { cert: 'new', key: 'new' } };
    await provider.findCharge(TXID);
    expect(psp.tokens).toBe(2);
  });

  test('reports missing scopes, and goes on', async () => {
    psp.grantedScope = 'cob.write cob.read';
    await seeded();
    expect(log.raised).toEqual(['PixScopesMissing']);
    expect(log.lines.join()).toContain('pix.write pix.read webhook.write webhook.read');
  });

  test.each([
    ['valor', { valor: { original: '100.01' } }],
    ['valor', { valor: { original: '100.00', modalidadeAlteracao: 1 } }],
    ['chave', { chave: 'another-key' }],
    ['devedor', { devedor: { cpf: '52998224725', nome: 'Other' } }],
    ['expiracao', { calendario: { criacao: CREATED_AT, expiracao: 86_400 } }],
    ['txid', { txid: '01JBZ0000000000000ONRAMP02' }],
  ])('refuses a charge under our txid with another %s', async (name, other) => {
    psp.dress = (charge) => ({ ...charge, ...other });

    const error = await failureOf(provider.createCharge(wanted));

    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(`the charge ${TXID} at the Pix provider has another ${name}`);
  });

  test('compares in the same way after a doubtful write', async () => {
    psp.faults.push({ on: 'PUT /cob', afterwards: { fault: 'hang' } });
    psp.dress = (charge) => ({ ...charge, valor: { original: '1.00' } });
    await expect(provider.createCharge(wanted)).rejects.toThrow('has another valor');
  });

  test('accepts what the document leaves open: no debtor, the life as text, short numbers', async () => {
    psp.dress = ({ devedor: _, ...charge }) => ({
      ...charge,
      valor: { original: '100.0' },
      calendario: { criacao: '2026-11-02T09:00:00-03:00', expiracao: '1800' },
    });
    expect(await provider.createCharge(wanted)).toMatchObject({ createdAt: Date.parse(CREATED_AT) });
  });

  test.each([
    ['valor.original', { valor: { original: '1e2' } }],
    ['valor.original', { valor: { original: 100 } }],
    ['calendario.criacao', { calendario: { criacao: '2026-11-02T09:00:00', expiracao: 1800 } }],
    ['chave', { chave: undefined }],
    ['pix', { pix: [{ endToEndId: 'E1', valor: 'x', horario: CREATED_AT }] }],
  ])('is Unavailable if %s cannot be read', async (what, other) => {
    psp.dress = (charge) => ({ ...charge, ...other });
    const error = await failureOf(provider.createCharge(wanted));
    expect(error).toBeInstanceOf(Unavailable);
    expect((error.cause as Error).message).toBe(`malformed answer: ${what}`);
  });
});

describe('the payload', () => {
  test('is built around the location if the provider sends none', async () => {
    const { payload } = await provider.createCharge(wanted);
    psp.dress = ({ pixCopiaECola: _, ...charge }) => charge;
    expect((await provider.findCharge(TXID))?.payload).toBe(payload);
  });

  test.each([
    ['location of a foreign host', { location: 'pix.evil.example/qr/v2/x', loc: undefined }],
    ['two different locations', { location: `${HOST}/qr/v2/other` }],
    ['location', { location: undefined, loc: undefined }],
    ['BR Code structure or checksum', { pixCopiaECola: '00020126BROKEN' }],
  ])('is never shown with a %s', async (reason, other) => {
    psp.dress = (charge) => ({ ...charge, ...other });
    const error = await failureOf(provider.createCharge(wanted));
    expect(error).toBeInstanceOf(Unavailable);
    expect((error.cause as Error).message).toContain(reason);
    expect(textOf(error)).not.toContain('evil');
  });

  test('is missing without hiding the payments of a paid charge', async () => {
    await seeded();
    pay(psp, TXID);
    psp.dress = (charge) => ({ ...charge, loc: undefined, location: undefined, pixCopiaECola: 'gone' });
    expect(await provider.findCharge(TXID)).toMatchObject({ status: 'PAID', payload: '', payments: [{}] });
  });
});

describe('findCharge', () => {
  test('finds nothing if the provider does not have the charge', async () => {
    expect(await provider.findCharge(TXID)).toBeUndefined();
  });

  test('gives every Pix of a charge with its own amount', async () => {
    await seeded();
    pay(psp, TXID, { valor: '110.00' });
    pay(psp, TXID, { horario: '2026-11-02T12:02:00Z' });

    expect((await provider.findCharge(TXID))?.payments).toEqual([
      {
        endToEndId: endToEndId(0),
        txid: TXID,
        key: KEY,
        amountCentavos: 110_00,
        paidAt: Date.parse('2026-11-02T12:01:00Z'),
      },
      {
        endToEndId: endToEndId(1),
        txid: TXID,
        key: KEY,
        amountCentavos: 100_00,
        paidAt: Date.parse('2026-11-02T12:02:00Z'),
      },
    ]);
  });

  test.each([
    ['ATIVA', 'ACTIVE'],
    ['CONCLUIDA', 'PAID'],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'CLOSED'],
    ['REMOVIDA_PELO_PSP', 'CLOSED'],
    ['EM_ANALISE', 'ACTIVE'],
  ])('reads %s as %s', async (status, expected) => {
    await seeded();
    psp.charges.get(TXID)!.status = status;
    expect((await provider.findCharge(TXID))?.status).toBe(expected);
  });

  test('treats a charge as paid once it has a Pix, even if its status lags behind', async () => {
    await seeded();
    pay(psp, TXID);
    psp.charges.get(TXID)!.status = 'ATIVA';
    expect((await provider.findCharge(TXID))?.status).toBe('PAID');
  });

  test('refuses a charge other than the requested one', async () => {
    await seeded();
    psp.dress = (charge) => ({ ...charge, txid: 'SOMEBODYELSES0000000000000' });
    await expect(provider.findCharge(TXID)).rejects.toThrow('answered with another charge');
  });

  test('uses only letters and digits in a path', async () => {
    await expect(provider.findCharge('../webhook/x')).rejects.toThrow('alphanumeric');
    expect(psp.requests).toHaveLength(0);
  });

  test('is a fault of the configuration if the scope is missing', async () => {
    psp.faults.push({ on: 'GET /cob', instead: problem(403, 'AcessoNegado') });
    await expect(provider.findCharge(TXID)).rejects.toThrow('HTTP 403 AcessoNegado');
  });
});

describe('closeCharge', () => {
  beforeEach(seeded);

  test('closes and reads again', async () => {
    expect(await provider.closeCharge(TXID)).toMatchObject({ status: 'CLOSED', payload: '' });
    expect(JSON.parse(psp.requests.find(({ method }) => method === 'PATCH')!.text)).toEqual({
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    });
  });

  test('gives the payment that was faster', async () => {
    pay(psp, TXID);
    expect(await provider.closeCharge(TXID)).toMatchObject({ status: 'PAID', payments: [{}] });
  });

  test('gives a payment that arrived while it was closing', async () => {
    pay(psp, TXID);
    psp.charges.get(TXID)!.status = 'ATIVA';
    expect(await provider.closeCharge(TXID)).toMatchObject({ status: 'PAID', payments: [{}] });
  });

  test('can be repeated', async () => {
    await provider.closeCharge(TXID);
    expect(await provider.closeCharge(TXID)).toMatchObject({ status: 'CLOSED' });
  });

  test('finds nothing to close if no charge was ever made', async () => {
    expect(await provider.closeCharge('01JBZ0000000000000ONRAMP99')).toBeUndefined();
  });

  test('trusts the reading after a time-out', async () => {
    psp.faults.push({ on: 'PATCH /cob', afterwards: { fault: 'hang' } });
    expect(await provider.closeCharge(TXID)).toMatchObject({ status: 'CLOSED' });
  });

  test('is Unavailable while the charge could still be paid', async () => {
    psp.faults.push({ on: 'PATCH /cob', instead: problem(503, 'ServicoIndisponivel') });
    await expect(provider.closeCharge(TXID)).rejects.toBeInstanceOf(Unavailable);

    psp.faults.push({ on: 'PATCH /cob', instead: { status: 200, body: {} } });
    await expect(provider.closeCharge(TXID)).rejects.toBeInstanceOf(Unavailable);
  });

  test('is Unavailable if the charge was made while it was closing', async () => {
    psp.faults.push({ on: 'PATCH /cob', instead: problem(404, 'CobNaoEncontrado') });
    await expect(provider.closeCharge(TXID)).rejects.toBeInstanceOf(Unavailable);
  });

  test('accepts that an expired charge cannot be closed', async () => {
    const later = stubClock('2026-11-02T12:31:00Z');
    const patient = pixProvider(async () => psp.settings(), { clock: later, log });
    psp.faults.push({ on: 'PATCH /cob', instead: problem(400, 'CobOperacaoInvalida') });
    expect(await patient.closeCharge(TXID)).toMatchObject({ status: 'ACTIVE', payments: [] });
  });

  test('is a fault of ours if the provider refuses to close a live charge', async () => {
    psp.faults.push({ on: 'PATCH /cob', instead: problem(400, 'CobOperacaoInvalida') });
    await expect(provider.closeCharge(TXID)).rejects.toThrow('refused to close a charge: HTTP 400');
  });
});
