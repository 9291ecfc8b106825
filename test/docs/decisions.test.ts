import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const document = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8');
/** The records in the order of the document. */
const entries = document
  .split(/^### /m)
  .slice(1)
  .map((record) => {
    const [text = ''] = record.split(/^## /m);
    const [title = ''] = text.split('\n', 1);
    return { title, text: `### ${text.trim()}` };
  });

describe('a decision', () => {
  it('has its own title', () => {
    const titles = entries.map(({ title }) => title);

    expect(entries.length).toBeGreaterThan(25);
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
