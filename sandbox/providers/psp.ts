import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { issueToken } from './psp/auth.ts';
import { mountBalance, mountConfig } from './psp/balance.ts';
import { mountCharges } from './psp/charges.ts';
import { mountPix } from './psp/pix.ts';
import { problemResponse } from './psp/problem.ts';
import { outage, outageOfPurchase, readAhead } from './psp/switches.ts';
import { mountWebhooks } from './psp/webhooks.ts';
import type { World } from './world.ts';

/**
 * A simulated payment service provider (PSP), with the immediate charges of the Central Bank's API Pix 2.9.
 */
export function psp(world: World): Hono {
  const app = new Hono();
  app.use(readAhead(world));
  app.use(outage(world));
  app.post('/oauth/token', (c) => issueToken(c, world));

  const v2 = new Hono();
  v2.use(outageOfPurchase(world));
  mountCharges(v2, world);
  mountPix(v2, world);
  mountBalance(v2, world);
  mountConfig(v2, world);
  mountWebhooks(v2, world);
  app.route('/v2', v2);
  app.all('*', () => problemResponse('NaoEncontrado'));
  app.onError(renderError);
  return app;
}

function renderError(error: Error, _: Context): Response {
  if (error instanceof HTTPException) return error.getResponse();
  console.error('psp simulator', error);
  return problemResponse('ErroInternoDoServidor');
}
