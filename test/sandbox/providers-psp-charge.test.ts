import { isValidPixPayload } from '@brazilian-utils/brazilian-utils/is-valid-pix-payload';
import { describe, expect, it } from 'vitest';
import { chargeBody, openWorld, PAYER, problemOf, pspClient, TXID } from './providers-support.ts';

type Charge = {
  txid: string;
  revisao: number;
  status: string;
  location: string;
  loc: { id: number; tipoCob: string };
  pixCopiaECola?: string;
  calendario: { criacao: string; expiracao: number };
  valor: { original: string };
  devedor?: Record<string, string>;
  pix?: unknown[];
};

const asCharge = async (response: Response) => (await response.json()) as Charge;

describe('PUT /cob/{txid}', () => {
  it('creates a charge with location and BR Code', async () => {
    const call = await pspClient(openWorld());

    const response = await call('PUT', `/cob/${TXID}`, chargeBody());

    expect(response.status).toBe(201);
    const charge = await asCharge(response);
    expect(charge).toMatchObject({
      ...chargeBody(),
      calendario: { criacao: '2026-11-20T12:00:00.000Z', expiracao: 1800 },
      txid: TXID,
      revisao: 0,
      status: 'ATIVA',
      loc: { tipoCob: 'cob', location: charge.location },
    });
    expect(charge.pix).toBeUndefined();
    expect(charge.location.length).toBeLessThanOrEqual(77);
    expect(charge.location).not.toMatch(/^https?:/);
    expect(isValidPixPayload(charge.pixCopiaECola!)).toBe(true);
    expect(charge.pixCopiaECola).toContain(charge.location);
  });

  it('answers the same charge to the same request', async () => {
    const call = await pspClient(openWorld());
    const first = await asCharge(await call('PUT', `/cob/${TXID}`, chargeBody()));

    const again = await call('PUT', `/cob/${TXID}`, chargeBody());

    expect(again.status).toBe(201);
    expect(await asCharge(again)).toEqual(first);
  });

  it('makes a revision of other terms and keeps the location', async () => {
    const call = await pspClient(openWorld());
    const first = await asCharge(await call('PUT', `/cob/${TXID}`, chargeBody()));

    const response = await call('PUT', `/cob/${TXID}`, chargeBody({ valor: { original: '600.00' } }));

    expect(response.status).toBe(201);
    const second = await asCharge(response);
    expect(second).toMatchObject({ revisao: 1, valor: { original: '600.00' }, location: first.location });
    expect(await asCharge(await call('GET', `/cob/${TXID}?revisao=0`))).toMatchObject({
      revisao: 0,
      valor: { original: '500.00' },
    });
    expect(await problemOf(await call('GET', `/cob/${TXID}?revisao=2`))).toMatchObject({
      kind: 'CobConsultaInvalida',
    });
  });

  it('assumes an expiry of one day by default', async () => {
    const call = await pspClient(openWorld());

    const charge = await asCharge(await call('PUT', `/cob/${TXID}`, chargeBody({ calendario: {} })));

    expect(charge.calendario.expiracao).toBe(86_400);
  });

  it.each([
    ['txid', 'a'.repeat(25), {}],
    ['txid', 'a'.repeat(36), {}],
    ['txid', `${'a'.repeat(26)}-`, {}],
    ['cob.calendario', TXID, { calendario: undefined }],
    ['cob.calendario.expiracao', TXID, { calendario: { expiracao: 0 } }],
    ['cob.calendario.expiracao', TXID, { calendario: { expiracao: '1800' } }],
    ['cob.valor', TXID, { valor: undefined }],
    ['cob.valor.original', TXID, { valor: { original: 500 } }],
    ['cob.valor.original', TXID, { valor: { original: '500' } }],
    ['cob.valor.original', TXID, { valor: { original: 'x12.345' } }],
    ['cob.valor.original', TXID, { valor: { original: '0.00' } }],
    ['cob.valor.original', TXID, { valor: { original: '12345678901.00' } }],
    ['cob.valor.modalidadeAlteracao', TXID, { valor: { original: '1.00', modalidadeAlteracao: 2 } }],
    ['cob.devedor', TXID, { devedor: { cpf: '52998224726', nome: 'Digit Wrong' } }],
    ['cob.devedor', TXID, { devedor: { cpf: '529.982.247-25', nome: 'Punctuated' } }],
    ['cob.devedor', TXID, { devedor: { cpf: PAYER } }],
    ['cob.devedor', TXID, { devedor: { cpf: PAYER, cnpj: '12345678000195', nome: 'Both' } }],
    ['cob.devedor', TXID, { devedor: { nome: 'Neither' } }],
    ['cob.devedor', TXID, { devedor: { cpf: PAYER, nome: 'n'.repeat(201) } }],
    ['cob.chave', TXID, { chave: undefined }],
    ['cob.chave', TXID, { chave: 'someone-else@example.com' }],
    ['solicitacaoPagador', TXID, { solicitacaoPagador: 's'.repeat(141) }],
    ['infoAdicionais', TXID, { infoAdicionais: [{ nome: 'n'.repeat(51), valor: 'v' }] }],
    ['infoAdicionais', TXID, { infoAdicionais: Array(51).fill({ nome: 'n', valor: 'v' }) }],
    ['cob.loc.id', TXID, { loc: { id: 7 } }],
  ])('refuses a wrong %s (%s, %j)', async (propriedade, txid, changes) => {
    const call = await pspClient(openWorld());

    const problem = await problemOf(await call('PUT', `/cob/${txid}`, chargeBody(changes)));

    expect(problem).toMatchObject({ kind: 'CobOperacaoInvalida', status: 400 });
    expect(problem.violacoes?.map((violation) => violation.propriedade)).toEqual([propriedade]);
    expect((await call('GET', `/cob/${txid}`)).status).toBe(404);
  });

  it('accepts a company with an alphanumeric CNPJ as debtor', async () => {
    const call = await pspClient(openWorld());
    const devedor = { cnpj: '12ABC34501DE35', nome: 'Empresa' };

    expect((await asCharge(await call('PUT', `/cob/${TXID}`, chargeBody({ devedor })))).devedor).toEqual(
      devedor,
    );
  });

  it('answers RequisicaoInvalida to a body that is no JSON', async () => {
    const sandbox = openWorld();
    const call = await pspClient(sandbox);

    expect(await problemOf(await call('PUT', `/cob/${TXID}`))).toMatchObject({ kind: 'RequisicaoInvalida' });
  });
});

describe('PATCH /cob/{txid}', () => {
  it('removes a charge, which then accepts neither change nor payment', async () => {
    const sandbox = openWorld();
    const call = await pspClient(sandbox);
    await call('PUT', `/cob/${TXID}`, chargeBody());
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };

    const response = await call('PATCH', `/cob/${TXID}`, removal);

    expect(response.status).toBe(200);
    expect(await asCharge(response)).toMatchObject({ ...removal, revisao: 1 });
    for (const answer of [
      await call('PATCH', `/cob/${TXID}`, removal),
      await call('PUT', `/cob/${TXID}`, chargeBody()),
    ]) {
      expect(await problemOf(answer)).toMatchObject({ kind: 'CobOperacaoInvalida' });
    }
    expect((await sandbox.call('POST', `/control/psp/pay/${TXID}`, {})).status).toBe(409);
  });

  it('changes single fields as a revision', async () => {
    const call = await pspClient(openWorld());
    await call('PUT', `/cob/${TXID}`, chargeBody());

    const charge = await asCharge(await call('PATCH', `/cob/${TXID}`, { calendario: { expiracao: 60 } }));

    expect(charge).toMatchObject({
      revisao: 1,
      calendario: { expiracao: 60 },
      valor: { original: '500.00' },
    });
  });

  it.each([
    [
      'removal with other changes',
      { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', valor: { original: '1.00' } },
    ],
    ['a status of its own', { status: 'CONCLUIDA' }],
    ['a value that breaks the schema', { valor: { original: '1' } }],
  ])('refuses %s', async (_, body) => {
    const call = await pspClient(openWorld());
    await call('PUT', `/cob/${TXID}`, chargeBody());

    expect(await problemOf(await call('PATCH', `/cob/${TXID}`, body))).toMatchObject({
      kind: 'CobOperacaoInvalida',
    });
  });

  it('answers CobNaoEncontrado to an unknown txid', async () => {
    const call = await pspClient(openWorld());

    expect(await problemOf(await call('PATCH', `/cob/${TXID}`, {}))).toMatchObject({
      kind: 'CobNaoEncontrado',
    });
  });
});

describe('GET /cob', () => {
  const day = 'inicio=2026-11-20T00:00:00Z&fim=2026-11-21T00:00:00Z';

  it('filters by debtor, status and time, and pages', async () => {
    const sandbox = openWorld();
    const call = await pspClient(sandbox);
    for (let i = 0; i < 5; i++) {
      const devedor = { cpf: i < 3 ? PAYER : '11144477735', nome: 'Alguém' };
      await call('PUT', `/cob/${TXID}${i}`, chargeBody({ devedor }));
      sandbox.wait(1000);
    }
    await call('PATCH', `/cob/${TXID}0`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    const txids = async (query: string) => {
      const list = (await (await call('GET', `/cob?${query}`)).json()) as { cobs: Charge[] };
      return list.cobs.map(({ txid }) => txid.slice(-1)).join('');
    };

    expect(await txids(day)).toBe('01234');
    expect(await txids(`${day}&cpf=${PAYER}`)).toBe('012');
    expect(await txids(`${day}&cpf=${PAYER}&status=ATIVA`)).toBe('12');
    expect(await txids('inicio=2026-11-20T12:00:01Z&fim=2026-11-20T12:00:03Z')).toBe('123');
    expect(await txids(`${day}&paginacao.itensPorPagina=2&paginacao.paginaAtual=2`)).toBe('4');
    expect(await (await call('GET', `/cob?${day}&paginacao.itensPorPagina=2`)).json()).toMatchObject({
      parametros: {
        inicio: '2026-11-20T00:00:00Z',
        paginacao: { paginaAtual: 0, itensPorPagina: 2, quantidadeDePaginas: 3, quantidadeTotalDeItens: 5 },
      },
    });
  });

  it.each([
    ['fim', 'inicio=2026-11-20T00:00:00Z'],
    ['inicio', 'inicio=2026-11-20&fim=2026-11-21T00:00:00Z'],
    ['fim', 'inicio=2026-11-21T00:00:00Z&fim=2026-11-20T00:00:00Z'],
    ['cpf', `${day}&cpf=${PAYER}&cnpj=12345678000195`],
    ['cpf', `${day}&cpf=1`],
    ['paginacao.paginaAtual', `${day}&paginacao.paginaAtual=-1`],
    ['paginacao.itensPorPagina', `${day}&paginacao.itensPorPagina=1001`],
    ['locationPresente', `${day}&locationPresente=sim`],
  ])('refuses a wrong %s (%s)', async (propriedade, query) => {
    const call = await pspClient(openWorld());

    const problem = await problemOf(await call('GET', `/cob?${query}`));

    expect(problem.kind).toBe('CobConsultaInvalida');
    expect(problem.violacoes?.[0]?.propriedade).toBe(propriedade);
  });
});
