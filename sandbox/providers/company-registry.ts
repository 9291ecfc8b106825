import { createHash } from 'node:crypto';
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import type { Context, Hono } from 'hono';
import { getAt } from '../../functions/domain/get.ts';
import { registerSpelling } from './cpf-registry.ts';
import { type CompanyAnswer, companyTrialCnpjs, findCompanyScenario } from './scenarios.ts';
import { failure, outageControl, serproApi } from './serpro.ts';
import { change } from './store.ts';
import type { World } from './world.ts';

// Source: Serpro, "API Consulta CNPJ": "Consulta CNPJ DF v2" (path) and "Description of V2 fields". Its
// "Códigos de retorno" are 200, 206, 400, 401, 403, 404, 500, 502 and 504. Codes of a company's situation: 1
// void, 2 active, 3 suspended, 4 unfit, 8 closed.
const ERRORS = {
  400: ['400', 'Requisição inválida', 'O número de CNPJ informado não é válido'],
  401: ['900901', 'Invalid Credentials', 'Access failure for API: /consulta-cnpj-df/v2'],
  403: ['900908', 'Resource forbidden', 'Access failure for API: /consulta-cnpj-df/v2'],
  404: ['404', 'Não encontrado', 'Não existe CNPJ com o número de inscrição informado'],
  500: ['500', 'Erro no servidor', 'Ocorreu algum erro interno no servidor'],
  502: ['502', 'Bad Gateway', 'Bad Gateway'],
  503: ['101503', 'Runtime Error', 'Error connecting to the back end'],
  504: ['101504', 'Runtime Error', 'Send timeout'],
} as const;

const OUTAGE = 'company-registry/outage';
const companyKey = (cnpj: string) => `company-registry/company/${cnpj}`;
const callsKey = (cnpj: string) => `company-registry/calls/${cnpj}`;

const apiOf = (world: World) => ({
  path: '/consulta-cnpj-df/v2',
  contract: world.settings.companyRegistry,
  outageKey: OUTAGE,
  errors: ERRORS,
});

export function companyRegistry(world: World): Hono {
  return serproApi(world, apiOf(world), (app) => {
    app.get('/consulta-cnpj-df/v2/status', (c) => c.json({ status: 'UP' }));
    app.get('/consulta-cnpj-df/v2/basica/:ni', (c) => lookUp(c, world));
  });
}

export function companyRegistryControl(world: World): Hono {
  const app = outageControl(world, OUTAGE);
  /** Sets what differs from the usual answer about one CNPJ: `{name?, situacao?, status?, missing?}`. */
  app.put('/companies/:cnpj', async (c) => {
    const company = (await c.req.json()) as CompanyAnswer;
    await world.store.put(companyKey(c.req.param('cnpj')), company);
    return c.json(company);
  });
  return app;
}

async function lookUp(c: Context, world: World): Promise<Response> {
  const api = apiOf(world);
  const ni = c.req.param('ni') ?? '';
  if (!/^[0-9A-Z]{12}\d{2}$/.test(ni) || !isValidCnpj(ni, { version: 2 })) return failure(c, api, 400);
  const scenario = findCompanyScenario(ni);
  if (scenario?.outageCalls && (await isDown(world, callsKey(ni), scenario.outageCalls)))
    return failure(c, api, 503);
  const override = (await world.store.get<CompanyAnswer>(companyKey(ni)))?.value;
  const answer = { ...companyTrialCnpjs[ni], ...scenario?.answer, ...override };
  if (answer.missing) return failure(c, api, 404);
  if (answer.status === 500 || answer.status === 503) return failure(c, api, answer.status);
  return c.json(record(ni, answer), answer.status ?? 200);
}

/**
 * True if this call fails because of the scenario's outage: `calls` calls fail, the next one succeeds, and
 * then the count begins again. If the service stops calling earlier, the other failures are left for its next
 * submission of the company.
 */
async function isDown(world: World, key: string, calls: number): Promise<boolean> {
  let refused = false;
  await change<{ refused: number }>(world.store, key, (now) => {
    const count = now?.refused ?? 0;
    refused = count < calls;
    return { refused: refused ? count + 1 : 0 };
  });
  return refused;
}

function record(ni: string, answer: CompanyAnswer) {
  return {
    ni,
    tipoEstabelecimento: '1',
    // An answer with status 206 (partial content) does not contain the company's name.
    ...(answer.status !== 206 && { nomeEmpresarial: registerSpelling(answer.name ?? companyNameOf(ni)) }),
    nomeFantasia: '',
    situacaoCadastral: { codigo: answer.situacao ?? '2', data: '2015-03-02', motivo: '' },
    naturezaJuridica: { codigo: '2062', descricao: 'Sociedade Empresária Limitada' },
    dataAbertura: '2015-03-02',
    porte: '05',
  };
}

const FIRST =
  'Almeida Barros Campos Duarte Esteves Farias Guedes Leite Macedo Novaes Pacheco Queiroz Rangel Salles';
const SECOND = 'Irmãos Filhos Associados Sobrinho Neto';
const TRADE =
  'Alimentos Confecções Engenharia Informática Materiais Móveis Papelaria Tecidos Transportes Veículos';

/** An invented company name, always the same for a CNPJ. */
export function companyNameOf(cnpj: string): string {
  const bytes = createHash('sha256').update(`company ${cnpj}`).digest();
  const pick = (text: string, at: number) => {
    const words = text.split(' ');
    return getAt(words, getAt(bytes, at) % words.length);
  };
  return `${pick(FIRST, 0)} e ${pick(SECOND, 1)} Comércio de ${pick(TRADE, 2)} Ltda`;
}
