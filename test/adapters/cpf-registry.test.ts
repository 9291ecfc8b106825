import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cpfRegistry, registryEntryOf } from '../../functions/adapters/cpf-registry/serpro.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { CpfRegistry } from '../../functions/domain/kyc/registry-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const CPF = '40442820135';
// Serpro, "Consulta CPF DF v2".
const RECORD = {
  ni: CPF,
  nome: 'PESSOA FISICA DA SILVA',
  situacao: { codigo: '0', descricao: 'REGULAR' },
  nascimento: '14111970',
  dataInscricao: '20091985',
};

let stub: Stub;
let registry: CpfRegistry;
let answer: StubAnswer;
let tokens: number;

beforeEach(async () => {
  answer = { body: RECORD };
  tokens = 0;
  stub = await startStub(({ path, headers }) => {
    if (path === '/token') {
      tokens += 1;
      return { body: { access_token: `t${tokens}`, token_type: 'Bearer', expires_in: 3600 } };
    }
    return headers.authorization === `Bearer t${tokens}` ? answer : { status: 401 };
  });
  const settings = { baseUrl: stub.url, consumerKey: 'key', consumerSecret: 'hush' };
  registry = cpfRegistry(async () => settings, {
    clock: stubClock('2026-11-02T12:00:00Z'),
    timeoutMs: 3_000,
  });
});
afterEach(() => stub.close());

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it answered'),
    (error: Error) => error,
  );

describe('findCpf', () => {
  test('asks with a token for the 11 digits and answers in our words', async () => {
    expect(await registry.findCpf(CPF)).toEqual({
      cpf: CPF,
      name: 'PESSOA FISICA DA SILVA',
      birthDate: '1970-11-14',
      situation: 'REGULAR',
    });
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /token',
      `GET /consulta-cpf-df/v2/cpf/${CPF}`,
    ]);
    expect(stub.requests[0]?.text).toBe('grant_type=client_credentials');
  });

  test.each([
    ['0', 'REGULAR'],
    ['2', 'IRREGULAR'],
    ['3', 'DECEASED'],
    ['4', 'IRREGULAR'],
    ['5', 'IRREGULAR'],
    ['8', 'IRREGULAR'],
    ['9', 'IRREGULAR'],
    ['7', 'IRREGULAR'],
    ['constructor', 'IRREGULAR'],
  ])('reads situation %s as %s', async (codigo, situation) => {
    answer = { body: { ...RECORD, situacao: { codigo, descricao: '' } } };
    expect(await registry.findCpf(CPF)).toMatchObject({ situation });
  });

  test('reads DECEASED for a year of death, even with a regular situation', async () => {
    answer = { body: { ...RECORD, obito: '2023' } };
    expect(await registry.findCpf(CPF)).toMatchObject({ situation: 'DECEASED' });
    answer = { body: { ...RECORD, obito: '0000' } };
    expect(await registry.findCpf(CPF)).toMatchObject({ situation: 'REGULAR' });
  });

  test('accepts 206, which lacks the date of enrolment', async () => {
    const { dataInscricao: _, ...partial } = RECORD;
    answer = { status: 206, body: partial };
    expect(await registry.findCpf(CPF)).toMatchObject({ birthDate: '1970-11-14' });
  });

  test('finds nothing on 404', async () => {
    answer = { status: 404, body: { message: 'x' } };
    expect(await registry.findCpf(CPF)).toBeUndefined();
  });

  test.each([422, 451])('learns on %s that the person is a minor, and nothing else', async (status) => {
    answer = { status, body: { message: 'x' } };
    expect(await registry.findCpf(CPF)).toEqual({ situation: 'MINOR' });
  });

  test('asks for a new token when the old one expired early', async () => {
    await registry.findCpf(CPF);
    tokens += 1;
    expect(await registry.findCpf(CPF)).toMatchObject({ cpf: CPF });
  });

  test.each<[string, StubAnswer]>([
    ['500', { status: 500, body: { cpf: CPF } }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['429', { status: 429 }],
    ['a time-out', { fault: 'hang' }],
    ['a cut connection', { fault: 'reset' }],
    ['truncated JSON', { raw: JSON.stringify(RECORD).slice(0, 30) }],
    ['no body', {}],
    ['another person', { body: { ...RECORD, ni: '11144477735' } }],
    ['no name', { body: { ...RECORD, nome: ' ' } }],
    ['a birth date that is no day', { body: { ...RECORD, nascimento: '31021970' } }],
    ['no situation', { body: { ...RECORD, situacao: 'REGULAR' } }],
  ])('is Unavailable on %s, and never names the CPF', async (_, bad) => {
    answer = bad;
    const error = await failureOf(registry.findCpf(CPF));
    expect(error).toBeInstanceOf(Unavailable);
    expect(`${error.stack} ${(error.cause as Error).stack}`).not.toMatch(/40442820135|SILVA|hush/);
  });

  test.each([400, 403, 406])('is a fault of ours on %s, and never names the CPF', async (status) => {
    answer = { status, body: { description: CPF } };
    const error = await failureOf(registry.findCpf(CPF));
    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(`the CPF registry refused a query: HTTP ${status}`);
  });

  test('sends nothing except 11 digits', async () => {
    const error = await failureOf(registry.findCpf('404.428.201-35'));
    expect(error.message).toBe('a CPF is 11 digits');
    expect(stub.requests).toHaveLength(0);
  });
});

describe('entryOf', () => {
  test('reads every day of the calendar', () => {
    const day = fc.date({ min: new Date('1800-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const nascimento = iso.split('-').reverse().join('');
        expect(registryEntryOf({ ...RECORD, nascimento }, CPF).birthDate).toBe(iso);
      }),
    );
  });

  test('reads any answer or is Unavailable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, field) => {
        for (const body of [value, { ...RECORD, nascimento: field }, { ...RECORD, situacao: field }]) {
          expect(() => {
            try {
              registryEntryOf(body, CPF);
            } catch (error) {
              if (!(error instanceof Unavailable)) throw error;
            }
          }).not.toThrow();
        }
      }),
    );
  });
});
