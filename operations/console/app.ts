/**
 * The console: web pages for operations and compliance. They show the output of the commands in
 * `operations/`, and have forms for some acts. docs/console.md
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { Clock } from '../../functions/domain/ports.ts';
import type { Desk } from '../desk.ts';
import { SignInRefused } from './issuer.ts';
import { type Frame, messagePage } from './layout.ts';
import { isRefusal, statusOfRefusal } from './refusals.ts';
import { sealOf } from './seal.ts';
import { type Sessions, type SignedContext, signedSessions } from './session.ts';
import { signedPages } from './signed-pages.ts';
import { STYLE, STYLE_PATH } from './style.ts';

/** Makes the pages by which a person signs in. */
export type Door = (parts: { sessions: Sessions; stage: string; clock: Pick<Clock, 'now'> }) => Hono;

type ConsoleParts = { desk: Desk; key: Uint8Array; door: Door; onError: (error: Error) => void };

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // With this policy a browser still sends the console's origin with a form, and `csrf` checks it. Other
  // sites never learn the URL of a page.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** The most bytes of a form. Every form of the console is shorter. */
const LONGEST_FORM = 16_384;
/**
 * A browser may keep the style sheet for ever. Its URL contains the digest of its content, so a changed style
 * sheet has another URL.
 */
const FOR_EVER = 'public, max-age=31536000, immutable';

export function consoleApp({ desk, key, door, onError }: ConsoleParts): Hono<SignedContext> {
  const { stage, clock, random, endedSessions } = desk;
  const sessions = signedSessions({ key, stage, clock, random, endedSessions });
  const frameOf = (context: Context<SignedContext>): Frame => {
    const session = context.get('session');
    const path = context.req.path.replace('/console', '');
    return { stage, path, ...(session && { session, seal: sealOf(key, session.id) }) };
  };
  const app = new Hono<SignedContext>({ strict: false }).basePath('/console');
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  });
  app.use(bodyLimit({ maxSize: LONGEST_FORM, onError: refuseLongBody }), csrf());
  app.get(STYLE_PATH.replace('/console', ''), (context) =>
    context.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': FOR_EVER }),
  );
  app.route('/', door({ sessions, stage, clock }));
  app.post('/sign-out', async (context) => {
    await sessions.end(context);
    return context.redirect('/console/sign-in', 303);
  });
  app.route('/', signedPages({ desk, sessions, frameOf }));
  app.notFound((context) => context.html(messagePage(...NOT_FOUND, frameOf(context)), 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException)
      return context.html(
        messagePage(...(REFUSED[error.status] ?? NOT_SHOWN), frameOf(context)),
        error.status,
      );
    // A refused command has an error whose message is meant for the reader.
    if (isRefusal(error))
      return context.html(
        messagePage('Not possible', error.message, frameOf(context)),
        errorStatus(error, context),
      );
    if (error instanceof SignInRefused)
      return context.html(
        messagePage('Not signed in', `The sign-in failed: ${error.message}.`, frameOf(context)),
        401,
      );
    onError(error);
    return context.html(messagePage(...NOT_SHOWN, frameOf(context)), 500);
  });
  return app;
}

/** The HTTP status of a refused command. A request that sends no form of an act answers 404. */
function errorStatus(error: Error, { req }: Context<SignedContext>) {
  return req.method === 'POST' && req.path.startsWith('/console/acts/') ? statusOfRefusal(error) : 404;
}

/** The title and the text of a page. They say nothing about the error, because only the log may have its details. */
type Message = [title: string, text: string];
const NOT_FOUND: Message = ['Not found', 'This stage has nothing at this address. Search for any id of it.'];
const NOT_SHOWN: Message = ['Not shown', 'The page could not be made. Try again in a minute.'];
const REFUSED: Readonly<Record<number, Message>> = {
  403: ['Refused', 'The form was not sent from this console.'],
  413: ['Too long', 'The form is longer than any of this console.'],
};

function refuseLongBody(): never {
  throw new HTTPException(413);
}
