import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import type { Context, Hono } from 'hono';
import { enrolledOn, personaOf } from './persona.ts';
import { findScenario, type Persona, type RegistryAnswer, registryTrialCpfs } from './scenarios.ts';
import { failure, outageControl, serproApi } from './serpro.ts';
import { change } from './store.ts';
import type { World } from './world.ts';

// Source: Serpro, "API Consulta CPF": "Consulta CPF DF v2" (path, fields, codes of the situation). Its
// "Códigos de retorno" are 200, 206, 400, 401, 403, 404, 406, 422, 451, 500 and 504. 403 means a wrong path,
// and 451 a minor. v2 needs only the CPF. The newer v3 also needs the birth date.
const ERRORS = {
  400: ['400', 'Requisição inválida', 'O número de CPF informado não é válido'],
  401: ['900901', 'Invalid Credentials', 'Access failure for API: /consulta-cpf-df/v2'],
  403: ['900908', 'Resource forbidden', 'Access failure for API: /consulta-cpf-df/v2'],
  404: ['404', 'Não encontrado', 'Não existe CPF com o número de inscrição informado'],
  406: ['406', 'Not Acceptable', 'Header Accept inválido'],
  422: ['422', 'LGPD', 'Dados de menor de idade bloqueados em atendimento à LGPD'],
  451: ['451', 'LGPD', 'Dados de menor de 16 anos bloqueados'],
  500: ['500', 'Erro no servidor', 'Ocorreu algum erro interno no servidor'],
  503: ['101503', 'Runtime Error', 'Error connecting to the back end'],
  504: ['101504', 'Runtime Error', 'Send timeout'],
} as const;

type Person = Partial<Persona> & RegistryAnswer & { missing?: boolean };

const OUTAGE = 'cpf-registry/outage';
const personKey = (cpf: string) => `cpf-registry/person/${cpf}`;
const callsKey = (cpf: string) => `cpf-registry/calls/${cpf}`;

const apiOf = (world: World) => ({
  path: '/consulta-cpf-df/v2',
  contract: world.settings.cpfRegistry,
  outageKey: OUTAGE,
  errors: ERRORS,
});

export function cpfRegistry(world: World): Hono {
  return serproApi(world, apiOf(world), (app) => {
    app.get('/consulta-cpf-df/v2/status', (c) => c.json({ status: 'UP' }));
    app.get('/consulta-cpf-df/v2/cpf/:ni', (c) => lookUp(c, world));
  });
}

export function cpfRegistryControl(world: World): Hono {
  const app = outageControl(world, OUTAGE);
  /**
   * Sets what differs from the usual answer about one CPF: `{name?, birthDate?, situacao?, status?,
   * missing?}`.
   */
  app.put('/people/:cpf', async (c) => {
    const person = (await c.req.json()) as Person;
    await world.store.put(personKey(c.req.param('cpf')), person);
    return c.json(person);
  });
  return app;
}

async function lookUp(c: Context, world: World): Promise<Response> {
  const api = apiOf(world);
  const ni = c.req.param('ni') ?? '';
  if (!/json|\*\/\*/.test(c.req.header('accept') ?? '*/*')) return failure(c, api, 406);
  if (!/^\d{11}$/.test(ni) || !isValidCpf(ni)) return failure(c, api, 400);
  if (await isDownFor(ni, world)) return failure(c, api, 503);

  const override = (await world.store.get<Person>(personKey(ni)))?.value;
  if (override?.missing) return failure(c, api, 404);
  const answer = { ...registryTrialCpfs[ni], ...override };
  if (answer.status === 422 || answer.status === 451) return failure(c, api, answer.status);
  return c.json(record(ni, answer), answer.status ?? 200);
}

function record(ni: string, answer: Person) {
  const persona = { ...personaOf(ni), ...answer };
  return {
    ni,
    nome: registerSpelling(persona.name),
    situacao: answer.situacao ?? { codigo: '0', descricao: 'REGULAR' },
    nascimento: ddmmaaaa(persona.birthDate),
    ...(answer.obito !== undefined && { obito: answer.obito }),
    // An answer with status 206 ("Conteúdo parcial") does not contain the date when the CPF was issued.
    ...(answer.status !== 206 && { dataInscricao: ddmmaaaa(enrolledOn(persona)) }),
  };
}

/** The registry's spelling of a name: capital letters without accents. */
export const registerSpelling = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toUpperCase();

const ddmmaaaa = (isoDate: string) => isoDate.split('-').reverse().join('');

async function isDownFor(cpf: string, world: World): Promise<boolean> {
  const limit = findScenario(cpf)?.registryOutageCalls;
  if (limit === undefined) return false;
  let refused = false;
  await change<{ refused: number }>(world.store, callsKey(cpf), (now) => {
    const count = now?.refused ?? 0;
    refused = count < limit;
    return refused ? { refused: count + 1 } : undefined;
  });
  return refused;
}

/** Starts the outage of the CPF's scenario again if all its calls have failed. */
export async function restartOutage(cpf: string, { store }: World): Promise<void> {
  const limit = findScenario(cpf)?.registryOutageCalls;
  await change<{ refused: number }>(store, callsKey(cpf), (now) =>
    now && now.refused === limit ? { refused: 0 } : undefined,
  );
}
