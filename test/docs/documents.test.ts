/** The documents that people write: their links, the files that they name, and their length. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const FOLDERS = ['functions', 'infra', 'operations', 'client', 'sandbox', 'statemachines', 'test', 'docs'];
const LAST_LINE_OF_README = 200;

const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'client/README.md', 'client/CHANGELOG.md'],
  ...['sandbox/providers/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter((path) => path.endsWith('.ts') && readFileSync(join(ROOT, path), 'utf8').includes('docs/'));

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const headingsOf = (path: string) => [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (path: string) =>
  headingsOf(path).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

/** True if the link's file exists and has its heading. An anchor is a heading or an `<a id>`. */
function leadsSomewhere(link: string, from: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(ROOT, path))) return false;
  return !anchor || read(path).includes(`<a id="${anchor}">`) || anchorsOf(path).includes(anchor);
}

describe('a document', () => {
  it.each(DOCUMENTS)('%s names files that exist', (path) => {
    const named = [...read(path).matchAll(/`((?:\w+)\/[\w./-]*\w\/?)`/g)].map(([, name]) => name!);
    const ours = named.filter((name) => FOLDERS.includes(name.split('/')[0]!));

    expect(ours.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s links to files and headings that exist', (path) => {
    const links = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const internal = links.filter((link) => !/^https?:/.test(link));

    expect(internal.filter((link) => !leadsSomewhere(link, path))).toEqual([]);
  });

  it.each([...DOCUMENTS, ...SOURCES])('%s names sections of documents that exist', (path) => {
    const text = read(path).replaceAll(/\s+(\*\s+|\/\/\s+)?/g, ' ');
    const mentions = [...text.matchAll(/(docs\/[\w-]+\.md)[`)]*, "([^"]+)"/g)];
    const missing = mentions.filter(([, file = '', heading = '']) => !headingsOf(file).includes(heading));

    expect(missing.map(([mention]) => mention)).toEqual([]);
  });
});

describe('a list', () => {
  it.each(DOCUMENTS)('in %s has each item on a line of its own', (path) => {
    const swallowed = read(path).match(/^(?!\s*\|).*(?:\S -$|[.:] - \*\*).*$/gm);

    expect(swallowed).toBeNull();
  });
});

describe('the README', () => {
  it(`ends before line ${LAST_LINE_OF_README}`, () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(LAST_LINE_OF_README);
  });

  it('has two pictures', () => {
    const kinds = [...read('README.md').matchAll(/```mermaid\n(\w+)/g)].map(([, kind]) => kind);

    expect(kinds).toEqual(['flowchart', 'stateDiagram']);
  });
});
