import type { Context, Hono } from 'hono';
import { getDefined } from '../../../functions/domain/get.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { requireScope } from './auth.ts';
import { type Charge, currentTerms, openCharge, removeCharge, renderCharge, revise } from './charge.ts';
import { chargeKey } from './charge-key.ts';
import { fail, notSchemaQuery } from './problem.ts';
import { isWithin, paginate, readBoolean, readQuery } from './query.ts';
import { pixOf, renderPix, settledPix } from './received-pix.ts';
import { readSwitches } from './switches.ts';
import {
  type ChargeTerms,
  chargeViolations,
  type Fields,
  isFields,
  notSchema,
  TXID,
  toTerms,
} from './validate.ts';

export function mountCharges(v2: Hono, world: World): void {
  v2.put('/cob/:txid', requireScope(world, 'cob.write'), (c) => putCharge(c, world));
  v2.patch('/cob/:txid', requireScope(world, 'cob.write'), (c) => patchCharge(c, world));
  v2.get('/cob/:txid', requireScope(world, 'cob.read'), (c) => getCharge(c, world));
  v2.get('/cob', requireScope(world, 'cob.read'), (c) => listCharges(c, world));
}

/**
 * Reads the JSON object in the body. Throws `RequisicaoInvalida` for any other body, before the rules of the
 * call are checked.
 */
export async function readFields(c: Context): Promise<Fields> {
  const body: unknown = await c.req.json().catch(() => undefined);
  return isFields(body) ? body : fail('RequisicaoInvalida');
}

async function putCharge(c: Context, world: World): Promise<Response> {
  const txid = c.req.param('txid') ?? '';
  const body = await readFields(c);
  const violations = chargeViolations(body, world.settings.psp.chave);
  if (!TXID.test(txid)) violations.unshift(notSchema('txid', txid));
  if (violations.length > 0) fail('CobOperacaoInvalida', violations);

  const terms = toTerms(body);
  const charge = await change<Charge>(world.store, chargeKey(txid), (known) =>
    known ? revise(requireActive(known), terms) : openCharge(txid, terms, world),
  );
  return c.json(renderCharge(getDefined(charge, 'charge'), world, await presentation(world)), 201);
}

async function patchCharge(c: Context, world: World): Promise<Response> {
  const body = await readFields(c);
  const known = await requireCharge(c, world);
  const charge = await change<Charge>(world.store, chargeKey(known.txid), (now) =>
    patched(requireActive(now ?? known), body, world),
  );
  return c.json(renderCharge(getDefined(charge, 'charge'), world, await presentation(world)));
}

function patched(charge: Charge, body: Fields, world: World): Charge {
  const { status, ...changes } = body;
  if (status === undefined) return revise(charge, merged(currentTerms(charge), changes, world));
  if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR') {
    fail('CobOperacaoInvalida', [notSchema('cob.status', status)]);
  }
  if (Object.keys(changes).length > 0) {
    const razao = 'Não se pode remover a cobrança e alterá-la na mesma requisição.';
    fail('CobOperacaoInvalida', [{ razao, propriedade: 'cob.status', valor: status }]);
  }
  return removeCharge(charge);
}

function merged(terms: ChargeTerms, changes: Fields, world: World): ChargeTerms {
  const inner = (name: 'calendario' | 'valor') =>
    changes[name] === undefined || !isFields(changes[name])
      ? (changes[name] ?? terms[name])
      : { ...terms[name], ...changes[name] };
  const next = { ...terms, ...changes, calendario: inner('calendario'), valor: inner('valor') };
  const violations = chargeViolations(next, world.settings.psp.chave);
  if (violations.length > 0) fail('CobOperacaoInvalida', violations);
  return toTerms(next);
}

function requireActive(charge: Charge): Charge {
  if (charge.status === 'ATIVA') return charge;
  const razao = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.';
  return fail('CobOperacaoInvalida', [{ razao, propriedade: 'cob.status', valor: charge.status }]);
}

async function requireCharge(c: Context, world: World): Promise<Charge> {
  const item = await world.store.get<Charge>(chargeKey(c.req.param('txid') ?? ''));
  return item?.value ?? fail('CobNaoEncontrado');
}

async function getCharge(c: Context, world: World): Promise<Response> {
  const charge = await requireCharge(c, world);
  const text = c.req.query('revisao');
  const revisao = text === undefined ? undefined : Number(text);
  if (text !== undefined && (!/^\d+$/.test(text) || charge.revisions[Number(text)] === undefined)) {
    fail('CobConsultaInvalida', [notSchemaQuery('revisao', text)]);
  }
  const pix = await pixOf(charge.txid, world);
  const view = {
    revisao,
    ...(await presentation(world)),
    pix: pix.map((one) => renderPix(one, world.now())),
  };
  return c.json(renderCharge(getDefined(charge, 'charge'), world, view));
}

async function listCharges(c: Context, world: World): Promise<Response> {
  const query = readQuery(c, 'CobConsultaInvalida');
  const locationPresente = readBoolean(c, 'locationPresente', 'CobConsultaInvalida');
  const status = c.req.query('status');
  const charges = (await world.store.list<Charge>('psp/cob'))
    .map(({ value }) => value)
    .filter((charge) => {
      const { devedor } = currentTerms(charge);
      if (query.cpf !== undefined && devedor?.cpf !== query.cpf) return false;
      if (query.cnpj !== undefined && devedor?.cnpj !== query.cnpj) return false;
      if (status !== undefined && charge.status !== status) return false;
      // Every charge of this PSP has a location.
      return locationPresente !== false && isWithin(query, charge.criacao);
    })
    .sort((a, b) => (a.criacao < b.criacao ? -1 : 1));

  const { items, paginacao } = paginate(query, charges);
  const received = await settledPix(world);
  const cobs = items.map((charge) => {
    const pix = received.filter(({ txid }) => txid === charge.txid);
    return renderCharge(getDefined(charge, 'charge'), world, {
      pix: pix.map((one) => renderPix(one, world.now())),
    });
  });
  return c.json({ parametros: { ...query.echo, status, locationPresente, paginacao }, cobs });
}

async function presentation(world: World): Promise<{ copiaECola: boolean }> {
  return { copiaECola: (await readSwitches(world)).copiaECola === 'present' };
}
