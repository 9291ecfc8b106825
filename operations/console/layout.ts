/** The frame of every page. No page has a script, and a page loads only one small style sheet. */
import { html } from 'hono/html';
import type { Seal } from './seal.ts';
import { readersOf, SECTIONS, sectionOf } from './sections.ts';
import type { Session } from './session.ts';
import { STYLE_PATH } from './style.ts';
import { timedHtml, ZONE_WORDS } from './times.ts';

export type Html = ReturnType<typeof html>;

/** `path` is the path of the page below `/console`. */
export type Frame = { stage: string; path: string; session?: Session };
/** A frame with a session. `seal` makes the seals of the session's forms. */
export type SignedFrame = Frame & { session: Session; seal: Seal };
type Page = { title: string; content: Html; frame: Frame; searched?: string };

export function consolePage({ title, content, frame, searched = '' }: Page): Html {
  const { stage, session, path } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${stage} console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="/console">Console <span class="stage">${stage}</span></a>
${session ? signedParts(session, { path, searched }) : ''}
</header>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}

const signedParts = (session: Session, { path, searched }: { path: string; searched: string }) => [
  ZONE,
  searchForm(searched),
  personForm(session),
  navigation(session, path),
  menu(session, path),
];

const ZONE = html`<p class="zone">${ZONE_WORDS}</p>`;

const searchForm = (
  searched: string,
) => html`<form class="search" method="post" action="/console/search" role="search">
<label for="q">Search</label>
<input id="q" name="q" type="search" value="${searched}" maxlength="200" required autocomplete="off"
spellcheck="false" placeholder="Any id, hash, wallet, CPF or partner">
<button>Search</button>
</form>`;

function navigation({ role }: Session, path: string): Html {
  const shown = SECTIONS.filter((section) => section.label && readersOf(section).includes(role));
  const items = shown.map((section) => {
    const current = section === sectionOf(path) ? CURRENT : '';
    return html`<li><a href="/console${section.path}" ${current}>${section.label}</a></li>`;
  });
  return html`<nav aria-label="Pages"><ul>${items}</ul></nav>`;
}

/**
 * The menu of a phone with the navigation and the sign-out, which opens without a script. On a wider screen the style
 * sheet hides this menu, and shows both in the header.
 */
const menu = (session: Session, path: string) => html`<details class="menu"><summary>Menu</summary>
<div>${navigation(session, path)}${personForm(session)}</div></details>`;

/** Marks the link to the page that is shown now. */
export const CURRENT = html`aria-current="page"`;

type Tabs = readonly (readonly [path: string, label: string])[];

/** Shows tabs: links to other pages about the same kind of work. */
export function tabsOf(tabs: Tabs, path: string): Html {
  const items = tabs.map(
    ([to, label]) => html`<li><a href="/console${to}" ${to === path ? CURRENT : ''}>${label}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="Views"><ul>${items}</ul></nav>`;
}

const personForm = ({
  person,
  role,
}: Session) => html`<form class="person" method="post" action="/console/sign-out">
<span><bdi>${person.id}</bdi> · ${role}</span> <button class="quiet">Sign out</button>
</form>`;

/** Makes a page with only a title and a text. Without a session it leads to the sign-in. */
export function messagePage(title: string, text: string, frame: Frame): Html {
  const next = frame.session ? '' : TO_SIGN_IN;
  return consolePage({ title, content: html`<h1>${title}</h1><p>${timedHtml(text)}</p>${next}`, frame });
}

const TO_SIGN_IN = html`<p><a class="button" href="/console/sign-in">To the sign-in</a></p>`;
