import type { Hono } from 'hono';
import type { World } from '../world.ts';
import { requireScope } from './auth.ts';
import { readSwitches } from './switches.ts';

/**
 * Serves the balance of the merchant's account in the form of the PSP Efí. API Pix has no call for the
 * balance.
 */
export function mountBalance(v2: Hono, world: World): void {
  v2.get('/gn/saldo', requireScope(world, 'gn.balance.read'), async (c) => {
    const { balance: saldo, blocked } = await readSwitches(world);
    if (c.req.query('bloqueios') !== 'true') return c.json({ saldo });
    return c.json({ saldo, bloqueios: { judicial: '0.00', med: blocked, total: blocked } });
  });
}

/**
 * Serves the settings of the merchant's account in the form of the PSP Efí. The switch `payerIsDebtor` changes only
 * this answer. This PSP accepts a payment by any payer, because the scenario of another payer needs one.
 */
export function mountConfig(v2: Hono, world: World): void {
  v2.get('/gn/config', requireScope(world, 'gn.settings.read'), async (c) => {
    const { payerIsDebtor } = await readSwitches(world);
    const recebimento = {
      txidObrigatorio: false,
      qrCodeEstatico: { recusarTodos: false },
      documentoPagadorIgualDevedor: payerIsDebtor,
    };
    const chaves = { [world.settings.psp.chave]: { recebimento } };
    return c.json({ pix: { receberSemChave: true, chaves } });
  });
}
