import { Unavailable } from '../../domain/errors.ts';
import { RATE_DECIMALS, unitsOf } from '../../domain/money.ts';
import type { Clock } from '../../domain/ports.ts';
import { DAY_MS, dayInBrasilia } from '../../domain/time.ts';
import type { PtaxFeed } from '../../domain/treasury/price-ports.ts';
import { jsonClient } from '../http.ts';

type Deps = { clock: Pick<Clock, 'now'>; timeoutMs: number };

const PROVIDER = 'the Central Bank';
const RESOURCE = 'CotacaoDolarPeriodo';
/**
 * How far back the query looks, in milliseconds. Weekends and holidays have no PTAX (the Central Bank's
 * reference rate of the dollar). No run of such days is longer than this.
 */
const WINDOW_MS = 10 * DAY_MS;
/**
 * The allowed difference between two clocks in milliseconds. A time of publication further in the future is a
 * mistake.
 */
const SKEW_MS = 5 * 60_000;

/**
 * Reads the Central Bank's Olinda API, "PTAX", resource `CotacaoDolarPeriodo`. It has one PTAX for each
 * business day, published after 13:00. An error may come with any status, as JSON inside a comment or as a
 * web page. `url` is the base URL of the OData service.
 */
export function ptaxFeed(url: string, { clock, timeoutMs }: Deps): PtaxFeed {
  const send = jsonClient({ provider: PROVIDER, timeoutMs });
  return {
    async findLast() {
      const { status, body } = await send({ method: 'GET', url: `${url}/${pathAt(clock.now())}` });
      if (status !== 200) throw untrustedPtax(`HTTP ${status}`);
      return readPtax(body, clock.now());
    },
  };
}

/** The path of the query for the newest PTAX of the last `WINDOW_MS`. */
function pathAt(now: number): string {
  const names = 'dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao';
  const period = `@dataInicial='${ptaxDayOf(now - WINDOW_MS)}'&@dataFinalCotacao='${ptaxDayOf(now)}'`;
  return `${RESOURCE}(${names})?${period}&$top=1&$orderby=dataHoraCotacao%20desc&$format=json`;
}

/** The day in the Central Bank's form: `11-20-2026` for `2026-11-20`. */
function ptaxDayOf(at: number): string {
  const [year, month, day] = dayInBrasilia(at).split('-');
  return [month, day, year].join('-');
}

function readPtax(body: unknown, now: number) {
  const { value, '@odata.context': context } = Object(body) as Record<string, unknown>;
  // Checks the name of the resource, because the answers for other currencies have the same fields.
  if (!String(context).includes(`#_${RESOURCE}`) || !Array.isArray(value))
    throw untrustedPtax('another answer');
  if (value.length === 0) throw untrustedPtax('no PTAX in the last days');
  const { cotacaoVenda, dataHoraCotacao } = Object(value[0]) as Record<string, unknown>;
  const publishedAt = ptaxInstant(dataHoraCotacao);
  if (!(publishedAt <= now + SKEW_MS)) throw untrustedPtax('no time of publication');
  return { rate: rateOf(cotacaoVenda), publishedAt };
}

/**
 * Parses a JSON number with up to five decimals. `String` gives back exactly the digits that the Central Bank
 * published.
 */
function rateOf(value: unknown): bigint {
  const rate = typeof value === 'number' ? unitsOf(String(value), RATE_DECIMALS) : undefined;
  if (!rate) throw untrustedPtax('no positive decimals');
  return rate;
}

/** Parses `2026-10-02 13:03:16.256632`, which is Brasília's time. NaN for any other form. */
function ptaxInstant(text: unknown): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/.exec(String(text)) ?? [];
  return Date.parse(`${day}T${time}-03:00`);
}

const untrustedPtax = (reason: string) => new Unavailable(PROVIDER, { cause: new Error(reason) });
