import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { decimalOf } from '../../../functions/domain/money.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import {
  centavos,
  type PixRecord,
  paymentId,
  pixKey,
  pixOf,
  type Refund,
  renderPix,
} from './received-pix.ts';
import { isFields, VALOR } from './validate.ts';

type Med = { amountBrl?: string; nature?: 'MED_FRAUDE' | 'MED_OPERACIONAL'; endsAs?: Refund['outcome'] };

/**
 * Returns money to the payer without a request of the service, as a PSP does after MED. MED (Mecanismo
 * Especial de Devolução) is the refund procedure of Pix. API Pix shows the return only in the Pix's
 * `devolucoes`, under an id that the PSP made. NAO_REALIZADO in `endsAs` means that the balance was too low.
 * No callback reports the return.
 */
export async function takeBack(c: Context, world: World): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => ({}));
  const med = (isFields(body) ? body : {}) as Med;
  const { amountBrl } = med;
  if (amountBrl !== undefined && !VALOR.test(amountBrl))
    return c.json({ error: 'amountBrl is like "500.00"' }, 400);
  const now = world.now();
  let isTooMuch = false;
  const pix = await change<PixRecord>(world.store, pixKey(c.req.param('e2eid') ?? ''), (known) => {
    const valor = amountBrl ?? known?.valor ?? '0.00';
    isTooMuch = known !== undefined && centavos(valor) > leftOf(known);
    if (!known || isTooMuch) return undefined;
    return returnByMed(known, { ...med, amountBrl: valor }, world);
  });
  if (isTooMuch) return c.json({ error: 'more than is left of the Pix' }, 409);
  return pix ? c.json(renderPix(pix, now)) : c.json({ error: 'no such Pix' }, 404);
}

/** The Pix with one more return. */
export function returnByMed(
  pix: PixRecord,
  { amountBrl: valor, nature = 'MED_FRAUDE', endsAs = 'DEVOLVIDO' }: Med & { amountBrl: string },
  world: World,
): PixRecord {
  const now = world.now();
  const made: Refund = {
    id: randomBytes(16).toString('hex'),
    rtrId: paymentId('D', world.settings.psp.ispb, now),
    valor,
    natureza: nature,
    solicitacao: now.toISOString(),
    settlesAt: now.toISOString(),
    outcome: endsAs,
    notified: true,
  };
  return { ...pix, refunds: [...pix.refunds, made] };
}

/** Takes back all money of a charge's payments that is not yet returned. False if none is left. */
export async function takeBackAll(txid: string, world: World): Promise<boolean> {
  const paid = await pixOf(txid, world);
  const taken = await Promise.all(paid.map(({ endToEndId }) => takeBackRest(endToEndId, world)));
  return taken.includes(true);
}

async function takeBackRest(endToEndId: string, world: World): Promise<boolean> {
  let isTaken = false;
  await change<PixRecord>(world.store, pixKey(endToEndId), (known) => {
    const left = known ? leftOf(known) : 0n;
    isTaken = left > 0n;
    return known && isTaken ? returnByMed(known, { amountBrl: decimalOf(left, 2) }, world) : undefined;
  });
  return isTaken;
}

function leftOf({ valor, refunds }: PixRecord): bigint {
  const gone = refunds.filter(({ outcome }) => outcome === 'DEVOLVIDO');
  return gone.reduce((left, refund) => left - centavos(refund.valor), centavos(valor));
}
