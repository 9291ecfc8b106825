/**
 * The HTML around the content of each page: the navigation, which is the same on every page, and a list of
 * the page's sections.
 */
import { escaped, type Heading } from './markdown-html.ts';

export type Page = {
  /** The last part of the page's URL. Empty for the first page. */
  name: string;
  title: string;
  html: string;
  headings: readonly Heading[];
  /** Further elements of the head. */
  head?: string;
};

type Link = { name: string; label: string };

/** The pages in the order of the navigation. */
export const NAVIGATION: readonly Link[] = [
  { name: '', label: 'Guide' },
  { name: 'reference', label: 'Reference' },
  { name: 'quotes', label: 'Quotes' },
  { name: 'webhooks', label: 'Webhooks' },
  { name: 'errors', label: 'Errors' },
  { name: 'scenarios', label: 'Scenarios' },
  { name: 'changelog', label: 'Changelog' },
];

/**
 * Returns the link from a page to a file of the site. The link is relative. If the API has no domain of its
 * own, its URLs have the stage's name before the path.
 */
export function wayFrom(page: string, target: string): string {
  if (page === '') return target === '' ? '' : `docs/${target}`;
  return target === '' ? '../docs' : target;
}

export function pageHtml({ name, title, html, headings, head = '' }: Page): string {
  const way = (target: string) => wayFrom(name, target);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Stablecoin on-ramp</title>
<link rel="icon" href="${way('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${way('style.css')}">
${head}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${way('') || '#content'}">Stablecoin on-ramp</a>
<nav aria-label="Pages"><ul>${NAVIGATION.map((link) => linkHtml(link, name)).join('')}</ul></nav>
</header>
<div class="columns">
${sectionsHtml(headings)}<main id="content" tabindex="-1">
${html}
</main>
</div>
<footer><a href="${name === '' ? '' : '../'}openapi.json">openapi.json</a>
<a href="${name === '' ? '' : '../'}llms.txt">llms.txt</a>${sourceHtml(name)}</footer>
</body>
</html>
`;
}

function linkHtml({ name, label }: Link, page: string): string {
  const current = name === page ? ' aria-current="page"' : '';
  return `<li><a href="${wayFrom(page, name) || '#content'}"${current}>${label}</a></li>`;
}

/** On a phone the list of sections is collapsed, so that the page begins with its content. */
function sectionsHtml(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ text, id }) => `<li><a href="#${id}">${escaped(text.replaceAll('`', ''))}</a></li>`);
  if (items.length < 2) return '';
  const list = `<ul>${items.join('')}</ul>`;
  return (
    `<nav class="sections" aria-label="On this page"><p>On this page</p>${list}</nav>` +
    `<details class="sections"><summary>On this page</summary>${list}</details>\n`
  );
}

/** Makes a link to the Markdown text of the page, for programs. */
function sourceHtml(name: string): string {
  return `\n<a href="${wayFrom(name, `${name || 'start'}.md`)}">This page as Markdown</a>`;
}
