/** Finds the prose of a file and what is hard to read in it. The rules are those of CONTRIBUTING, "Plain English". */

export type Passage = { line: number; text: string };
export type Finding = { line: number; rule: string; text: string };

const MOST_WORDS = 25;
/** Openings that delay the subject of a sentence. */
const OPENINGS = /^(What|Who|Whom|Whose|Whoever|Whatever|Of|So|Nobody|Whichever)\b(?! (about|if)\b)/;

/** The comments of a TypeScript source: a block is one passage, and so are neighbouring `//` lines. */
export function commentsOf(source: string): Passage[] {
  const passages: Passage[] = [];
  let previous = -2;
  for (const [index, line] of source.split('\n').entries()) {
    const comment = commentIn(line);
    // A mark quotes the specification: docs/clauses.ts.
    if (comment === undefined || /^Spec, /.test(comment.text)) continue;
    const last = passages.at(-1);
    if (last && previous === index - 1 && !comment.begins) last.text += `\n${comment.text}`;
    else passages.push({ line: index + 1, text: comment.text });
    previous = comment.ends ? -2 : index;
  }
  return passages.flatMap(paragraphsOf);
}

function commentIn(line: string): { text: string; begins: boolean; ends: boolean } | undefined {
  if (line.trim() === '*/') return { text: '', begins: false, ends: true };
  const block = /^\s*(\/\*\*?|\*(?!\w))\s?(.*?)\s*(\*\/)?$/.exec(line);
  if (block) {
    return {
      text: block[2] ?? '',
      begins: block[1] !== '*',
      ends: block[3] !== undefined,
    };
  }
  const whole = /^\s*\/\/ (.*)$/.exec(line);
  if (whole) return { text: whole[1] ?? '', begins: false, ends: false };
  const behindCode = /[;,{)\]] \/\/ (.*)$/.exec(line);
  return behindCode ? { text: behindCode[1] ?? '', begins: true, ends: true } : undefined;
}

/** The running text of a document: paragraphs, list items and cells of tables. Headings and code are left out. */
export function proseOf(markdown: string): Passage[] {
  let isCode = false;
  const passages: Passage[] = [];
  let isOpen = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const at = index + 1;
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const isText = !isCode && !/^\s*(```|~~~|#|<|\||$)/.test(line);
    if (!isCode && /^\s*\|/.test(line)) {
      passages.push(...line.split(/(?<!\\)\|/).map((cell) => ({ line: at, text: cell.trim() })));
    }
    if (isText && (!isOpen || /^\s*([-*]|\d+\.) /.test(line))) {
      passages.push({ line: at, text: line.replace(/^\s*([-*>]|\d+\.) /, '') });
    } else if (isText) {
      const last = passages.at(-1);
      if (last) last.text += `\n${line.trim()}`;
    }
    isOpen = isText;
  }
  return passages;
}

/** The titles of tests and of their groups, as the runner prints them. The title of a table follows its `)(`. */
export function titlesOf(source: string): Passage[] {
  const titles = source.matchAll(/(?:^\s*(?:describe|it|test)(?:\.\w+)*|\))\(\s*(['"`])(.*?)\1,/gm);
  return [...titles].map(({ 0: call, 2: text = '', index }) => ({
    line: source.slice(0, index + call.length).split('\n').length,
    text,
  }));
}

/** Each breach of a rule in the passages, with the sentence that it is in. */
export function hardToRead(passages: readonly Passage[]): Finding[] {
  return passages.flatMap(({ line, text }) =>
    sentencesOf(text).flatMap((sentence) => {
      const words = wordsOf(sentence).length;
      return [
        ...(words > MOST_WORDS ? [{ line, rule: `${words} words`, text: sentence }] : []),
        ...(OPENINGS.test(sentence) && words > 1 ? [{ line, rule: 'opening', text: sentence }] : []),
      ];
    }),
  );
}

/** A comment's blank lines and list items part it as those of a document do. */
function paragraphsOf({ line, text }: Passage): Passage[] {
  const parts: Passage[] = [];
  let isOpen = false;
  for (const [index, row] of text.split('\n').entries()) {
    const isItem = /^\s*([-*]|\d+\.|@\w+) /.test(row);
    const last = parts.at(-1);
    if (isOpen && !isItem && row.trim() !== '' && last) last.text += ` ${row.trim()}`;
    else if (row.trim() !== '')
      parts.push({ line: line + index, text: row.trim().replace(/^([-*]|\d+\.) /, '') });
    isOpen = row.trim() !== '';
  }
  return parts;
}

function sentencesOf(text: string): string[] {
  return plain(text)
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(]?[A-Z0-9`…])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Code, links and quoted words of others count as one word. */
function plain(text: string): string {
  return text
    .replace(/\n/g, ' ')
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__/g, '')
    .replace(/\b(e\.g|i\.e|No|Art|cf|vs|art|approx)\. /g, '$1 ');
}

function wordsOf(sentence: string): string[] {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
