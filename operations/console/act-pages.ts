/**
 * The pages of acts, and the forms that prepare, make, approve and end an act. A seal ties each form to the
 * person's session: `sealed-form.ts`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { newActId } from '../acting.ts';
import type { Flags, Prepared } from '../command.ts';
import type { Desk } from '../desk.ts';
import { faultOfReason, isDisclosure, isShown, outcomeOf, prepare } from '../preparing.ts';
import type { Shown } from '../shown.ts';
import { misused, refuseOrder } from '../words.ts';
import { changeHtml, type RefusedForm, refusedFormHtml, type Wish, willHtml } from './act-html.ts';
import { pastPage, waitingPage } from './act-list-page.ts';
import { actPage, type DecidedPlace, requireSeenAct } from './act-page.ts';
import { givenOf, operatorOf, requireCommandNamed } from './called.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { isRefusal, statusOfRefusal } from './refusals.ts';
import { openForm, sealedForm } from './sealed-form.ts';
import type { SignedContext } from './session.ts';
import { shownHtml } from './shown-html.ts';
import { timedHtml } from './times.ts';

type ActPageParts = { desk: Desk; signed: (context: Context<SignedContext>) => SignedFrame };

export function actPages({ desk, signed }: ActPageParts): Hono<SignedContext> {
  const pages = new Hono<SignedContext>();
  pages.get('/', async (context) => context.html(await waitingPage(desk, signed(context))));
  pages.get('/past', async (context) =>
    context.html(await pastPage(context.req.query(), desk, signed(context))),
  );
  pages.get('/:id', async (context) =>
    context.html(await actPage(context.req.param('id'), desk, signed(context))),
  );
  pages.post('/new', async (context) => {
    const frame = signed(context);
    const { content, typed } = await openForm<Wish>(context, frame);
    const page = previewCall(callOfWish(content, typed, desk), desk, frame);
    return answered(context, page, (error) =>
      againPage(content, { ...wishFault(error, content, typed), typed }, frame),
    );
  });
  pages.post('/make', async (context) => {
    const frame = signed(context);
    const { content } = await openForm<PreviewedCall>(context, frame);
    const printed = await make(content, desk, frame);
    const made = await desk.acts.findAct(content.act);
    if (made?.first.kind === 'PROPOSED') return context.redirect(`/console/acts/${content.act}`, 303);
    return context.html(donePage({ act: content.act, printed }, frame));
  });
  for (const decision of ['approve', 'withdraw'] as const)
    pages.post(`/:id/${decision}`, async (context) => {
      const frame = signed(context);
      const { content, typed } = await openForm<DecidedPlace>(context, frame);
      const { act } = content;
      const page = decideAct({ ...content, decision, reason: typed.reason }, desk, frame).then((printed) =>
        donePage({ act, printed }, frame),
      );
      return answered(context, page, (error) =>
        error.name === 'Misused'
          ? actPage(act, desk, frame, { typed, fault: error.message, at: 'reason' })
          : notPossiblePage(error, act, frame),
      );
    });
  return pages;
}

/**
 * Answers with `page`. If a command refuses while that page is made, answers with the page `instead`, and with status
 * 400 or 409.
 */
async function answered(
  context: Context,
  page: Promise<Html>,
  instead: (error: Error) => Html | Promise<Html>,
): Promise<Response> {
  try {
    return context.html(await page);
  } catch (error) {
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    return context.html(await instead(error), statusOfRefusal(error));
  }
}

/** The fault of a refused form, and the field that is at fault, if it can only be one. */
function wishFault(
  { name, message: fault }: Error,
  { names, shown }: Wish,
  { reason = '' }: Readonly<Record<string, string>>,
) {
  if (typedReasonFault(reason)) return { fault, at: 'reason' };
  const isOfField = name === 'Misused' && names.length === 1 && !shown[0]?.choices;
  return isOfField ? { fault, at: '0' } : { fault };
}

const typedReasonFault = (reason: string) => (reason === '' ? 'Say why.' : faultOfReason(reason));

function againPage(wish: Wish, refused: RefusedForm, frame: SignedFrame): Html {
  const content = html`<h1>${wish.label}</h1>
<p class="lead">Nothing is changed. The form was not accepted.</p>
${refusedFormHtml(wish, refused, frame)}`;
  return consolePage({ title: `Not accepted: ${wish.label}`, content, frame });
}

/** Says why the act could not be decided, and leads to its present state. */
function notPossiblePage({ message }: Error, act: string, frame: SignedFrame): Html {
  const content = html`<h1>Not possible</h1><p>${timedHtml(message)}</p>
<p><a href="/console/acts/${act}">The act ${act}</a></p>`;
  return consolePage({ title: 'Not possible', content, frame });
}

/**
 * The call of a command, and the id of the act that it will begin. If the same form is sent twice, only one
 * act begins.
 */
type TypedCall = {
  label: string;
  command: string;
  words: string[];
  flags: Flags;
  reason: string;
  act: string;
};
/** A call whose change the person has seen. */
type PreviewedCall = TypedCall & { change: unknown };

function callOfWish(
  { label, command, words = [], flags, names }: Wish,
  typed: Readonly<Record<string, string>>,
  desk: Desk,
): TypedCall {
  const fields = names.map((name, at) => [name, typed[at] ?? ''] as const).filter(([, text]) => text !== '');
  const further = fields.filter(([name]) => name === 'word').map(([, text]) => text);
  const options = Object.fromEntries(fields.filter(([name]) => name !== 'word'));
  const reason = typed.reason ?? '';
  return {
    label,
    command,
    words: [...words, ...further],
    flags: { ...flags, ...options, reason },
    reason,
    act: newActId(desk),
  };
}

async function previewCall(call: TypedCall, desk: Desk, frame: SignedFrame): Promise<Html> {
  const fault = typedReasonFault(call.reason);
  if (fault) misused(fault);
  const prepared = await prepareFor(call, desk, frame);
  const content: PreviewedCall = { ...call, change: preparedChange(prepared) };
  const page = html`<h1>${call.label}</h1>
<p class="lead">Nothing is changed yet. <bdi>${frame.session.person.id}</bdi> will:</p>
<section>${willHtml(prepared.will)}</section>
${changeHtml(prepared.before, prepared.after)}
<section><p>Why: <bdi>${call.reason}</bdi></p>
${sealedForm({ to: '/acts/make', content, button: call.label }, frame)}</section>`;
  return consolePage({ title: call.label, content: page, frame });
}

async function prepareFor(
  { command: name, words, flags, reason, act }: TypedCall,
  desk: Desk,
  { session }: SignedFrame,
) {
  const command = await requireCommandNamed(name);
  const asking = { command, given: givenOf(words, flags), reason };
  const outcome = await outcomeOf(asking, desk);
  if (isShown(outcome) || isDisclosure(outcome)) return refuseOrder(`${name} changes nothing.`);
  return prepare(outcome, asking, { desk, operator: operatorOf(session), act });
}

/**
 * The change as JSON, to compare it with the change that the person has seen. The order of fields may differ
 * between two reads of a row.
 */
const preparedChange = ({ subject, before, after }: Prepared): unknown =>
  JSON.parse(JSON.stringify([subject, before, after]));

async function make(call: PreviewedCall, desk: Desk, frame: SignedFrame): Promise<Shown[]> {
  if (await desk.acts.findAct(call.act)) refuseOrder(`The act ${call.act} has begun already.`);
  const prepared = await prepareFor(call, desk, frame);
  if (!isDeepStrictEqual(preparedChange(prepared), call.change))
    refuseOrder('The state has changed meanwhile: look again.');
  return printedBy(prepared);
}

async function printedBy({ decide }: Prepared): Promise<Shown[]> {
  const printed: Shown[] = [];
  await decide((shown) => void printed.push(shown));
  return printed;
}

type Decision = DecidedPlace & { decision: 'approve' | 'withdraw'; reason?: string };

async function decideAct(
  { act, place, decision, reason }: Decision,
  desk: Desk,
  frame: SignedFrame,
): Promise<Shown[]> {
  const { last } = await requireSeenAct(act, desk, frame);
  if (last.place !== place) refuseOrder(`${act} is ${last.kind} by ${last.who.id} meanwhile: look again.`);
  const command = await requireCommandNamed(`acts ${decision}`);
  const asking = { command, given: givenOf([act], { reason }), reason };
  const outcome = await outcomeOf(asking, desk);
  if (isShown(outcome) || isDisclosure(outcome)) return refuseOrder(`${command.name} decides nothing.`);
  return printedBy(await prepare(outcome, asking, { desk, operator: operatorOf(frame.session) }));
}

type Done = { act: string; printed: readonly Shown[] };

/**
 * Shows the result of an act. No other page may show a secret, such as a new key. Browsers do not store this
 * page, and no URL leads to it.
 */
function donePage({ act, printed }: Done, frame: SignedFrame): Html {
  const content = html`<h1>Done</h1>
${printed.map((shown) => shownHtml(shown, 'The result'))}
<p><a href="/console/acts/${act}">The act ${act}</a></p>`;
  return consolePage({ title: 'Done', content, frame });
}
