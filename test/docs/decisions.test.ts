import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const entries = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8')
  .split(/^(?=##)/m)
  .filter((text) => text.startsWith('### '))
  .map((text) => ({ title: text.slice(4, text.indexOf('\n')), text: text.trim() }));

describe('a decision', () => {
  it('has its own title', () => {
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
});
