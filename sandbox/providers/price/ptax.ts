import { type Context, Hono } from 'hono';
import { daysBetween, endOfDayInBrasilia } from '../../../functions/domain/time.ts';
import type { World } from '../world.ts';

// Source: Banco Central do Brasil, Olinda, "PTAX", resource CotacaoDolarPeriodo. The Central Bank sends an
// error as JSON inside a JavaScript comment, without a content type.
const RESOURCE = 'CotacaoDolarPeriodo';
const CALL = `${RESOURCE}(dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)`;
const CONTEXT = `https://was-p.bcnet.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata$metadata#_${RESOURCE}`;
const TIME = '13:10:35.4469';
/** The difference in BRL between the selling and the buying rate of one dollar. */
const GAP = 0.0006;
/**
 * The delay of an answer with the fault `SLOW`, in milliseconds. It exceeds the service's time-out for a
 * provider, 4 s, unless `patience` multiplies that by more than 3.
 */
const SLOW_MS = 15_000;

/**
 * `DOWN`: answers a web page with status 500. `ERROR`: answers an error in the Central Bank's form. `EMPTY`:
 * answers without any rates. `SLOW`: answers after `SLOW_MS`.
 */
type Fault = 'DOWN' | 'ERROR' | 'EMPTY' | 'SLOW';
type Settings = { cotacaoVenda: number; fault?: Fault };
const KEY = 'ptax/settings';
const STEADY: Settings = { cotacaoVenda: 5.4269 };

type Value = { cotacaoCompra: number; cotacaoVenda: number; dataHoraCotacao: string };

const PAGE = '<!DOCTYPE HTML><html><head><title>500 Internal Server Error</title></head><body></body></html>';

export function ptax(world: World): Hono {
  const app = new Hono();
  app.get('/:call', async (c) => {
    const { cotacaoVenda, fault } = await settingsOf(world);
    if (fault === 'SLOW') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (fault === 'DOWN') return c.html(PAGE, 500);
    if (fault === 'ERROR') return problem(500, 'Erro desconhecido');
    if (c.req.param('call') !== CALL) return problem(404, 'Recurso não encontrado');
    const [from, to] = [dayIn(c, '@dataInicial'), dayIn(c, '@dataFinalCotacao')];
    if (from === undefined || to === undefined) return problem(400, 'Parâmetro inválido');
    const values = fault === 'EMPTY' ? [] : valuesBetween({ from, to, cotacaoVenda }, world.now());
    return c.json({ '@odata.context': CONTEXT, value: inOrder(values, c) });
  });
  return app;
}

/** Replaces all settings of the simulated PTAX service. `{}` restores the usual rate and ends the fault. */
export function ptaxControl(world: World): Hono {
  const app = new Hono();
  app.put('/', async (c) => {
    const settings = { ...STEADY, ...((await c.req.json()) as Partial<Settings>) };
    await world.store.put(KEY, settings);
    return c.json(settings);
  });
  return app;
}

const settingsOf = async ({ store }: World): Promise<Settings> =>
  (await store.get<Settings>(KEY))?.value ?? STEADY;

/**
 * Converts a parameter such as `'11-20-2026'`, with its quotes, to an ISO date. Undefined if the parameter
 * has another form or is not a date.
 */
function dayIn(c: Context, name: string): string | undefined {
  const [, month, day, year] = /^'(\d\d)-(\d\d)-(\d{4})'$/.exec(c.req.query(name) ?? '') ?? [];
  const iso = `${year}-${month}-${day}`;
  return Number.isNaN(endOfDayInBrasilia(iso)) ? undefined : iso;
}

/**
 * One rate for each weekday whose 13:10 in Brasília has passed, the oldest first. Public holidays also have a
 * rate here.
 */
function valuesBetween(
  { from, to, cotacaoVenda }: { from: string; to: string; cotacaoVenda: number },
  now: Date,
) {
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  return daysBetween(noon(from), noon(to))
    .filter((day) => ![0, 6].includes(new Date(noon(day)).getUTCDay()))
    .filter((day) => Date.parse(`${day}T${TIME}-03:00`) <= now.getTime())
    .map((day): Value => {
      const cotacaoCompra = Number((cotacaoVenda - GAP).toFixed(5));
      return { cotacaoCompra, cotacaoVenda, dataHoraCotacao: `${day} ${TIME}` };
    });
}

function inOrder(values: readonly Value[], c: Context): Value[] {
  const isDescending = c.req.query('$orderby') === 'dataHoraCotacao desc';
  const ordered = isDescending ? values.toReversed() : values;
  return ordered.slice(0, Number(c.req.query('$top') ?? values.length));
}

const problem = (codigo: number, mensagem: string): Response =>
  new Response(`/*${JSON.stringify({ codigo, mensagem })}*/`, { status: codigo });
