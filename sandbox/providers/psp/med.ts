import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { centavos, type PixRecord, paymentId, pixKey, type Refund, renderPix } from './received-pix.ts';
import { isFields, VALOR } from './validate.ts';

type Med = { amountBrl?: string; nature?: 'MED_FRAUDE' | 'MED_OPERACIONAL'; endsAs?: Refund['outcome'] };

/**
 * The PSP returns money without our request (Mecanismo Especial de Devolução). API Pix shows it only among the Pix's
 * `devolucoes`, under an id of the PSP's. `endsAs` NAO_REALIZADO means that the balance was too low. No callback
 * reports it.
 */
export async function takeBack(c: Context, world: World): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => ({}));
  const { amountBrl, nature = 'MED_FRAUDE', endsAs = 'DEVOLVIDO' } = (isFields(body) ? body : {}) as Med;
  if (amountBrl !== undefined && !VALOR.test(amountBrl))
    return c.json({ error: 'amountBrl is like "500.00"' }, 400);
  const now = world.now();
  let isTooMuch = false;
  const pix = await change<PixRecord>(world.store, pixKey(c.req.param('e2eid') ?? ''), (known) => {
    const valor = amountBrl ?? known?.valor ?? '0.00';
    isTooMuch = known !== undefined && centavos(valor) > leftOf(known);
    if (!known || isTooMuch) return undefined;
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
    return { ...known, refunds: [...known.refunds, made] };
  });
  if (isTooMuch) return c.json({ error: 'more than is left of the Pix' }, 409);
  return pix ? c.json(renderPix(pix, now)) : c.json({ error: 'no such Pix' }, 404);
}

function leftOf({ valor, refunds }: PixRecord): bigint {
  const gone = refunds.filter(({ outcome }) => outcome === 'DEVOLVIDO');
  return gone.reduce((left, refund) => left - centavos(refund.valor), centavos(valor));
}
