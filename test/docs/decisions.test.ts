import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const FOLDERS = ['functions', 'infra', 'operations', 'client', 'sandbox', 'statemachines', 'test', 'docs'];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const entries = read('docs/decisions.md')
  .split(/^(?=##)/m)
  .filter((text) => text.startsWith('### '))
  .map((text) => ({ title: text.slice(4, text.indexOf('\n')), text: text.trim() }));

describe('a decision', () => {
  it('has a title of its own', () => {
    const titles = entries.map(({ title }) => title);

    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(entries)('$title: has context, decision and consequence, and names its files', ({ text }) => {
    expect([...text.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, label]) => label)).toEqual([
      'Context:',
      'Decision:',
      'Consequence:',
    ]);
    expect(text.slice(text.lastIndexOf('\n- '))).toMatch(/^\n- .*`[\w-]+[/.][\w./-]+`/);
  });

  it.each(entries)('$title: has at most 120 words', ({ text }) => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(120);
  });

  it('is named by the code under a title that exists', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    );
    const named = files
      .filter((path) => path.endsWith('.ts') && !path.startsWith('test/docs/'))
      .flatMap((path) =>
        [...read(path).matchAll(/docs\/decisions\.md,[\s*]+"([^"]+)"/g)].map(([, title]) => title!),
      );

    expect(named.length).toBeGreaterThan(0);
    // A comment may break its line within a title.
    const titles = entries.map(({ title }) => title);
    expect(
      named.map((title) => title.replaceAll(/\s+\*?\s*/g, ' ')).filter((title) => !titles.includes(title)),
    ).toEqual([]);
  });
});

describe('a document', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ];

  it.each(documents.filter((path) => path.endsWith('.md')))('%s names files that exist', (path) => {
    const named = [...read(path).matchAll(/`((?:\w+)\/[\w./-]*\w\/?)`/g)].map(([, name]) => name!);
    const ours = named.filter((name) => FOLDERS.includes(name.split('/')[0]!));

    expect(ours.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });
});
