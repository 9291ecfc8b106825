/** A table whose columns are as wide as their widest cell, as the formatter wants them. The first row is the head. */
export function tableOf([head = [], ...rows]: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/**
 * A written document with its generated section anew. The section lies between `<!-- generated: name -->` and
 * `<!-- end of generated -->`. Throws where the document has no such section.
 */
export function withSection(document: string, name: string, lines: string[]): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = '<!-- end of generated -->';
  const [before, after] = document.split(begin);
  const behind = after?.slice(after.indexOf(end));
  if (!behind?.startsWith(end)) throw new Error(`the document has no generated section ${name}`);
  return [before, begin, '\n', ...lines.map((line) => `${line}\n`), '\n', behind].join('');
}
