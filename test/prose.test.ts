/** Readers are not native speakers: CONTRIBUTING, "Plain English". */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commentsOf, type Finding, hardToRead, proseOf, titlesOf } from './support/prose.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const ROOMS = ['functions', 'operations', 'infra', 'sandbox', 'client', 'docs', 'benchmarks', 'test'];
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'client/README.md', 'client/CHANGELOG.md'];

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

function findingsIn(paths: readonly string[], find: (text: string) => Finding[]): string {
  const findings = paths.flatMap((path) =>
    find(readFileSync(join(ROOT, path), 'utf8')).map(
      ({ line, rule, text }) => `${path}:${line} ${rule}: ${text}`,
    ),
  );
  return findings.join('\n');
}

describe('plain English', () => {
  it.each(ROOMS)('is the language of the comments in %s', (room) => {
    expect(findingsIn(filesBelow(room, '.ts'), (text) => hardToRead(commentsOf(text)))).toBe('');
  });

  it('is the language of the test titles', () => {
    const ofTitles = (text: string) => [
      ...hardToRead(titlesOf(text)),
      ...titlesOf(text)
        .filter((title) => /\bshould\b/.test(title.text))
        .map((title) => ({ ...title, rule: 'should' })),
    ];
    expect(findingsIn(filesBelow('test', '.test.ts'), ofTitles)).toBe('');
  });

  // The conformance document consists of quotations and titles.
  const written = filesBelow('docs', '.md').filter((path) => path !== 'docs/conformance.md');

  it.each([...DOCUMENTS, ...written])('is the language of %s', (document) => {
    expect(findingsIn([document], (text) => hardToRead(proseOf(text)))).toBe('');
  });
});
