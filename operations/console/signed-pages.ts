/** The pages for people who are signed in. */
import { type Context, Hono } from 'hono';
import type { Desk } from '../desk.ts';
import { homePage } from './home-page.ts';
import type { Frame } from './layout.ts';
import { partnerPage } from './partner-page.ts';
import { purchasePage } from './purchase-page.ts';
import { canBeInAddress, findAll, onlyPageOf, resultsPage } from './search.ts';
import type { Sessions, Signed } from './session.ts';

type Parts = { desk: Desk; sessions: Sessions; frameOf: (context: Context<Signed>) => Frame };

export function signedPages({ desk, sessions, frameOf }: Parts): Hono<Signed> {
  const pages = new Hono<Signed>();
  pages.use(async (context, next) => {
    const session = await sessions.find(context);
    if (!session) return context.redirect('/console/sign-in', 303);
    context.set('session', session);
    await sessions.open(context, session);
    return next();
  });
  pages.get('/', async (context) => context.html(await homePage(desk, frameOf(context))));
  pages.post('/search', async (context) => {
    const { q } = await context.req.parseBody();
    const text = typeof q === 'string' ? q.trim() : '';
    if (canBeInAddress(text)) return context.redirect(`/console/search?q=${encodeURIComponent(text)}`, 303);
    return context.html(resultsPage(text, await findAll(text, desk), frameOf(context)));
  });
  pages.get('/search', async (context) => {
    const text = context.req.query('q')?.trim() ?? '';
    const found = await findAll(text, desk);
    const only = onlyPageOf(found);
    return only ? context.redirect(only, 303) : context.html(resultsPage(text, found, frameOf(context)));
  });
  pages.get('/purchases/:id{[0-9A-Z]{26}}', async (context) => {
    const purchase = await desk.transactions.findTransaction(context.req.param('id'));
    if (!purchase) return context.notFound();
    return context.html(await purchasePage(purchase, desk, frameOf(context)));
  });
  pages.get('/partners/:id{[a-z0-9]{1,64}}', async (context) => {
    const partner = await desk.partners.findPartner(context.req.param('id'));
    if (!partner) return context.notFound();
    return context.html(await partnerPage(partner, desk, frameOf(context)));
  });
  return pages;
}
