import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { registerSpelling } from '../../sandbox/providers/cpf-registry.ts';
import { LISTED_WALLET, SPILLED_WALLET } from '../../sandbox/providers/lists/ofac.ts';
import { listFiles } from '../../sandbox/providers/lists.ts';
import { findScenario } from '../../sandbox/providers/scenarios.ts';
import { openWorld } from './providers-support.ts';

const parse = (text: string, delimiter: string) =>
  Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true }).data;
const windows1252 = (bytes: Uint8Array) => new TextDecoder('windows-1252').decode(bytes);

describe('the lists on disk', () => {
  it.each(Object.entries(listFiles))('%s is what lists/write.ts writes', (name, make) => {
    const onDisk = readFileSync(new URL(`../../sandbox/providers/lists/${name}`, import.meta.url));

    expect(onDisk.equals(make())).toBe(true);
  });

  it('are served as they are', async () => {
    const response = await openWorld().call('GET', '/lists/ceis.csv');

    expect(Buffer.from(await response.arrayBuffer()).equals(listFiles['ceis.csv']())).toBe(true);
    expect((await openWorld().call('GET', '/lists/toString')).status).toBe(404);
  });
});

describe('OFAC', () => {
  const rowsOf = (name: 'sdn.csv' | 'alt.csv' | 'sdn_comments.csv') => {
    const text = listFiles[name]().toString('latin1');
    expect(text.endsWith('\r\n\x1A')).toBe(true);
    return parse(text.slice(0, -1), ',');
  };

  it('has twelve columns, ten or more parties, nulls and remarks of at most 1000 characters', () => {
    const rows = rowsOf('sdn.csv');

    expect(rows.length).toBeGreaterThanOrEqual(10);
    expect(rows.every((row) => row.length === 12)).toBe(true);
    expect(rows.every((row) => row[4] === '-0- ')).toBe(true);
    expect(Math.max(...rows.map((row) => row[11]?.length ?? 0))).toBe(1000);
  });

  it('lists the persona of SANCTIONS_HIT with its birth date', () => {
    const { persona } = findScenario('90000000256')!;
    const [, name, type, , , , , , , , , remarks] = rowsOf('sdn.csv').find(([id]) => id === '9001') ?? [];

    expect(`${name?.split(', ')[1]} ${name?.split(', ')[0]}`.toUpperCase()).toBe(persona.name.toUpperCase());
    expect(type).toBe('individual');
    expect(remarks).toContain('DOB 03 Sep 1971');
    expect(persona.birthDate).toBe('1971-09-03');
  });

  it('names one wallet in the remarks and one only where they spill over', () => {
    const remarks = rowsOf('sdn.csv')
      .map((row) => row[11])
      .join();
    const spilled = rowsOf('sdn_comments.csv');

    expect(remarks).toContain(LISTED_WALLET);
    expect(remarks).not.toContain(SPILLED_WALLET);
    expect(spilled).toHaveLength(1);
    expect(spilled[0]?.[1]).toContain(SPILLED_WALLET);
  });

  it('gives aliases to parties that exist', () => {
    const ids = new Set(rowsOf('sdn.csv').map(([id]) => id));

    expect(rowsOf('alt.csv').every((row) => row.length === 5 && ids.has(row[0] ?? ''))).toBe(true);
  });
});

describe('United Nations', () => {
  it('is well-formed and has individuals and entities with references', () => {
    const counts: Record<string, number> = {};
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => {
      counts[name] = (counts[name] ?? 0) + 1;
    });
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(listFiles['un_consolidated.xml']().toString()).close();

    expect(counts).toMatchObject({ CONSOLIDATED_LIST: 1, INDIVIDUAL: 7, ENTITY: 5, REFERENCE_NUMBER: 12 });
  });
});

describe('Brazil', () => {
  const rowsOf = (name: 'ceis.csv' | 'cnep.csv' | 'pep.csv') => parse(windows1252(listFiles[name]()), ';');

  it.each([
    ['ceis.csv', 24],
    ['cnep.csv', 25],
    ['pep.csv', 9],
  ] as const)('%s has %i columns in each row', (name, columns) => {
    const rows = rowsOf(name);

    expect(rows.every((row) => row.length === columns)).toBe(true);
    expect(rows.length).toBeGreaterThan(4);
  });

  it('lists the persona of riskTier HIGH in CEIS with the full CPF', () => {
    const { cpf, persona } = findScenario('11144477735')!;
    const row = rowsOf('ceis.csv').find((fields) => fields[3] === cpf);

    expect(row?.slice(2, 5)).toEqual(['F', cpf, registerSpelling(persona.name)]);
  });

  it('lists the persona of PEP under the middle six digits', () => {
    const { persona } = findScenario('90000000175')!;
    const rows = rowsOf('pep.csv').filter(([cpf]) => cpf === '***.000.001-**');

    expect(rows.map((row) => row[1])).toEqual(Array(2).fill(registerSpelling(persona.name)));
  });

  it('catches no scenario by accident', () => {
    const listed = rowsOf('ceis.csv')
      .concat(rowsOf('cnep.csv'))
      .map((row) => row[3]);
    const others = ['90000000337', '90000000507', '90000000680', '90000000760', '90000001066'];

    expect(others.some((cpf) => listed.includes(cpf))).toBe(false);
  });
});
