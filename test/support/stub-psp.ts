import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { type Stub, type StubAnswer, type StubRequest, startStub } from './stub-server.ts';

type Json = Record<string, unknown>;
export type StubPix = {
  endToEndId: string;
  txid?: string;
  valor: string;
  chave: string;
  horario: string;
  payerCpf: string;
};

/**
 * A fault at the next request whose name starts with `on`. `instead` answers at once; `afterwards` replaces the
 * answer after the work is done.
 */
export type Fault = { on: string; instead?: StubAnswer; afterwards?: StubAnswer };

export type StubPsp = Stub & {
  charges: Map<string, Json>;
  pix: StubPix[];
  refunds: Map<string, Json>;
  /** How the provider treats the `cpf` filter. `debtor`: it reads it as the debtor of the charge. */
  payerFilter: 'honoured' | 'ignored' | 'refused' | 'debtor';
  pageSize: number;
  webhookUrl?: string;
  grantedScope?: string;
  expiresIn: number;
  tokens: number;
  faults: Fault[];
  /** Changes every charge just before it is shown. */
  dress: (charge: Json) => Json;
  settings(): PixSettings;
  countOf(start: string): number;
};

export const KEY = '5f84a4c5-c5cb-4599-9f13-7eb4d419dacc';
export const CREATED_AT = '2026-11-02T12:00:00.000Z';
export const HOST = 'pix.stub.example';

export const problem = (status: number, type: string): StubAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title: type,
    status,
    violacoes: [{ razao: 'segredo 11144477735', propriedade: 'cob.devedor', valor: '11144477735' }],
  },
});

/** An API Pix of one receiver, as far as the adapter uses it. `faults` make it misbehave as real providers do. */
export async function startStubPsp(): Promise<StubPsp> {
  const stub = await startStub((request) => answer(psp, request));
  const psp: StubPsp = {
    ...stub,
    charges: new Map(),
    pix: [],
    refunds: new Map(),
    payerFilter: 'honoured',
    pageSize: 100,
    expiresIn: 3600,
    tokens: 0,
    faults: [],
    dress: (charge) => charge,
    settings: () => settingsFor(stub.url),
    countOf: (start) => stub.requests.filter((each) => nameOf(each).startsWith(start)).length,
  };
  return psp;
}

function settingsFor(url: string): PixSettings {
  return {
    baseUrl: `${url}/v2`,
    tokenUrl: `${url}/oauth/token`,
    clientId: 'client',
    clientSecret: 'hush-secret',
    key: KEY,
    merchantName: 'ONRAMP',
    merchantCity: 'SAO PAULO',
    locationHosts: [HOST],
    callbackUrl: 'https://onramp.example/callbacks/pix',
    callbackToken: 'hush-token',
  };
}

export const endToEndId = (n: number) => `E99999004202611021201${String(n).padStart(11, '0')}`;

export function pay(psp: StubPsp, txid: string, pix: Partial<StubPix> = {}): StubPix {
  const paid = {
    endToEndId: endToEndId(psp.pix.length),
    txid,
    valor: '100.00',
    chave: KEY,
    horario: '2026-11-02T12:01:00.000Z',
    payerCpf: '11144477735',
    ...pix,
  };
  psp.pix.push(paid);
  const charge = psp.charges.get(txid);
  if (charge) charge.status = 'CONCLUIDA';
  return paid;
}

const nameOf = ({ method, path }: StubRequest) => `${method} ${path.replace('/v2', '')}`;

async function answer(psp: StubPsp, request: StubRequest): Promise<StubAnswer> {
  const name = nameOf(request);
  const index = psp.faults.findIndex(({ on }) => name.startsWith(on));
  const [fault] = index < 0 ? [] : psp.faults.splice(index, 1);
  if (fault?.instead) return fault.instead;
  const done = route(psp, name, request);
  return fault?.afterwards ?? done;
}

function route(psp: StubPsp, name: string, request: StubRequest): StubAnswer {
  if (name === 'POST /oauth/token') return issueToken(psp);
  if (request.headers.authorization !== `Bearer token-${psp.tokens}`) return { status: 401, body: {} };
  const [, method, resource = '', id = '', , refundId = ''] =
    /^(\w+) \/(\w+)\/?([^/]*)(\/devolucao\/(.*))?$/.exec(name)!;
  const body = (request.text ? JSON.parse(request.text) : {}) as Json;
  if (resource === 'webhook') return webhook(psp, method!, body);
  if (resource === 'cob') return charge(psp, method!, id, body);
  if (refundId) return refund(psp, method!, `${id}/${refundId}`, body);
  if (id) return onePix(psp, id);
  return listPix(psp, request.query);
}

function issueToken(psp: StubPsp): StubAnswer {
  psp.tokens += 1;
  const scope = psp.grantedScope && { scope: psp.grantedScope };
  return { body: { access_token: `token-${psp.tokens}`, expires_in: psp.expiresIn, ...scope } };
}

function charge(psp: StubPsp, method: string, txid: string, body: Json): StubAnswer {
  const known = psp.charges.get(txid);
  if (method === 'PUT') {
    if (known && known.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
    psp.charges.set(txid, known ?? opened(txid, body));
    return { status: 201, body: shown(psp, txid) };
  }
  if (!known) return problem(404, 'CobNaoEncontrado');
  if (method === 'PATCH' && known.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
  if (method === 'PATCH' && body.status) known.status = body.status;
  if (method === 'PATCH' && body.calendario)
    known.calendario = { ...(known.calendario as Json), ...(body.calendario as Json) };
  return { body: shown(psp, txid) };
}

function opened(txid: string, body: Json): Json {
  const location = `${HOST}/qr/v2/${txid.toLowerCase()}`;
  const calendario = { criacao: CREATED_AT, ...(body.calendario as Json) };
  const loc = { id: 7, location, tipoCob: 'cob', criacao: CREATED_AT };
  const pixCopiaECola = generatePixPayload({
    url: location,
    merchantName: 'ONRAMP',
    merchantCity: 'SAO PAULO',
  });
  return { ...body, calendario, txid, revisao: 0, loc, location, status: 'ATIVA', pixCopiaECola, novo: [1] };
}

function shown(psp: StubPsp, txid: string): Json {
  const pix = psp.pix.filter((each) => each.txid === txid).map(public_);
  return psp.dress({ ...psp.charges.get(txid), ...(pix.length > 0 && { pix }) });
}

// No answer of API Pix names the payer.
const public_ = ({ payerCpf: _, ...pix }: StubPix) => pix;

function filteredOf(psp: StubPsp, { txid, payerCpf }: StubPix): unknown {
  if (psp.payerFilter !== 'debtor') return payerCpf;
  return (psp.charges.get(txid ?? '')?.devedor as Json | undefined)?.cpf;
}

function listPix(psp: StubPsp, query: URLSearchParams): StubAnswer {
  const cpf = query.get('cpf');
  if (cpf !== null && psp.payerFilter === 'refused') return problem(400, 'PixConsultaInvalida');
  const page = Number(query.get('paginacao.paginaAtual') ?? 0);
  const found = psp.pix
    .filter((pix) => query.get('txid') === null || pix.txid === query.get('txid'))
    .filter((pix) => cpf === null || psp.payerFilter === 'ignored' || filteredOf(psp, pix) === cpf)
    .filter(({ horario }) => horario >= query.get('inicio')! && horario <= query.get('fim')!);
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: psp.pageSize,
    quantidadeDePaginas: Math.max(1, Math.ceil(found.length / psp.pageSize)),
    quantidadeTotalDeItens: found.length,
  };
  const rows = found.slice(page * psp.pageSize, (page + 1) * psp.pageSize);
  return { body: { parametros: { paginacao }, pix: rows.map(public_) } };
}

function onePix(psp: StubPsp, id: string): StubAnswer {
  const found = psp.pix.find((each) => each.endToEndId === id);
  if (!found) return problem(404, 'PixNaoEncontrado');
  const devolucoes = [...psp.refunds].filter(([key]) => key.startsWith(`${id}/`)).map(([, each]) => each);
  return { body: { ...public_(found), ...(devolucoes.length > 0 && { devolucoes }) } };
}

function refund(psp: StubPsp, method: string, id: string, body: Json): StubAnswer {
  const known = psp.refunds.get(id);
  if (method === 'GET') return known ? { body: known } : problem(404, 'PixDevolucaoNaoEncontrada');
  // The API document lists a repeated id among the violations.
  if (known) return problem(400, 'PixDevolucaoInvalida');
  const made = { id: id.split('/')[1], rtrId: `D${id}`.slice(0, 32), ...body, status: 'EM_PROCESSAMENTO' };
  psp.refunds.set(id, made);
  return { status: 201, body: made };
}

function webhook(psp: StubPsp, method: string, body: Json): StubAnswer {
  if (method === 'PUT') {
    psp.webhookUrl = String(body.webhookUrl);
    return { status: 200 };
  }
  return psp.webhookUrl ? { body: { webhookUrl: psp.webhookUrl } } : problem(404, 'WebhookNaoEncontrado');
}
