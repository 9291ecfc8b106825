import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { registerSpelling } from '../../sandbox/providers/cpf-registry.ts';
import { type FileName, listFiles } from '../../sandbox/providers/lists/files.ts';
import { LISTED_WALLET, SPILLED_WALLET } from '../../sandbox/providers/lists/ofac.ts';
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
});

const agent = { 'user-agent': 'a test' };
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** A GET that follows the simulators' relative redirects. */
async function get(sandbox: ReturnType<typeof openWorld>, path: string, steps: string[] = []) {
  const response = await sandbox.call('GET', path, undefined, agent);
  const location = response.headers.get('location');
  steps.push(path);
  if (!location) return { response, steps };
  return get(sandbox, new URL(location, `http://simulators${path}`).pathname, steps);
}

describe('a publisher', () => {
  it.each([
    ['/lists/ofac/SDN.CSV', 'sdn.csv'],
    ['/lists/ofac/CONS_PRIM.CSV', 'cons_prim.csv'],
    ['/lists/un/resources/xml/en/consolidated.xml', 'un_consolidated.xml'],
  ] as const)('serves %s as %s', async (path, name) => {
    const { response } = await get(openWorld(), path);

    expect(Buffer.from(await bytesOf(response)).equals(listFiles[name]())).toBe(true);
  });

  it('OFAC requires a User-Agent and redirects to its store', async () => {
    const sandbox = openWorld();

    expect((await sandbox.call('GET', '/lists/ofac/SDN.CSV')).status).toBe(403);
    expect((await get(sandbox, '/lists/ofac/SDN.CSV')).steps).toEqual([
      '/lists/ofac/SDN.CSV',
      '/lists/ofac/files/SDN.CSV',
    ]);
    expect((await get(sandbox, '/lists/ofac/TOSTRING')).response.status).toBe(404);
  });

  it('the portal names its newest file in a script, and has only that archive', async () => {
    const sandbox = openWorld();

    const page = await (await get(sandbox, '/lists/portal/download-de-dados/ceis')).response.text();
    const { response, steps } = await get(sandbox, '/lists/portal/download-de-dados/ceis/20261120');

    expect(page).toContain(
      'arquivos.push({"ano" : "2026", "mes" : "11", "dia" : "20", "origem" :  "CEIS"});',
    );
    expect(steps.at(-1)).toBe('/lists/portal/files/20261120_CEIS.zip');
    const files = unzipSync(await bytesOf(response));
    expect(Object.keys(files)).toEqual(['20261120_CEIS.csv']);
    expect(Buffer.from(files['20261120_CEIS.csv']!).equals(listFiles['ceis.csv']())).toBe(true);
    const older = await get(sandbox, '/lists/portal/download-de-dados/ceis/20261119');
    expect(older.response.status).toBe(403);
    expect((await get(sandbox, '/lists/portal/download-de-dados/ceaf')).response.status).toBe(404);
  });

  it('the portal has the exposed persons of the month before', async () => {
    const sandbox = openWorld();

    const page = await (await get(sandbox, '/lists/portal/download-de-dados/pep')).response.text();

    expect(page).toContain('"ano" : "2026", "mes" : "10", "dia" : ""');
    const { response } = await get(sandbox, '/lists/portal/download-de-dados/pep/202610');
    expect(Object.keys(unzipSync(await bytesOf(response)))).toEqual(['202610_PEP.csv']);
  });
});

describe('the control interface of the lists', () => {
  const sdn = '/lists/ofac/files/SDN.CSV';
  const person = { name: 'Zdravkomir Ilić Palastrovec', birthDate: '1971-02-03' };

  it('puts a person on a list, changes and removes them', async () => {
    const sandbox = openWorld();
    const text = async () => (await get(sandbox, sdn)).response.text();

    await sandbox.call('PUT', '/control/lists/people/OFAC_SDN/9901', { ...person, name: 'Ana Testova' });
    expect(await text()).toContain('9901,"TESTOVA, Ana","individual"');
    await sandbox.call('PUT', '/control/lists/people/OFAC_SDN/9901', { ...person, name: 'Bea Testova' });
    expect(await text()).toContain('DOB 03 Feb 1971');
    expect(await text()).not.toContain('Ana');
    await sandbox.call('DELETE', '/control/lists/people/OFAC_SDN/9901');

    expect(await text()).toBe(listFiles['sdn.csv']().toString());
  });

  it('removes people who are on the list from the start, with their aliases', async () => {
    const sandbox = openWorld();

    await sandbox.call('DELETE', '/control/lists/people/OFAC_SDN/9002');

    expect(await (await get(sandbox, sdn)).response.text()).not.toContain('ZARKHAVI');
    expect(await (await get(sandbox, '/lists/ofac/files/ALT.CSV')).response.text()).not.toContain('9002');
  });

  it('puts a person on the list of the United Nations', async () => {
    const sandbox = openWorld();

    await sandbox.call('PUT', '/control/lists/people/UN_SC/SXi.901', person);

    const { response } = await get(sandbox, '/lists/un/resources/xml/en/consolidated.xml');
    const text = await response.text();
    expect(text).toContain('<REFERENCE_NUMBER>SXi.901</REFERENCE_NUMBER>');
    expect(text).toContain('<THIRD_NAME>PALASTROVEC</THIRD_NAME>');
  });

  it.each([
    ['/people/BR_CEIS/1', person],
    ['/people/OFAC_SDN/1', { ...person, birthDate: '03/02/1971' }],
    ['/people/OFAC_SDN/1', { ...person, name: 'Mononym' }],
    ['/faults', { OFAC_SDN: 'BROKEN' }],
    ['/faults', { OFAC: 'DOWN' }],
  ])('refuses PUT %s %j', async (path, body) => {
    expect((await openWorld().call('PUT', `/control/lists${path}`, body)).status).toBe(400);
  });

  it('damages a list and mends it', async () => {
    const sandbox = openWorld();
    const sound = listFiles['sdn.csv']();
    const served = async (fault: string) => {
      await sandbox.call('PUT', '/control/lists/faults', { OFAC_SDN: fault });
      const { response } = await get(sandbox, sdn);
      return { status: response.status, bytes: await bytesOf(response) };
    };

    expect((await served('DOWN')).status).toBe(503);
    expect(Buffer.from((await served('PAGE')).bytes).toString()).toContain('<html>');
    expect((await served('EMPTY')).bytes).toHaveLength(0);
    expect((await served('CUT')).bytes).toHaveLength(Math.floor(sound.length / 2));
    const altered = (await served('ALTERED')).bytes;
    expect(altered.filter((byte, at) => byte !== sound[at])).toHaveLength(1);
    const halved = Buffer.from((await served('HALVED')).bytes).toString();
    expect(halved.split('\r\n')).toHaveLength(7);
    expect(halved.endsWith('\x1A')).toBe(true);
    await sandbox.call('PUT', '/control/lists/faults', {});
    const { response } = await get(sandbox, sdn);
    expect(Buffer.from(await bytesOf(response)).equals(sound)).toBe(true);
  });
});

describe('OFAC', () => {
  const rowsOf = (name: FileName) => {
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

  it('names one wallet in the remarks and one only in their continuation', () => {
    const remarks = rowsOf('sdn.csv')
      .map((row) => row[11])
      .join();
    const spilled = rowsOf('sdn_comments.csv');

    expect(remarks).toContain(LISTED_WALLET);
    expect(remarks).not.toContain(SPILLED_WALLET);
    expect(spilled).toHaveLength(1);
    expect(spilled[0]?.[1]).toContain(SPILLED_WALLET);
  });

  it.each([
    ['sdn.csv', 'alt.csv'],
    ['cons_prim.csv', 'cons_alt.csv'],
  ] as const)('gives aliases to parties that exist: %s, %s', (main, aliases) => {
    const ids = new Set(rowsOf(main).map(([id]) => id));

    expect(rowsOf(aliases).every((row) => row.length === 5 && ids.has(row[0] ?? ''))).toBe(true);
  });

  it('has other lists in the same form, under other numbers', () => {
    const ids = new Set(rowsOf('sdn.csv').map(([id]) => id));
    const others = rowsOf('cons_prim.csv');

    expect(others.length).toBeGreaterThanOrEqual(4);
    expect(others.every((row) => row.length === 12 && !ids.has(row[0]))).toBe(true);
    expect(rowsOf('cons_comments.csv')).toHaveLength(1);
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

  it('lists no person of a scenario by accident', () => {
    const listed = rowsOf('ceis.csv')
      .concat(rowsOf('cnep.csv'))
      .map((row) => row[3]);
    const others = ['90000000337', '90000000507', '90000000680', '90000000760', '90000001066'];

    expect(others.some((cpf) => listed.includes(cpf))).toBe(false);
  });
});
