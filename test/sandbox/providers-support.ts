import { providers } from '../../sandbox/providers/app.ts';
import { memoryStore, type Store } from '../../sandbox/providers/store.ts';
import { defaultSettings, type Settings, type World } from '../../sandbox/providers/world.ts';

export const TXID = '01JABCDEFGHJKMNPQRSTVWXYZ0';
export const CHAVE = defaultSettings.psp.chave;
export const PAYER = '52998224725';

type Options = { settings?: Partial<Settings>; store?: Store };
type Sent = { url: string; body: { pix: Record<string, unknown>[] } };

/** All simulators over a memory store. The clock stands still, and the network only records. */
export function openWorld({ settings = {}, store = memoryStore() }: Options = {}) {
  const sent: Sent[] = [];
  const answers: (number | Error)[] = [];
  const clock = { now: new Date('2026-11-20T12:00:00.000Z') };
  const fakeFetch: typeof fetch = async (input, init) => {
    sent.push({ url: String(input), body: JSON.parse(String(init?.body)) as Sent['body'] });
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return new Response(null, { status: answer });
  };
  const world: World = {
    store,
    now: () => clock.now,
    fetch: fakeFetch,
    settings: { ...defaultSettings, ...settings },
  };
  const app = providers(world);

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const wait = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  return { app, world, call, sent, answers, clock, wait };
}

export type Sandbox = ReturnType<typeof openWorld>;

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export async function tokenFrom(sandbox: Sandbox, scope?: string): Promise<string> {
  const { clientId, clientSecret } = sandbox.world.settings.psp;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  const response = await sandbox.app.request('/psp/oauth/token', {
    method: 'POST',
    headers: {
      authorization: basic(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Calls the PSP as the product does. The token has all scopes, or only the given ones. */
export async function pspClient(sandbox: Sandbox, scope?: string) {
  const headers = { authorization: `Bearer ${await tokenFrom(sandbox, scope)}` };
  return (method: string, path: string, body?: unknown) =>
    sandbox.call(method, `/psp/v2${path}`, body, headers);
}

export const chargeBody = (changes: Record<string, unknown> = {}) => ({
  calendario: { expiracao: 1800 },
  devedor: { cpf: PAYER, nome: 'Fulano de Tal' },
  valor: { original: '500.00' },
  chave: CHAVE,
  ...changes,
});

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  violacoes?: { razao: string; propriedade: string }[];
};

/** Reads a problem, and throws when it does not have the form of RFC 7807. */
export async function problemOf(response: Response): Promise<Problem & { kind: string }> {
  const type = response.headers.get('content-type');
  if (type !== 'application/problem+json') throw new Error(`not a problem but ${type}: ${response.status}`);
  const problem = (await response.json()) as Problem;
  if (problem.status !== response.status) throw new Error('the problem names another status');
  return { ...problem, kind: problem.type.replace('https://pix.bcb.gov.br/api/v2/error/', '') };
}
