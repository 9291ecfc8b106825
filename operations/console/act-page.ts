/**
 * Makes the page of one act: who ordered it, who else decided, why, before and after, each event, and the
 * forms that decide about it.
 */
import { html } from 'hono/html';
import { type Act, approvalOf, stateAt } from '../../functions/domain/acts/act.ts';
import { isSamePerson } from '../../functions/domain/acts/operator.ts';
import { isOpenAct, requireAct } from '../act-list.ts';
import type { Desk } from '../desk.ts';
import type { Cell } from '../shown.ts';
import { refuseOrder } from '../words.ts';
import { changeHtml, type RefusedForm, reasonField, willHtml } from './act-html.ts';
import { mayApprove, maySee } from './act-readers.ts';
import { subjectPath } from './act-subjects.ts';
import { givenOf } from './called.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { sealedForm } from './sealed-form.ts';
import { type Links, sheetHtml, tableHtml } from './shown-html.ts';

/**
 * The content of a form that decides about an act. `place` is the number of the last event that the person
 * has seen.
 */
export type DecidedPlace = { act: string; place: number };

/** Makes the page. If the form that ends the act was refused, `refused` says why. */
export async function actPage(
  id: string,
  desk: Desk,
  frame: SignedFrame,
  refused?: RefusedForm,
): Promise<Html> {
  const act = await requireSeenAct(id, desk, frame);
  const { first, events } = act;
  const rows = events.map(({ kind, at, who, ...more }): Cell[] => [
    kind,
    new Date(at),
    who.id,
    who.roles.join(', '),
    'reason' in more ? more.reason : 'error' in more ? more.error : undefined,
  ]);
  const content = html`<h1><small>Act</small> ${first.name}</h1>
<section>${sheetHtml({ sheet: actSheet(act, desk.clock.now()) }, { links: linksOf(act) })}</section>
${first.will ? html`<section><h2>The change</h2>${willHtml(first.will)}</section>` : ''}
${first.before || first.after ? changeHtml(first.before, first.after) : ''}
${await decisionHtml(act, { desk, frame, refused })}
<h2>Events</h2>${tableHtml({ head: ['state', 'at', 'who', 'role', 'why'], rows, empty: '' }, 'Events')}`;
  return consolePage({ title: `Act ${act.id}`, content, frame });
}

/**
 * Finds an act that the person may see. An act that the person may not see is answered like one that does not
 * exist.
 */
export async function requireSeenAct(id: string, desk: Desk, { session }: SignedFrame): Promise<Act> {
  const act = await requireAct(givenOf([id], {}), desk);
  return (await maySee(act, session, desk)) ? act : refuseOrder(`There is no act ${id}.`);
}

function actSheet(act: Act, now: number): Cell[][] {
  const { id, first } = act;
  const until = first.kind === 'PROPOSED' ? new Date(first.expiresAt) : undefined;
  return [
    ['act', id],
    ['subject', first.subject],
    ['state', stateAt(act, now)],
    ['proposed by', first.who.id],
    ['second', approvalOf(act)?.who.id],
    ['why', first.reason],
    ['until', until],
  ];
}

/** Links the subject to its page. */
function linksOf({ first: { name, subject } }: Act): Links {
  const path = subjectPath(name, subject);
  return { subject: () => path && `/console${path}` };
}

type Deciding = { desk: Desk; frame: SignedFrame; refused?: RefusedForm };

async function decisionHtml(act: Act, { desk, frame, refused }: Deciding): Promise<Html | ''> {
  if (act.first.kind !== 'PROPOSED' || !isOpenAct(act, desk.clock.now())) return '';
  const { session } = frame;
  const isAuthor = isSamePerson(act.first.who, session.person);
  const isApproved = approvalOf(act) !== undefined;
  const may = await mayApprove(act, session, desk);
  const content: DecidedPlace = { act: act.id, place: act.last.place };
  const to = (word: string) => `/acts/${act.id}/${word}`;
  const approve = sealedForm(
    { to: to('approve'), content, button: isApproved ? 'End it' : 'Approve it' },
    frame,
  );
  const end = {
    to: to('withdraw'),
    content,
    fields: reasonField(refused),
    kind: 'second' as const,
    button: isAuthor ? 'Withdraw it' : 'Refuse it',
  };
  return html`<section class="acts" aria-labelledby="decide"><h2 id="decide">Your decision</h2>
${isAuthor && !isApproved ? html`<p>You have proposed this act, so another person approves it.</p>` : ''}
${may || (isAuthor && isApproved) ? approve : ''}
${!isApproved && (may || isAuthor) ? sealedForm(end, frame) : ''}</section>`;
}
