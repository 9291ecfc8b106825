/**
 * Makes HTML from the Markdown of the pages. It knows headings, paragraphs, lists of up to two levels, tables and
 * fenced code. Inside a line it knows code, bold text and links. Anything else is shown as it is written.
 */
import { getAt } from '../../functions/domain/get.ts';
import { anchorOf } from '../markdown.ts';
import { type Block, blocksOf, ITEM } from './markdown-blocks.ts';

/** Returns the URL on the site for the target of a link in the Markdown. */
type LinkTo = (target: string) => string;
export type Heading = { level: number; text: string; id: string };

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function headingsOf(markdown: string): Heading[] {
  return blocksOf(markdown).flatMap(({ kind, lines }) => (kind === 'heading' ? [headingOf(lines)] : []));
}

export function htmlOf(markdown: string, linkTo: LinkTo): string {
  const blocks = blocksOf(markdown);
  const html = blocks.map((block, index) => {
    const pair = [block, blocks[index + 1]] as const;
    if (isPair(pair)) return `<div class="pair">${pair.map((each) => codeHtml(each, 'curl')).join('')}</div>`;
    return isPair([blocks[index - 1], block]) ? '' : blockHtml(block, linkTo);
  });
  return html.join('\n');
}

const isCodeIn = (block: Block | undefined, language: string) => block?.lines[0] === `\`\`\`${language}`;

/** True for a shell block that a TypeScript block follows. The page shows the two side by side. */
const isPair = (two: readonly [Block | undefined, Block | undefined]): two is [Block, Block] =>
  isCodeIn(two[0], 'sh') && isCodeIn(two[1], 'ts');

function blockHtml({ kind, lines }: Block, linkTo: LinkTo): string {
  if (kind === 'code') return codeHtml({ kind, lines });
  if (kind === 'heading') return headingHtml(headingOf(lines), linkTo);
  if (kind === 'table') return tableHtml(lines, linkTo);
  if (kind === 'list') return listHtml(lines, linkTo);
  return `<p>${inline(lines.join(' '), linkTo)}</p>`;
}

function headingOf([line = '']: readonly string[]): Heading {
  const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(line) ?? [];
  return { level: marks.length, text, id: anchorOf(text) };
}

function headingHtml({ level, text, id }: Heading, linkTo: LinkTo): string {
  if (level === 1) return `<h1>${inline(text, linkTo)}</h1>`;
  return `<h${level} id="${id}"><a href="#${id}">${inline(text, linkTo)}</a></h${level}>`;
}

const LANGUAGES: Partial<Record<string, string>> = { ts: 'TypeScript', json: 'JSON' };

/**
 * A long line of code scrolls sideways. The block can have the keyboard's focus, so that a reader can scroll
 * it with the keyboard.
 */
function codeHtml({ lines }: Block, shell = 'Shell'): string {
  const language = getAt(lines, 0).slice(3);
  const label = LANGUAGES[language] ?? (language === 'sh' ? shell : language);
  const code = lines.slice(1, -1).map(codeLine).join('\n');
  return (
    `<figure class="code"><figcaption>${label}</figcaption>` +
    `<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></figure>`
  );
}

/** Comments are quieter than code. */
const codeLine = (line: string) =>
  escaped(line).replace(/^(\s*)((?:#|\/\/|\/\*\*) .*)$/, '$1<span class="comment">$2</span>');

function listHtml(lines: readonly string[], linkTo: LinkTo): string {
  const tag = /^\d/.test(getAt(lines, 0)) ? 'ol' : 'ul';
  const items = lines.join('\n').split(/\n(?=(?:[-*]|\d+\.) )/);
  return `<${tag}>${items.map((item) => `<li>${itemHtml(item, linkTo)}</li>`).join('')}</${tag}>`;
}

/** An item of a list may contain another list, which is indented by two spaces. */
function itemHtml(item: string, linkTo: LinkTo): string {
  const [text = '', ...inner] = item.replace(ITEM, '').split(/\n {2}(?=- )/);
  const list = inner.length > 0 ? listHtml(inner.map(unwrapped), linkTo) : '';
  return inline(unwrapped(text), linkTo) + list;
}

const unwrapped = (text: string) => text.replace(/\s*\n\s*/g, ' ');

function tableHtml([head = '', , ...rows]: readonly string[], linkTo: LinkTo): string {
  const html = (row: string) => cellsOf(row).map((cell) => inline(cell, linkTo));
  const heads = html(head).map((cell) => `<th scope="col">${cell}</th>`);
  const lines = rows.map((row) => html(row).map((cell) => `<td>${cell}</td>`));
  const body = lines.map((cells) => `<tr>${cells.join('')}</tr>`);
  const table = `<table><thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
  return `<div class="table" tabindex="0" role="region" aria-label="Table">${table}</div>`;
}

/** Splits a row of a table into its cells. Inside a cell, `|` is written as `\|`. */
const cellsOf = (row: string) =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const CODE = /`([^`]+)`/g;

/** Takes inline code out of the text first, because signs such as `**` mean nothing inside code. */
function inline(text: string, linkTo: LinkTo): string {
  const codes = [...text.matchAll(CODE)].map(([, code = '']) => `<code>${escaped(code)}</code>`);
  const marked = escaped(text.replace(CODE, '\u0000'))
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label, target) => `<a href="${linkTo(target)}">${label}</a>`);
  return marked.replaceAll('\u0000', () => codes.shift() ?? '');
}
