import { afterEach, describe, expect, test } from 'vitest';
import { ptaxFeed } from '../../functions/adapters/price/ptax.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { priceOf } from '../support/stub-market.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

/** A Monday at 9:00 in Brasília. The last PTAX is from Friday. */
const NOW = Date.parse('2026-11-23T09:00:00-03:00');
const CONTEXT =
  'https://was-p.bcnet.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata$metadata#_CotacaoDolarPeriodo';
const VALUE = { cotacaoCompra: 5.4263, cotacaoVenda: 5.4269, dataHoraCotacao: '2026-11-20 13:10:35.4469' };
const PAGE = '<!DOCTYPE HTML><html><head><title>500 Internal Server Error</title></head></html>';

let stub: Stub;
afterEach(() => stub.close());

async function findLast(answer: StubAnswer, timeoutMs = 1_000) {
  stub = await startStub(() => answer);
  return ptaxFeed(`${stub.url}/odata`, { clock: { now: () => NOW }, timeoutMs }).findLast();
}

const answerOf = (value: unknown, context: unknown = CONTEXT): StubAnswer => ({
  body: { '@odata.context': context, value },
});
const withRate = (cotacaoVenda: unknown) => answerOf([{ ...VALUE, cotacaoVenda }]);
const withTime = (dataHoraCotacao: unknown) => answerOf([{ ...VALUE, dataHoraCotacao }]);

describe('the last PTAX', () => {
  test('is the price at which the Central Bank sells a dollar, with the time of its publication', async () => {
    expect(await findLast(answerOf([VALUE]))).toEqual({
      rate: priceOf('5.4269'),
      publishedAt: Date.parse('2026-11-20T13:10:35-03:00'),
    });
  });

  test('is requested as the newest of ten days in Brasília', async () => {
    await findLast(answerOf([VALUE]));

    const [{ path, query }] = stub.requests as [Stub['requests'][number]];
    expect(path).toBe(
      '/odata/CotacaoDolarPeriodo(dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)',
    );
    expect(Object.fromEntries(query)).toEqual({
      '@dataInicial': "'11-13-2026'",
      '@dataFinalCotacao': "'11-23-2026'",
      $top: '1',
      $orderby: 'dataHoraCotacao desc',
      $format: 'json',
    });
  });

  test('may have any number of decimals in its time, and a context with the selected fields', async () => {
    for (const time of ['2026-11-20 13:10:35', '2026-11-20 13:10:35.1', '2026-11-20 13:10:35.256632'])
      expect(await findLast(withTime(time)).finally(() => stub.close())).toMatchObject({
        publishedAt: Date.parse('2026-11-20T13:10:35-03:00'),
      });
    const selected = `${CONTEXT}(cotacaoCompra,cotacaoVenda,dataHoraCotacao)`;
    expect(await findLast(answerOf([VALUE], selected))).toMatchObject({ rate: priceOf('5.4269') });
  });

  test.each<[string, StubAnswer]>([
    ['no value, as on holidays', answerOf([])],
    ['no list', answerOf(VALUE)],
    ['nothing of a value', answerOf([null])],
    ['a price that is text', withRate('5.4269')],
    ['a price of zero', withRate(0)],
    ['a negative price', withRate(-5.4269)],
    [
      'a price of thirty digits',
      {
        raw: JSON.stringify({ '@odata.context': CONTEXT, value: [VALUE] }).replace('5.4269', '9'.repeat(30)),
      },
    ],
    [
      'thirty decimals',
      {
        raw: JSON.stringify({ '@odata.context': CONTEXT, value: [VALUE] }).replace(
          '5.4269',
          `5.${'4269'.repeat(8)}`,
        ),
      },
    ],
    ['a tiny price', withRate(1e-9)],
    ['no price', withRate(null)],
    ['tomorrow', withTime('2026-11-24 13:10:35.4469')],
    ['another form of time', withTime('2026-11-20T13:10:35Z')],
    ['a day that no calendar has', withTime('2026-13-45 13:10:35.4469')],
    ['no time', withTime(undefined)],
    ['another currency', answerOf([VALUE], CONTEXT.replace('CotacaoDolarPeriodo', 'CotacaoMoedaPeriodo'))],
    ['no context', answerOf([VALUE], null)],
    ['another list', { body: [VALUE] }],
    ['its error', { raw: '/*{ "codigo" : 500, "mensagem" : "Erro desconhecido" }*/' }],
    ['its error with a status', { status: 400, raw: '/*{ "codigo" : 400, "mensagem" : "…" }*/' }],
    ['a page', { raw: PAGE }],
    ['a page with a status', { status: 500, raw: PAGE }],
    ['a redirect', { status: 302 }],
    ['too many requests', { status: 429 }],
    ['an outage', { status: 503 }],
    ['half an answer', { raw: '{"@odata.context":' }],
    ['an empty answer', {}],
    ['a broken connection', { fault: 'reset' }],
    ['silence', { fault: 'hang' }],
  ])('is not available if the answer is %s', async (_, answer) => {
    await expect(findLast(answer)).rejects.toBeInstanceOf(Unavailable);
  });
});
