import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { companyEntryOf, companyRegistry } from '../../functions/adapters/company-registry/serpro.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { CompanyRegistry } from '../../functions/domain/kyc/registry-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const CNPJ = '34238864000168';
// Serpro, "Consulta CNPJ DF v2": the fields of a basic query.
const RECORD = {
  ni: CNPJ,
  tipoEstabelecimento: '1',
  nomeEmpresarial: 'EMPRESA DE TESTE DE SISTEMAS (TESTE) ',
  nomeFantasia: 'TESTE',
  situacaoCadastral: { codigo: '2', data: '2004-05-22', motivo: '' },
  naturezaJuridica: { codigo: '2011', descricao: 'Empresa Pública' },
  dataAbertura: '1967-06-30',
};

let stub: Stub;
let registry: CompanyRegistry;
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
  registry = companyRegistry(async () => settings, {
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

describe('findCnpj', () => {
  // docs/decisions.md, "Data that the partner collected"
  test('asks with a token for the 14 characters and answers in our words', async () => {
    expect(await registry.findCnpj(CNPJ)).toEqual({
      name: 'EMPRESA DE TESTE DE SISTEMAS (TESTE)',
      situation: 'ACTIVE',
    });
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /token',
      `GET /consulta-cnpj-df/v2/basica/${CNPJ}`,
    ]);
  });

  test('asks for a CNPJ with letters', async () => {
    answer = { body: { ...RECORD, ni: '12ABC34501DE35' } };

    expect(await registry.findCnpj('12ABC34501DE35')).toMatchObject({ situation: 'ACTIVE' });
  });

  test.each([
    ['1', 'INACTIVE'],
    ['2', 'ACTIVE'],
    ['02', 'ACTIVE'],
    ['3', 'INACTIVE'],
    ['4', 'INACTIVE'],
    ['8', 'INACTIVE'],
    ['7', 'INACTIVE'],
    ['constructor', 'INACTIVE'],
  ])('reads situation %s as %s', async (codigo, situation) => {
    answer = { body: { ...RECORD, situacaoCadastral: { codigo } } };

    expect(await registry.findCnpj(CNPJ)).toMatchObject({ situation });
  });

  test('accepts 206 if it has the needed fields', async () => {
    answer = { status: 206, body: { ...RECORD, dataAbertura: undefined } };

    expect(await registry.findCnpj(CNPJ)).toMatchObject({ situation: 'ACTIVE' });
  });

  test('finds nothing on 404', async () => {
    answer = { status: 404, body: { message: 'x' } };

    expect(await registry.findCnpj(CNPJ)).toBeUndefined();
  });

  test('asks for a new token when the old one expired early', async () => {
    await registry.findCnpj(CNPJ);
    tokens += 1;

    expect(await registry.findCnpj(CNPJ)).toMatchObject({ situation: 'ACTIVE' });
  });

  test.each<[string, StubAnswer]>([
    ['500', { status: 500, body: { cnpj: CNPJ } }],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['429', { status: 429 }],
    ['a time-out', { fault: 'hang' }],
    ['a cut connection', { fault: 'reset' }],
    ['truncated JSON', { raw: JSON.stringify(RECORD).slice(0, 30) }],
    ['no body', {}],
    ['another company', { body: { ...RECORD, ni: '11222333000181' } }],
    ['no name', { body: { ...RECORD, nomeEmpresarial: ' ' } }],
    ['no situation', { body: { ...RECORD, situacaoCadastral: '2' } }],
    ['206 without the name', { status: 206, body: { ...RECORD, nomeEmpresarial: undefined } }],
  ])('is Unavailable on %s, and never names the company', async (_, bad) => {
    answer = bad;

    const error = await failureOf(registry.findCnpj(CNPJ));

    expect(error).toBeInstanceOf(Unavailable);
    expect(`${error.stack} ${(error.cause as Error).stack}`).not.toMatch(/34238864|SISTEMAS|hush/);
  });

  test.each([400, 403, 406])('is a fault of ours on %s, and never names the company', async (status) => {
    answer = { status, body: { description: CNPJ } };

    const error = await failureOf(registry.findCnpj(CNPJ));

    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(`the company registry refused a query: HTTP ${status}`);
  });

  test.each(['34.238.864/0001-68', '3423886400016', '../token', '12abc34501de35'])(
    'sends nothing except 14 characters: %s',
    async (cnpj) => {
      const error = await failureOf(registry.findCnpj(cnpj));

      expect(error.message).toBe('a CNPJ is 14 characters');
      expect(stub.requests).toHaveLength(0);
    },
  );
});

describe('companyOf', () => {
  test('reads any answer or is Unavailable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, field) => {
        for (const body of [
          value,
          { ...RECORD, nomeEmpresarial: field },
          { ...RECORD, situacaoCadastral: field },
        ]) {
          expect(() => {
            try {
              companyEntryOf(body, CNPJ);
            } catch (error) {
              if (!(error instanceof Unavailable)) throw error;
            }
          }).not.toThrow();
        }
      }),
    );
  });
});
