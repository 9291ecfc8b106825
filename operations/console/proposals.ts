/** Shows, on the page about something, the acts about it that wait for a second person. */
import { html } from 'hono/html';
import { type Act, approvalOf } from '../../functions/domain/acts/act.ts';
import { listOpenActs, listOpenActsAbout } from '../act-list.ts';
import type { Desk } from '../desk.ts';
import { mayApprove, maySee, passing } from './act-readers.ts';
import { subjectPath } from './act-subjects.ts';
import type { Html, SignedFrame } from './layout.ts';
import { codeHtml } from './shown-html.ts';
import { timeHtml } from './times.ts';

type AboutSubject = { subject: string; path: string };

/** Shows the open acts about `subject`, as far as the person may see them. */
export async function proposalsAbout(
  { subject, path }: AboutSubject,
  desk: Desk,
  frame: SignedFrame,
): Promise<Html | ''> {
  const open = await listOpenActsAbout(subject, desk);
  const about = open.filter(({ first }) => subjectPath(first.name, first.subject) === path);
  const seen = await passing(about, (act) => maySee(act, frame.session, desk));
  return proposalsHtml(seen, desk, frame);
}

/** All open acts that the person may see. */
export const openActsFor = async (desk: Desk, { session }: SignedFrame): Promise<Act[]> =>
  passing(await listOpenActs(desk), (act) => maySee(act, session, desk));

/** The open acts, each with a link to its page. Empty if there are none. */
export async function proposalsHtml(
  acts: readonly Act[],
  desk: Desk,
  frame: SignedFrame,
): Promise<Html | ''> {
  if (acts.length === 0) return '';
  const items = await Promise.all(acts.map((act) => proposalHtml(act, desk, frame)));
  return html`<section class="waits" aria-labelledby="waits"><h2 id="waits">Waits for a second person</h2>
<ul>${items}</ul></section>`;
}

async function proposalHtml(act: Act, desk: Desk, { session }: SignedFrame): Promise<Html> {
  const { id, first } = act;
  const [will] = first.will ?? [];
  const approval = approvalOf(act);
  const until = first.kind === 'PROPOSED' ? html` until ${timeHtml(first.expiresAt)}` : '';
  const waits = approval
    ? html`<bdi>${approval.who.id}</bdi> has approved it, and it has not ended`
    : html`waits for a second person${until}`;
  const isForReader = !approval && (await mayApprove(act, session, desk));
  return html`<li>Proposed by <bdi>${first.who.id}</bdi> at ${timeHtml(first.at)}:
<strong>${first.name}</strong>${will ? html` (${codeHtml(will)})` : ''}, ${waits}.
<a href="/console/acts/${id}">${isForReader ? 'Look at it, and decide' : 'Look at it'}</a></li>
`;
}

/** For each subject, a note that its open acts wait, with links to them. */
export function proposalMarks(acts: readonly Act[]): ReadonlyMap<string, Html> {
  const bySubject = Map.groupBy(acts, ({ first }) => first.subject);
  return new Map([...bySubject].map(([subject, found]) => [subject, html`${found.map(markHtml)}`]));
}

const markHtml = ({ id, first: { name, who } }: Act) =>
  html`<a class="mark" href="/console/acts/${id}">${name} by <bdi>${who.id}</bdi> waits</a>`;
