/** Links the commands that a remedy names to the pages on which a person can do the same. */
import { html } from 'hono/html';
import type { Html } from './layout.ts';
import type { Role } from './roles.ts';
import { readersOf, sectionOf } from './sections.ts';
import { timedHtml } from './times.ts';

/** `id` is what follows the command in the text, such as a case. */
type PathOf = (id: string | undefined, about: AboutPage) => string | undefined;
/** The role of the reader, and the ids of the purchase or case that the text is about. */
type AboutPage = { role: Role; partnerId?: string; transactionId?: string };

const caseAt: PathOf = (id) => (id ? `/cases/case?id=${encodeURIComponent(id)}` : '/cases');
const reviewAt: PathOf = (id) => (id ? `/reviews/${encodeURIComponent(id)}` : '/reviews');
const pathOfPartner: PathOf = (_, { partnerId }) => (partnerId ? `/partners/${partnerId}` : '/partners');
const purchaseAt: PathOf = (_, { transactionId }) =>
  transactionId ? `/purchases/${transactionId}` : undefined;
const treasury: PathOf = () => '/treasury';

/** The page of each command that remedies name. `test/functions/console-remedies.test.ts` compares them. */
export const PLACES: Readonly<Record<string, PathOf>> = {
  'reviews list': reviewAt,
  'reviews show': reviewAt,
  'cases show': caseAt,
  'clients blocked': () => '/blocks',
  'clients unblock': caseAt,
  'fraud list': () => '/blocks',
  'partners show': pathOfPartner,
  'partners reinstate': pathOfPartner,
  'deliveries redeliver': () => '/deliveries',
  'tx show': purchaseAt,
  'treasury cancel': purchaseAt,
  'treasury show': treasury,
  'treasury wallets': treasury,
  'treasury hold': treasury,
  'treasury release': treasury,
  'treasury allow': treasury,
};

/** A command, with the id that may follow it. */
const CALL = new RegExp(
  `\\b(${Object.keys(PLACES).join('|')})\\b(?: (?:--event )?([\\w#.:-]*[\\d#][\\w#.:-]*\\w))?`,
);

/** The text, in which each such command leads to its page, if the reader may see that page. */
export function remedyHtml(text: string, about: AboutPage): Html {
  const shown = (part: string, at: number) => (at % 2 === 1 ? linkedCodeHtml : linkedHtml)(part, about);
  return html`${text.split('`').map(shown)}`;
}

/** Texts name a command between backticks, with its options. */
function linkedCodeHtml(text: string, about: AboutPage): Html {
  const code = html`<code>${text}</code>`;
  const path = remedyPath(CALL.exec(text), about);
  return path ? html`<a href="/console${path}">${code}</a>` : code;
}

function linkedHtml(text: string, about: AboutPage): Html {
  const found = CALL.exec(text);
  if (!found) return timedHtml(text);
  const [call] = found;
  const path = remedyPath(found, about);
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + call.length)];
  const link = path ? html`<a href="/console${path}">${call}</a>` : call;
  return html`${timedHtml(before)}${link}${linkedHtml(after, about)}`;
}

function remedyPath(found: RegExpExecArray | null, about: AboutPage): string | undefined {
  const path = PLACES[found?.[1] ?? '']?.(found?.[2], about);
  return path && mayRead(path, about) ? path : undefined;
}

function mayRead(path: string, { role }: AboutPage): boolean {
  const section = sectionOf(path.split('?')[0] ?? '');
  return section !== undefined && readersOf(section).includes(role);
}
