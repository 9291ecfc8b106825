/**
 * The marks beside the tests. A mark is a comment directly above an `it`, `test` or `describe`. It says what
 * that test proves: a clause of the specification (docs/clauses.ts), an entry of docs/decisions.md, or the bound of a
 * threat in docs/security.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A mark beside a test. `file` and `title` are those of the test. `title` is undefined if no test follows the
 * mark.
 */
export type Mark = { text: string; file: string; title: string | undefined };

const DECISIONS = 'docs/decisions.md';
export const markOfClause = (heading: string, clause: string): string => `Spec, ${heading}: "${clause}"`;
export const markOfDecision = (title: string): string => `${DECISIONS}, "${title}"`;
export const markOfThreat = (threat: string): string => `Threat: "${threat}"`;

const ROOT = new URL('..', import.meta.url).pathname;
const MARK = /^ *\/\/ (Spec, .+: ".+"|docs\/decisions\.md, ".+"|Threat: ".+")\n/gm;

/**
 * Reads the files below the folder whose names end with `ending`. Returns the text of each file by its path,
 * sorted by the paths.
 */
export function textsBelow(folder: string, ending: string): Map<string, string> {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

export function marksIn([file, text]: [string, string]): Mark[] {
  return [...text.matchAll(MARK)].map(({ 0: line, 1: mark = '', index }) => {
    const behind = text.slice(index + line.length).replace(/^(?: *\/\/.*\n)+/, '');
    return { text: mark, file, title: titleOf(behind) };
  });
}

/**
 * Returns the title of the test with which the text begins. Undefined if the text does not begin with a test.
 * In an `it.each`, the title stands after the table of cases.
 */
function titleOf(text: string): string | undefined {
  const [call] = /^ *(?:it|test|describe)\b[.\w]*/.exec(text) ?? [];
  if (call === undefined) return undefined;
  const title = /\.(?:each|skipIf)$/.test(call)
    ? /\)\(\s*(['"`])(.*?)(?<!\\)\1/s.exec(text)
    : /\(\s*(['"`])(.*?)(?<!\\)\1/s.exec(text);
  return title?.[2]?.replaceAll(/\\(.)/g, '$1');
}
