import { describe, expect, it } from 'vitest';
import {
  CHAVE,
  chargeBody,
  openWorld,
  PAYER,
  problemOf,
  pspClient,
  type Sandbox,
  TXID,
} from './providers-support.ts';

type Refund = { id: string; status: string; valor: string; horario: { liquidacao?: string } };
type Pix = { endToEndId: string; txid?: string; valor: string; horario: string; devolucoes?: Refund[] };
type Paid = {
  pix: Pix[];
  charge: { status: string };
  callbacks: { delivered: boolean; attempts: unknown[] }[];
};
type Client = Awaited<ReturnType<typeof pspClient>>;

const HOOK = 'https://onramp.example/callbacks/pix';
const DAY = 'inicio=2026-11-20T00:00:00Z&fim=2026-11-21T00:00:00Z';
const OTHER_PAYER_DEBTOR = '90000000760';

async function openCharged(changes: Record<string, unknown> = {}) {
  const sandbox = openWorld();
  const call = await pspClient(sandbox);
  await call('PUT', `/webhook/${CHAVE}`, { webhookUrl: HOOK });
  await call('PUT', `/cob/${TXID}`, chargeBody(changes));
  return { sandbox, call };
}

const pay = (sandbox: Sandbox, body: Record<string, unknown> = {}) =>
  sandbox.call('POST', `/control/psp/pay/${TXID}`, body);

const paid = async (sandbox: Sandbox, body?: Record<string, unknown>) =>
  (await (await pay(sandbox, body)).json()) as Paid;

async function pixList(call: Client, query = ''): Promise<Pix[]> {
  const response = await call('GET', `/pix?${DAY}${query}`);
  return ((await response.json()) as { pix: Pix[] }).pix;
}

describe('paying a charge', () => {
  it('settles the charge, shows the Pix everywhere alike and calls the webhook', async () => {
    const { sandbox, call } = await openCharged();

    const { pix, charge, callbacks } = await paid(sandbox);

    expect(charge.status).toBe('CONCLUIDA');
    expect(pix).toHaveLength(1);
    expect(pix[0]).toMatchObject({ txid: TXID, valor: '500.00', chave: CHAVE });
    expect(pix[0]?.endToEndId).toMatch(/^E\d{8}202611201200[a-z0-9]{11}$/);
    expect(sandbox.sent).toEqual([{ url: `${HOOK}/pix`, body: { pix } }]);
    expect(callbacks).toMatchObject([{ delivered: true, attempts: [200] }]);
    expect(await (await call('GET', `/cob/${TXID}`)).json()).toMatchObject({ status: 'CONCLUIDA', pix });
    expect(await (await call('GET', `/pix/${pix[0]?.endToEndId}`)).json()).toEqual(pix[0]);
    expect(await pixList(call)).toEqual(pix);
    expect(JSON.stringify(sandbox.sent)).not.toContain(PAYER);
  });

  it('refuses a charge that is paid, or expired while still ATIVA, unless forced', async () => {
    const { sandbox, call } = await openCharged();
    sandbox.wait(1_800_000);

    expect((await pay(sandbox)).status).toBe(409);
    expect(await (await call('GET', `/cob/${TXID}`)).json()).toMatchObject({ status: 'ATIVA' });
    expect((await pay(sandbox, { force: true })).status).toBe(200);
    expect((await pay(sandbox)).status).toBe(409);
    expect((await pay(sandbox, { force: true })).status).toBe(200);
    expect(await pixList(call)).toHaveLength(2);
  });

  it('keeps a charge payable during its last second', async () => {
    const { sandbox } = await openCharged();
    sandbox.wait(1_799_999);

    expect((await pay(sandbox)).status).toBe(200);
  });

  it('leaves a removed charge removed when a payment was under way', async () => {
    const { sandbox, call } = await openCharged();
    await call('PATCH', `/cob/${TXID}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });

    const { charge, pix } = await paid(sandbox, { force: true });

    expect(charge.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await (await call('GET', `/cob/${TXID}`)).json()).toMatchObject({ pix });
  });

  it('can pay another amount, several times, without a callback', async () => {
    const { sandbox, call } = await openCharged();

    const { pix } = await paid(sandbox, { amountBrl: '510.00', times: 2, callback: false });

    expect(pix.map(({ valor }) => valor)).toEqual(['510.00', '510.00']);
    expect(new Set(pix.map(({ endToEndId }) => endToEndId)).size).toBe(2);
    expect(sandbox.sent).toEqual([]);
    const charge = (await (await call('GET', `/cob/${TXID}`)).json()) as { pix: Pix[] };
    expect(charge.pix).toHaveLength(2);
  });

  it('accepts one of two payments that race', async () => {
    const { sandbox, call } = await openCharged();

    const statuses = (await Promise.all([pay(sandbox), pay(sandbox)])).map(({ status }) => status).sort();

    expect(statuses).toEqual([200, 409]);
    expect(await pixList(call)).toHaveLength(1);
  });

  it.each([{ amountBrl: 500 }, { amountBrl: '500' }, { payerCpf: '123' }, { times: 11 }])(
    'refuses the order %j',
    async (body) => {
      const { sandbox } = await openCharged();

      expect((await pay(sandbox, body)).status).toBe(400);
    },
  );

  it('tries a refused callback twice more and keeps the result', async () => {
    const { sandbox } = await openCharged();
    sandbox.answers.push(500, new TypeError('connection refused'), 200);

    const { callbacks } = await paid(sandbox);

    expect(callbacks).toMatchObject([{ delivered: true, attempts: [500, 'TypeError', 200] }]);
    const kept = (await (await sandbox.call('GET', '/control/psp/callbacks')).json()) as {
      callbacks: unknown;
    };
    expect(kept.callbacks).toEqual(callbacks);
  });

  it('gives up after three tries and keeps the payment', async () => {
    const { sandbox } = await openCharged();
    sandbox.answers.push(500, 500, 500);

    const { callbacks, charge } = await paid(sandbox);

    expect(callbacks).toMatchObject([{ delivered: false, attempts: [500, 500, 500] }]);
    expect(charge.status).toBe('CONCLUIDA');
  });

  it('sends any body that the control interface gives to the registered URL', async () => {
    const { sandbox } = await openCharged();
    const forged = { pix: [{ endToEndId: 'E'.repeat(32), txid: TXID, chave: 'other@example.com' }] };

    await sandbox.call('POST', '/control/psp/callback', forged);

    expect(sandbox.sent).toEqual([{ url: `${HOOK}/pix`, body: forged }]);
  });

  it('receives a Pix whose txid was lost and notifies no one', async () => {
    const { sandbox, call } = await openCharged();

    await sandbox.call('POST', '/control/psp/pix', { amountBrl: '77.00' });

    expect(sandbox.sent).toEqual([]);
    expect(await pixList(call, '&txIdPresente=false')).toMatchObject([{ valor: '77.00' }]);
    expect(await pixList(call, '&txIdPresente=true')).toEqual([]);
  });
});

describe('the payer', () => {
  it('is the debtor, and only the cpf filter of GET /pix shows it', async () => {
    const { sandbox, call } = await openCharged();
    await pay(sandbox);

    expect(await pixList(call, `&txid=${TXID}&cpf=${PAYER}`)).toHaveLength(1);
    expect(await pixList(call, `&txid=${TXID}&cpf=11144477735`)).toEqual([]);
    expect(await pixList(call, `&txid=${TXID}&cnpj=12345678000195`)).toEqual([]);
  });

  it('is someone else in the scenario of another payer, or when the payment names one', async () => {
    const { sandbox, call } = await openCharged({ devedor: { cpf: OTHER_PAYER_DEBTOR, nome: 'Dalva' } });
    await pay(sandbox);
    await pay(sandbox, { force: true, payerCpf: PAYER });

    expect(await pixList(call, `&cpf=${OTHER_PAYER_DEBTOR}`)).toEqual([]);
    expect(await pixList(call, `&cpf=${PAYER}`)).toHaveLength(1);
    expect(await pixList(call)).toHaveLength(2);
  });

  it('matches everyone at a PSP that ignores the filter', async () => {
    const { sandbox, call } = await openCharged();
    await pay(sandbox);
    await sandbox.call('POST', '/control/psp/switches', { payerFilter: 'ignored' });

    expect(await pixList(call, '&cpf=11144477735')).toHaveLength(1);
  });
});

describe('a PSP that reads the payer filter as the debtor', () => {
  it('says yes for a stranger', async () => {
    const { sandbox, call } = await openCharged();
    await pay(sandbox, { payerCpf: OTHER_PAYER_DEBTOR });
    await sandbox.call('POST', '/control/psp/switches', { payerFilter: 'debtor' });

    expect(await pixList(call, `&cpf=${OTHER_PAYER_DEBTOR}`)).toEqual([]);
    expect(await pixList(call, `&cpf=${PAYER}`)).toHaveLength(1);
  });
});

describe('GET /pix', () => {
  it.each(['', 'inicio=x&fim=y', `${DAY}&txid=a-b`, `${DAY}&cpf=1`, `${DAY}&devolucaoPresente=1`])(
    'refuses the query "%s"',
    async (query) => {
      const call = await pspClient(openWorld());

      expect(await problemOf(await call('GET', `/pix?${query}`))).toMatchObject({
        kind: 'PixConsultaInvalida',
      });
    },
  );

  it('answers PixNaoEncontrado to an unknown e2eid', async () => {
    const call = await pspClient(openWorld());

    expect(await problemOf(await call('GET', `/pix/${'E'.repeat(32)}`))).toMatchObject({
      kind: 'PixNaoEncontrado',
    });
  });
});

describe('refunds', () => {
  async function openPaid() {
    const { sandbox, call } = await openCharged();
    const { pix } = await paid(sandbox, { callback: false });
    const path = `/pix/${pix[0]?.endToEndId}/devolucao`;
    const refund = async (method: string, id: string, body?: unknown) =>
      (await (await call(method, `${path}/${id}`, body)).json()) as Refund;
    return { sandbox, call, path, refund };
  }

  it('are in process first and done after a while', async () => {
    const { sandbox, call, path, refund } = await openPaid();

    const response = await call('PUT', `${path}/R1`, { valor: '500.00' });

    expect(response.status).toBe(201);
    const opened = (await response.json()) as Refund & { rtrId: string };
    expect(opened).toMatchObject({
      id: 'R1',
      valor: '500.00',
      natureza: 'ORIGINAL',
      status: 'EM_PROCESSAMENTO',
    });
    expect(opened.rtrId).toMatch(/^D\d{20}[a-z0-9]{11}$/);
    expect(opened.horario.liquidacao).toBeUndefined();
    sandbox.wait(1_500);
    expect(await refund('GET', 'R1')).toMatchObject({
      status: 'DEVOLVIDO',
      horario: { liquidacao: '2026-11-20T12:00:01.500Z' },
    });
    expect(await pixList(call, '&devolucaoPresente=true')).toMatchObject([{ devolucoes: [{ id: 'R1' }] }]);
    expect(await pixList(call, '&devolucaoPresente=false')).toEqual([]);
  });

  it('give the same refund when repeated with the same value, and a violation with another value', async () => {
    const { call, path, refund } = await openPaid();
    const first = await refund('PUT', 'R1', { valor: '100.00' });

    const again = await call('PUT', `${path}/R1`, { valor: '100.00' });

    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(first);
    expect(await problemOf(await call('PUT', `${path}/R1`, { valor: '200.00' }))).toMatchObject({
      kind: 'PixDevolucaoInvalida',
    });
  });

  it('never exceed the Pix together, even when they race', async () => {
    const { call, path } = await openPaid();

    const answers = await Promise.all(
      ['A', 'B', 'C'].map((id) => call('PUT', `${path}/${id}`, { valor: '200.00' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
  });

  it.each([
    ['a value without centavos', 'R1', { valor: '500' }],
    ['nothing', 'R1', { valor: '0.00' }],
    ['more than the Pix', 'R1', { valor: '500.01' }],
    ['an id with other letters', 'R-1', { valor: '1.00' }],
    ['an unknown nature', 'R1', { valor: '1.00', natureza: 'MED_FRAUDE' }],
    ['a description over 140 letters', 'R1', { valor: '1.00', descricao: 'd'.repeat(141) }],
  ])('refuse %s', async (_, id, body) => {
    const { call, path } = await openPaid();

    expect(await problemOf(await call('PUT', `${path}/${id}`, body))).toMatchObject({
      kind: 'PixDevolucaoInvalida',
    });
    expect(await problemOf(await call('GET', `${path}/${id}`))).toMatchObject({
      kind: 'PixDevolucaoNaoEncontrada',
    });
  });

  it('are refused 90 days after the payment', async () => {
    const { sandbox, path } = await openPaid();
    sandbox.wait(91 * 24 * 60 * 60 * 1000);
    const call = await pspClient(sandbox);

    expect(await problemOf(await call('PUT', `${path}/R1`, { valor: '1.00' }))).toMatchObject({
      kind: 'PixDevolucaoInvalida',
    });
  });

  it('can fail late, and then the money can be refunded under another id', async () => {
    const { sandbox, refund } = await openPaid();
    await sandbox.call('POST', '/control/psp/switches', { refundOutcome: 'NAO_REALIZADO' });
    await refund('PUT', 'R1', { valor: '500.00' });
    sandbox.wait(1_500);

    expect(await refund('GET', 'R1')).toMatchObject({ status: 'NAO_REALIZADO' });
    await sandbox.call('POST', '/control/psp/switches', { refundOutcome: 'DEVOLVIDO' });
    expect(await refund('PUT', 'R2', { valor: '500.00' })).toMatchObject({ status: 'EM_PROCESSAMENTO' });
  });

  it('are announced once, by the first tick after they ended', async () => {
    const { sandbox, refund } = await openPaid();
    await refund('PUT', 'R1', { valor: '500.00' });
    const tick = () => sandbox.call('POST', '/control/psp/tick');

    await tick();
    expect(sandbox.sent).toEqual([]);
    sandbox.wait(1_500);
    await Promise.all([tick(), tick()]);
    await tick();

    expect(sandbox.sent).toHaveLength(1);
    expect(sandbox.sent[0]?.body.pix).toMatchObject([{ txid: TXID, devolucoes: [{ status: 'DEVOLVIDO' }] }]);
  });
});
