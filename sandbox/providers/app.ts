import { Hono } from 'hono';
import { chainControl, chainNode } from './chain.ts';
import { chainalysis, chainalysisControl } from './chainalysis.ts';
import { companyRegistry, companyRegistryControl } from './company-registry.ts';
import { cpfRegistry, cpfRegistryControl, restartOutage } from './cpf-registry.ts';
import { beginReview, holdReview } from './identity/applicants.ts';
import { identityControl } from './identity/control.ts';
import { identity } from './identity.ts';
import { lists, listsControl } from './lists.ts';
import { binance } from './price/binance.ts';
import { foxbit, mercadoBitcoin } from './price/brazilian-exchanges.ts';
import { priceControl } from './price/control.ts';
import { ptax, ptaxControl } from './price/ptax.ts';
import { pspControl } from './psp/control.ts';
import { strangersWorld } from './psp/stranger.ts';
import { psp } from './psp.ts';
import { companyScenarios, scenarios } from './scenarios.ts';
import { triggerControl } from './trigger-control.ts';
import { webhookControl, webhookReceiver } from './webhook-receiver.ts';
import type { World } from './world.ts';

/** Serves each simulated provider under its own path prefix. Only the sandbox's own tools call `/control`. */
export function providers(world: World): Hono {
  const app = new Hono();
  app.route('/psp', psp(world));
  app.route('/psp-stranger', psp(strangersWorld(world)));
  app.route('/cpf-registry', cpfRegistry(world));
  app.route('/company-registry', companyRegistry(world));
  app.route('/identity', identity(world));
  app.route('/price', binance(world));
  app.route('/mercado-bitcoin', mercadoBitcoin(world));
  app.route('/foxbit', foxbit(world));
  app.route('/ptax', ptax(world));
  app.route('/chainalysis', chainalysis(world));
  app.route('/chain', chainNode(world));
  app.route('/lists', lists(world));
  app.route('/webhook-receiver', webhookReceiver(world));
  app.route('/control', control(world));
  return app;
}

function control(world: World): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const { controlKey } = world.settings;
    if (controlKey !== undefined && c.req.header('x-control-key') !== controlKey) {
      return c.json({ error: 'x-control-key is missing or wrong' }, 403);
    }
    await next();
  });
  app.get('/scenarios', (c) => c.json({ scenarios, companies: companyScenarios }));
  /**
   * The sandbox calls `hold` before each submission of a client's identity data with this CPF, and `begin`
   * after the answer to it. `hold` starts an ended outage of the scenario again, and holds the client's
   * identity review.
   */
  app.post('/scenarios/:cpf/hold', async (c) => {
    const { clientId } = (await c.req.json()) as { clientId: string };
    await Promise.all([restartOutage(c.req.param('cpf'), world), holdReview(clientId, world)]);
    return c.json({});
  });
  app.post('/scenarios/:cpf/begin', async (c) => {
    const { clientId } = (await c.req.json()) as { clientId: string };
    await beginReview(clientId, world);
    return c.json({});
  });
  app.route('/psp', pspControl(world));
  app.route('/psp-stranger', pspControl(strangersWorld(world)));
  app.route('/chain', chainControl(world));
  app.route('/cpf-registry', cpfRegistryControl(world));
  app.route('/company-registry', companyRegistryControl(world));
  app.route('/identity', identityControl(world));
  app.route('/lists', listsControl(world));
  app.route('/price', priceControl(world));
  app.route('/ptax', ptaxControl(world));
  app.route('/chainalysis', chainalysisControl(world));
  app.route('/triggers', triggerControl(world));
  app.route('/webhooks', webhookControl(world));
  return app;
}
