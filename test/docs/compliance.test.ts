import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MEASURED } from '../../benchmarks/ordinary-rates.ts';

const PAGE = readFileSync(new URL('../../docs/compliance.md', import.meta.url), 'utf8').replaceAll(
  / +/g,
  ' ',
);

test.each(Object.entries(MEASURED))(
  'the page on compliance tells how many %s names are flagged',
  (kind, shares) => {
    const [flagged, refused] = shares.map((share) => `${share.toFixed(2)} %`);

    expect(PAGE).toContain(`| ${kind} | ${flagged} | ${refused} |`);
  },
);
