import { getAt } from '../functions/domain/get.ts';

/**
 * Makes the lines of a Markdown table. Each column is as wide as its widest cell, because the formatter
 * requires it. The first row is the head.
 */
export function tableOf([head = [], ...rows]: string[][]): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => getAt(row, column).length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(getAt(widths, column))).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/**
 * Returns the document with `lines` as the content of its generated section. This section lies between `<!--
 * generated: name -->` and `<!-- end of generated -->`. Throws if the document has no section of this name.
 */
export function withSection(document: string, name: string, lines: string[]): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = '<!-- end of generated -->';
  const [before, after] = document.split(begin);
  const behind = after?.slice(after.indexOf(end));
  if (!behind?.startsWith(end)) throw new Error(`the document has no generated section ${name}`);
  return [before, begin, '\n', ...lines.map((line) => `${line}\n`), '\n', behind].join('');
}

/**
 * Breaks a line of Markdown into lines of at most 120 columns. The further lines of a list item are indented
 * as far as the item's text. Rows of a table, links and inline code are not broken.
 */
export function wrapped(line: string): string[] {
  if (line.startsWith('|')) return [line];
  const [bullet = ''] = /^ *(?:- |\d+\. )?/.exec(line) ?? [];
  const lines = [bullet.trimEnd()];
  for (const word of line.slice(bullet.length).match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`])+/g) ?? []) {
    const longer = `${lines.at(-1) || ''} ${word}`;
    if (longer.length > 120) lines.push(' '.repeat(bullet.length) + word);
    else lines[lines.length - 1] = bullet === '' ? longer.trimStart() : longer;
  }
  return lines;
}

/** The words with a capital letter at their beginning, as a sentence begins. */
export const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
