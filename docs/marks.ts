/**
 * The marks beside the tests. A mark is a comment directly above an `it`, `test` or `describe`. It says what
 * that test proves: a clause of the specification (docs/clauses.ts), an entry of docs/decisions.md, or the bound of a
 * threat in docs/security.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `title` is undefined where no test follows the mark. */
export type Mark = { text: string; file: string; title: string | undefined };

const DECISIONS = 'docs/decisions.md';
export const markOfClause = (heading: string, clause: string): string => `Spec, ${heading}: "${clause}"`;
export const markOfDecision = (title: string): string => `${DECISIONS}, "${title}"`;
export const markOfThreat = (threat: string): string => `Threat: "${threat}"`;

const ROOT = new URL('..', import.meta.url).pathname;
const MARK = /^ *\/\/ (Spec, .+: ".+"|docs\/decisions\.md, ".+"|Threat: ".+")\n/gm;

/**
 * The texts of the files below the folder whose names end with `ending`, by their paths, in the order of the
 * paths.
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
 * The title of the test with which the text begins. Undefined if it begins with no test. The title of an
 * `each` follows its table.
 */
function titleOf(text: string): string | undefined {
  const [call] = /^ *(?:it|test|describe)\b[.\w]*/.exec(text) ?? [];
  if (call === undefined) return undefined;
  const title = /\.(?:each|skipIf)$/.test(call)
    ? /\)\(\s*(['"`])(.*?)(?<!\\)\1/s.exec(text)
    : /\(\s*(['"`])(.*?)(?<!\\)\1/s.exec(text);
  return title?.[2]?.replaceAll(/\\(.)/g, '$1');
}
