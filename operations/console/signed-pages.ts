/** The pages for people who are signed in. */
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import type { Desk } from '../desk.ts';
import { actPages } from './act-pages.ts';
import { booksFile, booksPage } from './books-page.ts';
import { casePage } from './case-page.ts';
import { caseSearchPage, foundCasesPage } from './case-search-page.ts';
import { deliveriesPage } from './delivery-page.ts';
import { deskPage } from './desk-page.ts';
import { DESK_PAGES } from './desk-pages.ts';
import { homePage } from './home-page.ts';
import { type Frame, messagePage, type SignedFrame } from './layout.ts';
import { signInFor } from './own-path.ts';
import { partnerPage } from './partner-page.ts';
import { purchasePage } from './purchase-page.ts';
import { reviewPage } from './review-page.ts';
import { canBeInAddress, findSearched, onlyPageOf, personPage, resultsPage } from './search.ts';
import { readersOf, sectionOf } from './sections.ts';
import type { Sessions, SignedContext } from './session.ts';

type SignedParts = { signed: (context: Context<SignedContext>) => SignedFrame };
type SignedPageParts = {
  desk: Desk;
  sessions: Sessions;
  frameOf: (context: Context<SignedContext>) => Frame;
};

export function signedPages({ desk, sessions, frameOf }: SignedPageParts): Hono<SignedContext> {
  const pages = new Hono<SignedContext>();
  pages.use(onlySigned(sessions), onlyReaders(frameOf));
  /** The frame with a session. It has one, because `onlySigned` sends everyone else to the sign-in. */
  const signed = (context: Context<SignedContext>) => frameOf(context) as SignedFrame;
  pages.get('/', async (context) => context.html(await homePage(desk, signed(context))));
  for (const page of DESK_PAGES)
    pages.get(page.path, async (context) => context.html(await deskPage(page, desk, signed(context))));
  pages.get('/reviews/search', (context) => context.html(caseSearchPage(signed(context))));
  pages.post('/reviews/search', async (context) =>
    context.html(await foundCasesPage(await context.req.parseBody(), desk, signed(context))),
  );
  pages.get('/reviews/:id', async (context) =>
    context.html(await reviewPage(context.req.param('id'), desk, signed(context))),
  );
  pages.get('/cases/case', async (context) =>
    context.html(await casePage(context.req.query('id') ?? '', desk, signed(context))),
  );
  pages.get('/deliveries', async (context) => context.html(await deliveriesPage(desk, signed(context))));
  pages.get('/books', async (context) =>
    context.html(await booksPage(context.req.query(), desk, signed(context))),
  );
  pages.get('/books/csv', async (context) => {
    const { name, text } = await booksFile(context.req.query(), desk, signed(context));
    return context.body(text, 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  });
  pages.route('/acts', actPages({ desk, signed }));
  return pages.route('/', foundPages({ desk, signed }));
}

const onlySigned =
  (sessions: Sessions): MiddlewareHandler<SignedContext> =>
  async (context, next) => {
    const session = await sessions.find(context);
    if (!session && context.req.header('sec-fetch-site') === 'cross-site') return again(context);
    if (!session) return context.redirect(signInFor(askedIn(context)), 303);
    context.set('session', session);
    await sessions.extend(context, session);
    return next();
  };

/** The page that the request asks for, with its query. Empty for a form, which nobody can send again. */
function askedIn({ req }: Context): string {
  const { pathname, search } = new URL(req.url);
  return req.method === 'GET' ? `${pathname}${search}` : '';
}

/**
 * Returns a page that opens the requested URL again. If a link on another site or at the issuer leads here,
 * the browser does not send the session cookie. It sends the cookie with the second request, because that
 * comes from the console's own page.
 */
function again(context: Context<SignedContext>): Response | Promise<Response> {
  const { pathname, search } = new URL(context.req.url);
  return context.html(html`<!doctype html><html lang="en"><head><title>Console</title>
<meta http-equiv="refresh" content="0;url=${pathname}${search}"></head>
<body><p><a href="${pathname}${search}">Go on</a></p></body></html>`);
}

const onlyReaders =
  (frameOf: SignedPageParts['frameOf']): MiddlewareHandler<SignedContext> =>
  async (context, next) => {
    const { path, session } = frameOf(context);
    const section = sectionOf(path);
    if (!section || !session) return context.notFound();
    const readers = readersOf(section);
    if (readers.includes(session.role)) return next();
    const text = `This page is for ${readers.join(' and ')}. Your role is ${session.role}.`;
    return context.html(messagePage('Not for your role', text, frameOf(context)), 403);
  };

/** The search, and the pages to which its results lead. */
function foundPages({ desk, signed }: Pick<SignedPageParts, 'desk'> & SignedParts): Hono<SignedContext> {
  const pages = new Hono<SignedContext>();
  pages.post('/search', async (context) => {
    const { q } = await context.req.parseBody();
    const text = typeof q === 'string' ? q.trim() : '';
    if (cpfDigits(text)) return context.html(await personPage(text, desk, signed(context)));
    if (canBeInAddress(text)) return context.redirect(`/console/search?q=${encodeURIComponent(text)}`, 303);
    return context.html(resultsPage(text, await findSearched(text, desk, signed(context)), signed(context)));
  });
  pages.get('/search', async (context) => {
    const text = context.req.query('q')?.trim() ?? '';
    const found = await findSearched(text, desk, signed(context));
    const only = onlyPageOf(found);
    return only ? context.redirect(only, 303) : context.html(resultsPage(text, found, signed(context)));
  });
  pages.get('/purchases/:id{[0-9A-Z]{26}}', async (context) => {
    const purchase = await desk.transactions.findTransaction(context.req.param('id'));
    if (!purchase) return context.notFound();
    return context.html(await purchasePage(purchase, desk, signed(context)));
  });
  pages.get('/partners/:id{[a-z0-9]{1,64}}', async (context) => {
    const partner = await desk.partners.findPartner(context.req.param('id'));
    if (!partner) return context.notFound();
    return context.html(await partnerPage(partner, desk, signed(context)));
  });
  return pages;
}
