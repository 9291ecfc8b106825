import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decisionRecords, decisionsIndex } from '../../docs/decisions.ts';

const document = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8');
const entries = decisionRecords(document);

describe('a decision', () => {
  it('has its own title', () => {
    const titles = entries.map(({ title }) => title);

    expect(entries.length).toBeGreaterThan(50);
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

describe('the index of the decisions', () => {
  it('names each record under its subject, in the order of the document', () => {
    const index = decisionsIndex(document).join(' ').replaceAll(/ +/g, ' ');

    for (const { subject } of entries) expect(index).toContain(`- **${subject}.** [`);
    const places = entries.map(({ title }) => index.indexOf(` [${title}](#`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
