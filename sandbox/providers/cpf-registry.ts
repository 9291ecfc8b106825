import { createHmac, timingSafeEqual } from 'node:crypto';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { type Context, Hono } from 'hono';
import { enrolledOn, personaOf } from './persona.ts';
import { findScenario, type Persona, type RegistryAnswer, registryTrialCpfs } from './scenarios.ts';
import { change } from './store.ts';
import type { World } from './world.ts';

// Serpro, "API Consulta CPF": quick start (token), "Consulta CPF DF v2" (path, fields, situation codes) and
// "Códigos de retorno" (200, 206, 400, 401, 403 for a wrong path, 404, 406, 422 and 451 for minors, 500,
// 504).
// Serpro documents no error bodies; these have the form of the WSO2 gateway before its API, whose own 503 is.
// v3, the newest, wants the birth date in the path too; v2 needs the CPF alone.
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
type ErrorStatus = keyof typeof ERRORS;

type Outage = { calls: number; status: 500 | 503 | 504 };
type Person = Partial<Persona> & RegistryAnswer & { missing?: boolean };

const OUTAGE = 'cpf-registry/outage';
const TOKEN_SECONDS = 3600;
const personKey = (cpf: string) => `cpf-registry/person/${cpf}`;
const callsKey = (cpf: string) => `cpf-registry/calls/${cpf}`;

export function cpfRegistry(world: World): Hono {
  const app = new Hono();
  app.post('/token', (c) => issueToken(c, world));
  app.use('/consulta-cpf-df/v2/*', async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!isTokenValid(token, world)) return failure(c, 401);
    const outage = await takeOutage(world);
    if (outage) return failure(c, outage.status);
    await next();
  });
  app.get('/consulta-cpf-df/v2/status', (c) => c.json({ status: 'UP' }));
  app.get('/consulta-cpf-df/v2/cpf/:ni', (c) => lookUp(c, world));
  app.all('*', (c) => failure(c, 403));
  return app;
}

export function cpfRegistryControl(world: World): Hono {
  const app = new Hono();
  app.post('/outage', async (c) => {
    const { calls, status = 503 } = (await c.req.json()) as Partial<Outage>;
    const outage = { calls: Number(calls), status };
    await world.store.put(OUTAGE, outage);
    return c.json(outage);
  });
  /** Makes one CPF answer otherwise than its persona: `{name?, birthDate?, situacao?, status?, missing?}`. */
  app.put('/people/:cpf', async (c) => {
    const person = (await c.req.json()) as Person;
    await world.store.put(personKey(c.req.param('cpf')), person);
    return c.json(person);
  });
  return app;
}

async function lookUp(c: Context, world: World): Promise<Response> {
  const ni = c.req.param('ni') ?? '';
  if (!/json|\*\/\*/.test(c.req.header('accept') ?? '*/*')) return failure(c, 406);
  if (!/^\d{11}$/.test(ni) || !isValidCpf(ni)) return failure(c, 400);
  if (await isDownFor(ni, world)) return failure(c, 503);

  const override = (await world.store.get<Person>(personKey(ni)))?.value;
  if (override?.missing) return failure(c, 404);
  const answer = { ...registryTrialCpfs[ni], ...override };
  if (answer.status === 422 || answer.status === 451) return failure(c, answer.status);
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
    // Its absence is what 206 means: "Conteúdo parcial".
    ...(answer.status !== 206 && { dataInscricao: ddmmaaaa(enrolledOn(persona)) }),
  };
}

/** The register's spelling: capitals without accents. */
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

/** The outage of a scenario that is over begins again. */
export async function restartOutage(cpf: string, { store }: World): Promise<void> {
  const limit = findScenario(cpf)?.registryOutageCalls;
  await change<{ refused: number }>(store, callsKey(cpf), (now) =>
    now && now.refused === limit ? { refused: 0 } : undefined,
  );
}

async function takeOutage(world: World): Promise<Outage | undefined> {
  let taken: Outage | undefined;
  await change<Outage>(world.store, OUTAGE, (now) => {
    taken = now && now.calls > 0 ? now : undefined;
    return taken && { ...taken, calls: taken.calls - 1 };
  });
  return taken;
}

function failure(c: Context, status: ErrorStatus): Response {
  const [code, message, description] = ERRORS[status];
  return c.json({ code, message, description }, status);
}

async function issueToken(c: Context, world: World): Promise<Response> {
  if (!/^application\/x-www-form-urlencoded/.test(c.req.header('content-type') ?? '')) {
    return c.json({ error: 'Unsupported Media Type' }, 415);
  }
  const { consumerKey, consumerSecret } = world.settings.cpfRegistry;
  const expected = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  if (!sameText(c.req.header('authorization') ?? '', expected)) {
    const error_description = 'A valid OAuth client could not be found for client_id';
    return c.json({ error: 'invalid_client', error_description }, 401);
  }
  if (new URLSearchParams(await c.req.text()).get('grant_type') !== 'client_credentials') {
    const error_description = 'Unsupported grant_type value';
    return c.json({ error: 'unsupported_grant_type', error_description }, 400);
  }
  const expiresAt = String(world.now().getTime() + TOKEN_SECONDS * 1000);
  const access_token = `${expiresAt}.${mac(expiresAt, world)}`;
  const scope = 'am_application_scope default';
  return c.json({ scope, token_type: 'Bearer', expires_in: TOKEN_SECONDS, access_token });
}

function isTokenValid(token: string, world: World): boolean {
  const [expiresAt = '', signature = ''] = token.split('.');
  return sameText(signature, mac(expiresAt, world)) && Number(expiresAt) > world.now().getTime();
}

const mac = (text: string, { settings }: World) =>
  createHmac('sha256', settings.cpfRegistry.consumerSecret).update(text).digest('base64url');

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
