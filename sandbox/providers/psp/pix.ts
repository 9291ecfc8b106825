import type { Context, Hono } from 'hono';
import { getDefined } from '../../../functions/domain/get.ts';
import { change } from '../store.ts';
import { takeTrigger } from '../triggers.ts';
import type { World } from '../world.ts';
import { requireScope } from './auth.ts';
import { type Charge, currentTerms } from './charge.ts';
import { chargeKey } from './charge-key.ts';
import { readFields } from './charges.ts';
import { fail, notSchemaQuery, type Violation } from './problem.ts';
import { isWithin, paginate, readBoolean, readQuery } from './query.ts';
import {
  centavos,
  isSettled,
  type PixRecord,
  paymentId,
  pixKey,
  pixOf,
  type Refund,
  renderPix,
  renderRefund,
  settledPix,
  visible,
} from './received-pix.ts';
import { readSwitches } from './switches.ts';
import { type Fields, notSchema, REFUND_ID, VALOR } from './validate.ts';

export function mountPix(v2: Hono, world: World): void {
  v2.get('/pix', requireScope(world, 'pix.read'), (c) => listPix(c, world));
  v2.get('/pix/:e2eid', requireScope(world, 'pix.read'), (c) => getPix(c, world));
  v2.put('/pix/:e2eid/devolucao/:id', requireScope(world, 'pix.write'), (c) => putRefund(c, world));
  v2.get('/pix/:e2eid/devolucao/:id', requireScope(world, 'pix.read'), (c) => getRefund(c, world));
}

/**
 * Lists payments. `cpf` and `cnpj` name the payer here, and the debtor in GET /cob. All simulated payers are
 * people, so a `cnpj` finds none.
 */
async function listPix(c: Context, world: World): Promise<Response> {
  const query = readQuery(c, 'PixConsultaInvalida');
  const txIdPresente = readBoolean(c, 'txIdPresente', 'PixConsultaInvalida');
  const devolucaoPresente = readBoolean(c, 'devolucaoPresente', 'PixConsultaInvalida');
  const txid = c.req.query('txid');
  if (txid !== undefined && !/^[a-zA-Z0-9]{1,35}$/.test(txid)) {
    fail('PixConsultaInvalida', [notSchemaQuery('txid', txid)]);
  }
  const { payerFilter } = await readSwitches(world);
  const filters = payerFilter !== 'ignored';
  const all = txid === undefined ? await settledPix(world) : await pixOf(txid, world);
  const shown = await Promise.all(
    all.map((pix) => (payerFilter === 'debtor' || pix.isDebtorPayer ? withDebtor(pix, world) : pix)),
  );
  const found = shown.filter((pix) => {
    if (txIdPresente !== undefined && (pix.txid !== undefined) !== txIdPresente) return false;
    if (devolucaoPresente !== undefined && pix.refunds.length > 0 !== devolucaoPresente) return false;
    if (filters && query.cnpj !== undefined) return false;
    if (filters && query.cpf !== undefined && pix.payerCpf !== query.cpf) return false;
    return isWithin(query, pix.horario);
  });

  const { items, paginacao } = paginate(query, found);
  const parametros = { ...query.echo, txid, txIdPresente, devolucaoPresente, paginacao };
  return c.json({ parametros, pix: items.map((pix) => renderPix(pix, world.now())) });
}

/**
 * Replaces the payer by the charge's debtor. Some PSPs know only the debtor, and so their payer filter
 * compares the debtor.
 */
async function withDebtor(pix: PixRecord, { store }: World): Promise<PixRecord> {
  const charge = pix.txid && (await store.get<Charge>(chargeKey(pix.txid)))?.value;
  return charge ? { ...pix, payerCpf: currentTerms(charge).devedor?.cpf ?? '' } : pix;
}

async function requirePix(c: Context, world: World): Promise<PixRecord> {
  const pix = (await world.store.get<PixRecord>(pixKey(c.req.param('e2eid') ?? '')))?.value;
  const [shown] = await visible(pix ? [pix] : [], world.store);
  return shown ?? fail('PixNaoEncontrado');
}

async function getPix(c: Context, world: World): Promise<Response> {
  return c.json(renderPix(await requirePix(c, world), world.now()));
}

async function getRefund(c: Context, world: World): Promise<Response> {
  const { refunds } = await requirePix(c, world);
  const refund = refunds.find(({ id }) => id === c.req.param('id'));
  return refund ? c.json(renderRefund(refund, world.now())) : fail('PixDevolucaoNaoEncontrada');
}

async function putRefund(c: Context, world: World): Promise<Response> {
  const body = await readFields(c);
  const { endToEndId, txid, refunds } = await requirePix(c, world);
  const id = c.req.param('id') ?? '';
  const violations = refundViolations(id, body);
  if (violations.length > 0) fail('PixDevolucaoInvalida', violations);

  const { refundOutcome } = await readSwitches(world);
  const isNew = !refunds.some((known) => known.id === id);
  const isFailing = isNew && (await takeTrigger('REFUND_FAILS', txid, world));
  const wanted = openRefund({ id, body, outcome: isFailing ? 'NAO_REALIZADO' : refundOutcome }, world);
  const pix = await change<PixRecord>(
    world.store,
    pixKey(endToEndId),
    (now) => now && withRefund(now, wanted, world.now()),
  );
  const refund = pix?.refunds.find((one) => one.id === id);
  return c.json(renderRefund(getDefined(refund, 'refund'), world.now()), 201);
}

function refundViolations(id: string, { valor, natureza, descricao }: Fields): Violation[] {
  const found: Violation[] = [];
  if (!REFUND_ID.test(id)) found.push(notSchema('devolucao.id', id));
  if (typeof valor !== 'string' || !VALOR.test(valor) || Number(valor) === 0) {
    found.push(notSchema('devolucao.valor', valor));
  }
  if (natureza !== undefined && natureza !== 'ORIGINAL' && natureza !== 'RETIRADA') {
    found.push(notSchema('devolucao.natureza', natureza));
  }
  if (descricao !== undefined && (typeof descricao !== 'string' || descricao.length > 140)) {
    found.push(notSchema('devolucao.descricao'));
  }
  return found;
}

type Requested = Pick<Refund, 'id' | 'outcome'> & { body: Fields };

function openRefund({ id, body, outcome }: Requested, world: World): Refund {
  const { valor, natureza, descricao } = body as Pick<Refund, 'valor' | 'natureza' | 'descricao'>;
  const now = world.now();
  return {
    id,
    rtrId: paymentId('D', world.settings.psp.ispb, now),
    valor,
    natureza: natureza ?? 'ORIGINAL',
    ...(descricao !== undefined && { descricao }),
    solicitacao: now.toISOString(),
    settlesAt: new Date(now.getTime() + world.settings.psp.refundMs).toISOString(),
    outcome,
    notified: false,
  };
}

const REFUND_WINDOW_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Adds a refund to the payment. Undefined if a refund with this id and this value is already there. Throws for a
 * known id with another value, for a payment older than 90 days, and if the refunds would exceed the payment.
 */
function withRefund(pix: PixRecord, wanted: Refund, now: Date): PixRecord | undefined {
  const known = pix.refunds.find(({ id }) => id === wanted.id);
  if (known?.valor === wanted.valor) return undefined;
  if (known) {
    const razao = 'O id já foi utilizado por outra requisição de devolução para este e2eid.';
    fail('PixDevolucaoInvalida', [{ razao, propriedade: 'devolucao.id', valor: wanted.id }]);
  }
  if (now.getTime() > Date.parse(pix.horario) + REFUND_WINDOW_MS) {
    const razao = 'A devolução viola a janela de 90 dias desde a liquidação do pix.';
    fail('PixDevolucaoInvalida', [{ razao, propriedade: 'pix.horario', valor: pix.horario }]);
  }
  const refunded = pix.refunds
    .filter((one) => one.outcome === 'DEVOLVIDO' || !isSettled(one, now))
    .reduce((sum, { valor }) => sum + centavos(valor), 0n);
  if (refunded + centavos(wanted.valor) > centavos(pix.valor)) {
    const razao = 'A soma das devoluções excederia o valor do pix.';
    fail('PixDevolucaoInvalida', [{ razao, propriedade: 'devolucao.valor', valor: wanted.valor }]);
  }
  return { ...pix, refunds: [...pix.refunds, wanted] };
}
