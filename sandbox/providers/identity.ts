import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { applicantActions } from './identity/actions.ts';
import { applicants } from './identity/applicants.ts';
import { requireSignature } from './identity/auth.ts';
import { links } from './identity/links.ts';
import { hostedPage } from './identity/page.ts';
import { problemResponse } from './identity/problem.ts';
import { outage, outageOfPerson } from './identity/switches.ts';
import type { World } from './world.ts';

/**
 * A simulated identity verifier: the calls of Sumsub's API that the service uses, and the page that checks a person.
 * Source: https://docs.sumsub.com/reference/about-sumsub-api
 */
export function identity(world: World): Hono {
  const app = new Hono();
  app.route('/websdk/p', hostedPage(world));
  app.use('/resources/*', outage(world), requireSignature(world), outageOfPerson(world));
  app.route('/resources/applicants', applicants(world));
  app.route('/resources/applicantActions', applicantActions(world));
  app.route('/resources', links(world));
  app.all('*', () => problemResponse(404, 'Not Found'));
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    console.error('identity simulator', error);
    return problemResponse(500, 'Internal Server Error');
  });
  return app;
}
