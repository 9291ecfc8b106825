import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { PixProvider, ReceivedPart } from '../../functions/domain/purchase/pix-ports.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import { CREATED_AT, KEY, pay, problem, type StubPsp, startStubPsp } from '../support/stub-psp.ts';

const TXID = '01JBZ0000000000000ONRAMP01';
const CLIENT = '11144477735';
const STRANGER = '52998224725';

let psp: StubPsp;
let provider: PixProvider;
const log = stubLog();

let clock: ReturnType<typeof stubClock>;

/** `pay` pays a minute after the charge was made. The provider's filters can be trusted from the next minute on. */
const MINUTE_AFTER_PAYMENT = 2 * 60_000;

beforeEach(async () => {
  clock = stubClock(CREATED_AT);
  clock.advance(MINUTE_AFTER_PAYMENT);
  psp = await startStubPsp();
  log.lines.length = 0;
  provider = pixProvider(async () => psp.settings(), { clock, log, timeoutMs: 3_000 });
});
afterEach(() => psp.close());

describe('findPayer', () => {
  const received = (payerCpf: string) => {
    const { endToEndId, horario } = pay(psp, TXID, { payerCpf });
    return { endToEndId, txid: TXID, key: KEY, amountCentavos: 100_00, paidAt: Date.parse(horario) };
  };
  const queries = () => psp.requests.filter(({ path }) => path === '/v2/pix').map(({ query }) => query);

  test('is MATCH if only the client’s CPF shows the Pix', async () => {
    expect(await provider.findPayer(received(CLIENT), CLIENT)).toBe('MATCH');
    expect(queries().map((query) => query.get('cpf'))).toEqual([null, CLIENT, '00000000191']);
    expect(queries().every((query) => query.get('txid') === TXID)).toBe(true);
  });

  test('asks about a narrow period around the payment', async () => {
    await provider.findPayer(received(CLIENT), CLIENT);
    const [query] = queries();
    expect(query?.get('inicio')).toBe('2026-11-02T11:51:00.000Z');
    expect(query?.get('fim')).toBe('2026-11-02T12:11:00.000Z');
  });

  test('is MISMATCH if the Pix exists and the client did not pay it', async () => {
    expect(await provider.findPayer(received(STRANGER), CLIENT)).toBe('MISMATCH');
  });

  test('is undecided for a Pix that is listed before its payer', async () => {
    const payment = received(CLIENT);
    // A provider that has the Pix, and not yet its payer, so that no filter shows it.
    psp.pix[0]!.payerCpf = 'not known yet';
    clock.advance(-1);

    expect(await provider.findPayer(payment, CLIENT)).toBe('UNKNOWN');

    psp.pix[0]!.payerCpf = CLIENT;
    expect(await provider.findPayer(payment, CLIENT)).toBe('MATCH');
  });

  test('is undecided for a Pix that becomes visible between the questions', async () => {
    const payment = received(CLIENT);
    psp.faults.push({ on: 'GET /pix', afterwards: { body: { pix: [] } } });

    expect(await provider.findPayer(payment, CLIENT)).toBe('UNKNOWN');

    expect(queries().map((query) => query.get('cpf'))).toEqual([null]);
  });

  test('is undecided if the provider ignores the filter', async () => {
    psp.payerFilter = 'ignored';
    expect(await provider.findPayer(received(CLIENT), CLIENT)).toBe('UNKNOWN');
    expect(await provider.findPayer(received(STRANGER), CLIENT)).toBe('UNKNOWN');
  });

  test('is undecided if the provider refuses the filter', async () => {
    psp.payerFilter = 'refused';
    expect(await provider.findPayer(received(CLIENT), CLIENT)).toBe('UNKNOWN');
  });

  test('is undecided about a Pix that is not listed yet', async () => {
    const payment = received(CLIENT);
    psp.pix.length = 0;
    expect(await provider.findPayer(payment, CLIENT)).toBe('UNKNOWN');
  });

  test('is not misled by another Pix of the client on the same charge', async () => {
    const payment = received(STRANGER);
    received(CLIENT);
    expect(await provider.findPayer(payment, CLIENT)).toBe('MISMATCH');
  });

  test('uses another control if the client has the first one’s CPF', async () => {
    expect(await provider.findPayer(received('00000000191'), '00000000191')).toBe('MATCH');
    expect(queries()[2]?.get('cpf')).toBe('00000000272');
  });

  test('is Unavailable during an outage, never a guess, and does not show the CPF', async () => {
    const payment = received(CLIENT);
    psp.faults.push({ on: 'GET /pix', instead: problem(503, 'ServicoIndisponivel') });
    const error = await provider.findPayer(payment, CLIENT).catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(Unavailable);
    expect(`${(error as Error).stack} ${((error as Error).cause as Error).stack}`).not.toContain(CLIENT);
  });

  test('is Unavailable if only the control question fails', async () => {
    const payment = received(CLIENT);
    const listed = { body: { pix: [{ ...payment, valor: '100.00', horario: CREATED_AT }] } };
    psp.faults.push({ on: 'GET /pix', afterwards: listed }, { on: 'GET /pix', afterwards: listed });
    psp.faults.push({ on: 'GET /pix', instead: { fault: 'hang' } });
    await expect(provider.findPayer(payment, CLIENT)).rejects.toBeInstanceOf(Unavailable);
  });
});

const WINDOW = [Date.parse(CREATED_AT), Date.parse(CREATED_AT) + 60 * 60_000] as const;

describe('listReceived', () => {
  const from = Date.parse('2026-11-02T11:00:00Z');
  const to = Date.parse('2026-11-02T13:00:00Z');
  const idsOf = (part: ReceivedPart) => part.received.map(({ endToEndId }) => endToEndId);
  const list = async () => idsOf(await provider.listReceived(from, to));
  const MINUTE_MS = 60_000;

  /** This number of Pix, one a minute, from the start of the period on. */
  const payEachMinute = (count: number) =>
    Array.from({ length: count }, (_, minute) => {
      const horario = new Date(from + minute * MINUTE_MS).toISOString();
      return pay(psp, TXID, { horario }).endToEndId;
    });

  /** Lists the received Pix until `end` in parts. Each part begins at the end of the last one. */
  async function listParts(end: number, filter = {}) {
    const parts: ReceivedPart[] = [];
    for (let at = from; at < end; at = parts.at(-1)!.upTo) {
      parts.push(await provider.listReceived(at, end, filter));
      expect(parts.at(-1)!.upTo).toBeGreaterThan(at);
    }
    return parts;
  }

  test('reads every page', async () => {
    psp.pageSize = 2;
    const paid = Array.from({ length: 5 }, () => pay(psp, TXID).endToEndId);
    expect(await list()).toEqual(paid);
    expect(psp.countOf('GET /pix')).toBe(3);
  });

  test('lists a Pix without txid, too', async () => {
    pay(psp, TXID, { txid: undefined });
    expect(await provider.listReceived(from, to)).toMatchObject({
      received: [{ txid: undefined, amountCentavos: 100_00 }],
      upTo: to,
    });
  });

  test('leaves out payments to other keys of the account, and keeps those without a key', async () => {
    const [ours, other, unnamed] = [pay(psp, TXID), pay(psp, TXID), pay(psp, TXID)];
    psp.pix.find(({ endToEndId }) => endToEndId === other.endToEndId)!.chave = 'another@example.com';
    Object.assign(psp.pix.find(({ endToEndId }) => endToEndId === unnamed.endToEndId)!, { chave: undefined });

    expect(await list()).toEqual([ours.endToEndId, unnamed.endToEndId]);
  });

  test('lists a Pix once that moved to the next page in the meantime', async () => {
    psp.pageSize = 2;
    const [first, second, third] = [pay(psp, TXID), pay(psp, TXID), pay(psp, TXID)];
    const paginacao = { paginaAtual: 1, quantidadeDePaginas: 2, quantidadeTotalDeItens: 3 };
    psp.faults.push({
      on: 'GET /pix',
      afterwards: {
        body: { parametros: { paginacao: { ...paginacao, paginaAtual: 0 } }, pix: [first, second] },
      },
    });
    psp.faults.push({
      on: 'GET /pix',
      afterwards: { body: { parametros: { paginacao }, pix: [second, third] } },
    });
    expect(await list()).toEqual([first, second, third].map((pix) => pix?.endToEndId));
  });

  test('takes an answer without paging as complete', async () => {
    const paid = pay(psp, TXID);
    psp.faults.push({ on: 'GET /pix', afterwards: { body: { pix: [paid] } } });
    expect(await list()).toEqual([paid.endToEndId]);
  });

  test('is Unavailable on a full page that does not say whether it is the last', async () => {
    const paid = Array.from({ length: 100 }, () => pay(psp, TXID));
    psp.faults.push({ on: 'GET /pix', afterwards: { body: { pix: paid.slice(1) } } });
    expect(await list()).toHaveLength(99);

    psp.faults.push({ on: 'GET /pix', afterwards: { body: { pix: paid } } });
    await expect(list()).rejects.toBeInstanceOf(Unavailable);
    expect(await list()).toHaveLength(100);
  });

  test('is answered whole up to five pages, and in parts from the sixth on', async () => {
    psp.pageSize = 2;
    payEachMinute(10);
    expect((await listParts(to)).map(({ received }) => received.length)).toEqual([10]);

    pay(psp, TXID, { horario: new Date(from + 10 * MINUTE_MS).toISOString() });
    const parts = await listParts(to);

    expect(parts.length).toBeGreaterThan(1);
    for (const { received } of parts) expect(received.length).toBeLessThanOrEqual(10);
    expect([...new Set(parts.flatMap(idsOf))].sort()).toEqual(psp.pix.map((each) => each.endToEndId).sort());
  });

  test('reads everything even if ten days have more pages than one answer can have', async () => {
    psp.pageSize = 2;
    const days = 10 * 24 * 60;
    // The payments fill 501 pages, most of them with the payments of 80 minutes.
    const paid = Array.from({ length: 1002 }, (_, index) => {
      const minute = index < 200 ? (index * days) / 200 : 5 * 24 * 60 + (index - 200) / 10;
      const horario = new Date(from + minute * MINUTE_MS).toISOString();
      return pay(psp, TXID, { horario }).endToEndId;
    });

    const parts = await listParts(from + days * MINUTE_MS, { isReturned: true });

    for (const { received } of parts) expect(received.length).toBeLessThanOrEqual(10);
    expect([...new Set(parts.flatMap(idsOf))].sort()).toEqual([...paid].sort());
    const requests = psp.requests.filter(({ path }) => path === '/v2/pix');
    expect(requests.every(({ query }) => query.get('devolucaoPresente') === 'true')).toBe(true);
    expect(requests.length).toBeLessThan(3 * 501);
  });

  test('is read whole if all of it came within a second', async () => {
    psp.pageSize = 1;
    const horario = new Date(from + MINUTE_MS).toISOString();
    for (let n = 0; n < 7; n++) pay(psp, TXID, { horario });

    expect(new Set((await listParts(to)).flatMap(idsOf)).size).toBe(7);
  });

  test('is Unavailable if a provider reports pages without end', async () => {
    const paginacao = { paginaAtual: 0, quantidadeDePaginas: 1e9, quantidadeTotalDeItens: 1e11 };
    const endless = { body: { parametros: { paginacao }, pix: [pay(psp, TXID)] } };
    for (let n = 0; n < 600; n++) psp.faults.push({ on: 'GET /pix', instead: endless });

    await expect(list()).rejects.toBeInstanceOf(Unavailable);
    expect(psp.countOf('GET /pix')).toBeLessThan(10);
  });

  test('is Unavailable if a provider gives the same page again', async () => {
    psp.pageSize = 1;
    const [first] = [pay(psp, TXID), pay(psp, TXID)];
    const paginacao = { paginaAtual: 0, quantidadeDePaginas: 2, quantidadeTotalDeItens: 2 };
    for (let n = 0; n < 2; n++) {
      psp.faults.push({ on: 'GET /pix', afterwards: { body: { parametros: { paginacao }, pix: [first] } } });
    }
    await expect(list()).rejects.toBeInstanceOf(Unavailable);
  });

  test('is Unavailable if rows are missing', async () => {
    const paginacao = { paginaAtual: 0, quantidadeDePaginas: 1, quantidadeTotalDeItens: 2 };
    psp.faults.push({
      on: 'GET /pix',
      afterwards: { body: { parametros: { paginacao }, pix: [pay(psp, TXID)] } },
    });
    await expect(list()).rejects.toBeInstanceOf(Unavailable);
  });

  test('is Unavailable if a later page is', async () => {
    psp.pageSize = 1;
    pay(psp, TXID);
    pay(psp, TXID);
    psp.faults.push({ on: 'GET /cob' }, { on: 'GET /pix' }, { on: 'GET /pix', instead: { status: 504 } });
    await expect(list()).rejects.toBeInstanceOf(Unavailable);
  });

  test('reports an unreadable row, and gives the others', async () => {
    const readable = pay(psp, TXID);
    pay(psp, TXID, { valor: '1.234,56' });
    expect(await list()).toEqual([readable.endToEndId]);
    expect(log.lines.join()).toContain('"unreadable":1');
  });

  test('tells its caller, and names the period in the line', async () => {
    pay(psp, TXID, { valor: '1.234,56' });

    expect(await provider.listReceived(...WINDOW)).toMatchObject({ received: [], unreadable: 1 });

    const [from, to] = WINDOW.map((at) => new Date(at).toISOString());
    expect(log.lines.join()).toContain(`"from":"${from}","to":"${to}"`);
  });

  test('is a fault of ours if the query is refused', async () => {
    psp.faults.push({ on: 'GET /pix', instead: problem(400, 'PixConsultaInvalida') });
    await expect(list()).rejects.toThrow('refused to list payments: HTTP 400 PixConsultaInvalida');
  });
});

describe('findReceived', () => {
  test('asks for returned Pix if the caller wants them', async () => {
    await provider.listReceived(...WINDOW);
    await provider.listReceived(...WINDOW, { isReturned: true });

    const asked = psp.requests.filter(({ path }) => path === '/v2/pix').map(({ query }) => query);
    expect(asked.map((query) => query.get('devolucaoPresente'))).toEqual([null, 'true']);
  });

  test('finds one Pix by its id, and nothing for an unknown id', async () => {
    const { endToEndId } = pay(psp, TXID);
    const one = { endToEndId, valor: '100.00', horario: CREATED_AT, chave: KEY };
    psp.faults.push({ on: `GET /pix/${endToEndId}`, instead: { body: one } });
    expect(await provider.findReceived(endToEndId)).toMatchObject({ endToEndId, amountCentavos: 100_00 });

    psp.faults.push({ on: 'GET /pix/', instead: problem(404, 'PixNaoEncontrado') });
    expect(await provider.findReceived(endToEndId)).toBeUndefined();
  });

  test.each([
    ['another Pix', { endToEndId: 'E1', valor: '100.00', horario: CREATED_AT }],
    ['no Pix', { message: 'ok' }],
  ])('does not take %s for an answer', async (_, body) => {
    psp.faults.push({ on: 'GET /pix/', instead: { body } });

    await expect(provider.findReceived('E2')).rejects.toBeInstanceOf(Unavailable);
  });
});
