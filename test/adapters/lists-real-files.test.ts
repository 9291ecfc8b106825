import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../functions/adapters/lists/entry.ts';
import { ofacEntries } from '../../functions/adapters/lists/ofac.ts';
import { unEntries } from '../../functions/adapters/lists/un.ts';

// The publishers' files hold real people and stay outside of the project.
const FOLDER = new URL('../../../shared/screening/lists/', import.meta.url);
const isAbsent = !existsSync(FOLDER);

const read = (name: string) => gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER)));
const persons = (entries: Entry[]) => entries.filter(({ names }) => names.length);
const names = (entries: Entry[], isWeak: boolean) =>
  entries.flatMap((entry) => entry.names.filter((name) => name.isWeak === isWeak)).length;

describe.skipIf(isAbsent)('the files of OFAC', () => {
  it.each([
    ['sdn_2024-07-02', 'alt_2025-02-27', 'sdn_comments_2025-02-27', 6927],
    ['sdn_2021-07-07', 'alt_2021-07-07', 'sdn_comments_2021-07-07', 4620],
    ['cons_prim_2025-12-19', 'cons_alt_2025-12-19', 'cons_comments_2025-12-19', 79],
  ])('%s hold the documented number of persons', (sdn, alt, comments, count) => {
    const entries = ofacEntries(read(`${sdn}.csv`), read(`${alt}.csv`), read(`${comments}.csv`));

    expect(persons(entries)).toHaveLength(count);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it('of July 2024 hold birth dates, aliases and Brazilian documents', () => {
    const entries = ofacEntries(
      read('sdn_2024-07-02.csv'),
      read('alt_2025-02-27.csv'),
      read('sdn_comments_2025-02-27.csv'),
    );

    expect(entries.filter(({ births }) => births.length)).toHaveLength(6809);
    expect(names(entries, true)).toBe(2089);
    // Four listed as "Tax ID No." and one as "Identification Number"; two companies by CNPJ.
    expect(persons(entries).filter(({ documents }) => documents.length)).toHaveLength(5);
    expect(entries.filter(({ documents }) => documents[0]?.length === 14)).toHaveLength(2);
  });
});

describe.skipIf(isAbsent)('the files of the United Nations', () => {
  it('of 27 February 2026 hold 730 persons, 677 of them with a birth date', () => {
    const entries = unEntries(read('UN_consolidated_2026-02-27.xml'));

    expect(entries).toHaveLength(730);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(730);
    expect(entries.filter(({ births }) => births.length)).toHaveLength(677);
    expect(names(entries, true)).toBeGreaterThanOrEqual(615);
  });

  it('of August 2025 are refused: the stored copy is not in the encoding that it declares', () => {
    expect(() => unEntries(read('UN_consolidated_2025-08.xml'))).toThrow('utf-8');
  });
});

const EVALUATION = new URL('../eval/list.jsonl.gz', FOLDER);
type Reference = { listId: string; dob: [string, string][] };

describe.skipIf(!existsSync(EVALUATION))('the birth dates of the frozen list', () => {
  it('are those that we read', () => {
    const ofac = ofacEntries(
      read('sdn_2024-07-02.csv'),
      read('alt_2025-02-27.csv'),
      read('sdn_comments_2025-02-27.csv'),
    );
    const entries = [...persons(ofac), ...unEntries(read('UN_consolidated_2026-02-27.xml'))];
    const ours = entries.map(({ list, id, births }) => {
      const prefix = list === 'UN_SC' ? 'un' : 'ofac-sdn';
      return `${prefix}:${id} ${spans(births.map(({ from, to }) => [from, to]))}`;
    });

    const lines = gunzipSync(readFileSync(EVALUATION)).toString().trim().split('\n');
    const theirs = lines
      .map((line) => JSON.parse(line) as Reference)
      .filter(({ listId }) => /^(un|ofac-sdn):/.test(listId))
      .map(({ listId, dob }) => `${listId} ${spans(dob)}`);

    expect(ours.sort()).toEqual(theirs.sort());
  });
});

/** Months end on the 31st with us: days compare as text. */
const spans = (dates: [string, string][]) =>
  dates
    .map(([from, to]) => `${from}..${from === to ? to : to.replace(/-(28|29|30)$/, '-31')}`)
    .sort()
    .join(' ');
