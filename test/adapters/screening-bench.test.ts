import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { jaroWinkler } from '../../benchmarks/screening-baseline.ts';
import { entryFrom, type QueryLine, readList, readQueries } from '../../benchmarks/screening-data.ts';
import { evaluate, flaggedAt } from '../../benchmarks/screening-report.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('the evaluation', () => {
  const ordinary = Array.from({ length: 1000 }, (_, at) => ({ id: `n${at}`, query: '', kind: 'br-common' }));
  const listed: QueryLine[] = [
    { id: 'a', query: '', kind: 's-exact', expect: 'x' },
    { id: 'b', query: '', kind: 's-exact', expect: 'x' },
    { id: 'c', query: '', kind: 'br-exact', expect: 'x' },
  ];
  const scores = [
    ...ordinary.map(({ id }, at) => ({ id, score: (1000 - at) / 1000, xscore: 0 })),
    { id: 'a', score: 1, xscore: 1 },
    { id: 'b', score: 1, xscore: 0.995 },
    { id: 'c', score: 1, xscore: 0.5 },
  ];
  const [strict, wide] = evaluate([...ordinary, ...listed], scores);

  it('lets ordinary people over the threshold up to the given rate, and not one more', () => {
    expect(strict).toMatchObject({ rate: 0.001, flagged: { 'br-common': { hits: 1, of: 1000 } } });
    expect(wide).toMatchObject({ rate: 0.01, flagged: { 'br-common': { hits: 10, of: 1000 } } });
    expect(flaggedAt(0.9, ordinary, scores)).toEqual({ hits: 101, of: 1000 });
  });

  it('counts the expected entry over the threshold as found', () => {
    expect(strict?.recall).toMatchObject({ 's-*': { hits: 1, of: 2 }, 'br-*': { hits: 0, of: 1 } });
    expect(wide?.recall).toMatchObject({ 's-exact': { hits: 2, of: 2 }, 'br-exact': { hits: 0, of: 1 } });
  });
});

describe('the baseline', () => {
  it.each([
    ['MARTHA', 'MARHTA', 0.961],
    ['DWAYNE', 'DUANE', 0.84],
    ['DIXON', 'DICKSONX', 0.813],
    ['ABC', 'XYZ', 0],
    ['', '', 0],
  ])('gives for %s and %s the likeness %d', (one, other, expected) => {
    expect(jaroWinkler(one, other)).toBeCloseTo(expected, 2);
  });
});

describe('lists and queries', () => {
  const stored = (text: string | Uint8Array) => {
    const path = join(folder, 'odd.jsonl');
    writeFileSync(path, text);
    return path;
  };

  it.each([
    ['{"listId":"1","list":"un"}', 'UN_SC', { names: [], births: [], documents: [] }],
    [
      '{"listId":"1","list":"un","names":null,"dob":null,"cpf":"111.444.777-35"}',
      'UN_SC',
      { documents: ['11144477735'] },
    ],
    [
      '{"listId":"1","list":"eu-fsf","names":[{"n":"Ana"}]}',
      'OFAC_CONS',
      { names: [{ text: 'Ana', isWeak: false }] },
    ],
    ['{"listId":"1","list":"br-ceaf","names":[{"n":"Ana"}],"cpf":"1"}', 'BR_CEIS', { names: [] }],
    ['{"listId":"1","list":"br-pep","names":[{"n":"Ana"}]}', 'BR_PEP', { names: [] }],
    [
      '{"listId":"1","list":"br-ceis","names":[{"n":"Ana"}],"cpfMask":"***.444.777-**"}',
      'BR_CEIS',
      { maskedCpf: '444777', names: [{ text: 'Ana', isWeak: false }] },
    ],
  ])('may lack unknown fields: %s', (line, list, entry) => {
    expect(readList(stored(line)).map(entryFrom)).toEqual([expect.objectContaining({ list, ...entry })]);
  });

  it('may have empty lines, carriage returns, a byte order mark, and be compressed', () => {
    const text = '\ufeff\r\n{"id":"1"}\r\n\r\n{"id":2,"query":null,"cpf":"900.000.001-75","kind":"s-x"}';
    const queries = [
      { id: '1', query: '', kind: 'other' },
      { id: 2, query: '', cpf: '90000000175', kind: 's-x' },
    ];

    expect(readQueries(stored(text))).toEqual(queries);
    expect(readQueries(stored(gzipSync(text)))).toEqual(queries);
  });
});

describe('npm run bench:screening', () => {
  it('writes a line for a query of a million letters, and none for an empty query', () => {
    const list = join(folder, 'one.jsonl');
    const queries = join(folder, 'asked.jsonl');
    const out = join(folder, 'told.jsonl');
    writeFileSync(list, '{"listId":"1","list":"un","names":[{"n":"Ana Fictel"}]}');
    const scoresOf = (text: string) => {
      writeFileSync(queries, text);
      const args = ['benchmarks/screening.ts', '--list', list, '--queries', queries, '--out', out];
      execFileSync(process.execPath, args, { cwd: ROOT });
      return readFileSync(out, 'utf8');
    };

    expect(scoresOf(JSON.stringify({ id: 'q', query: 'x'.repeat(1_000_000) }))).toBe(
      '{"id":"q","score":0,"xscore":0}\n',
    );
    expect(scoresOf('\n')).toBe('');
  });

  it('writes a line for each query, in order, and prints the time that it took', () => {
    const list = [
      {
        listId: 'ofac-sdn:1',
        list: 'ofac-sdn',
        names: [{ n: 'Tércio MORVAINE', q: 'primary' }],
        dob: [['1966-01-01', '1966-12-31']],
      },
      {
        listId: 'br-ceis:1',
        list: 'br-ceis',
        names: [{ n: 'Ana Fictel', q: 'primary' }],
        dob: [],
        cpf: '11144477735',
      },
      {
        listId: 'br-pep:1',
        list: 'br-pep',
        names: [{ n: 'Rui Fictel', q: 'primary' }],
        dob: [],
        cpfMask: '***.000.001-**',
      },
    ];
    const queries = [
      {
        id: 'q1',
        query: 'Morvaine Tercio',
        birthDate: '1966-05-05',
        cpf: '1',
        expect: 'ofac-sdn:1',
        kind: 's-reorder',
      },
      { id: 'q2', query: 'Outro Nome', cpf: '11144477735', expect: 'br-ceis:1', kind: 'br-exact' },
      { id: 'q3', query: 'Rui Fictel', cpf: '90000000175', expect: 'br-pep:1', kind: 'br-exact' },
      {
        id: 'q4',
        query: 'Ana Fictel',
        birthDate: '1970-01-01',
        cpf: '52998224725',
        expect: null,
        kind: 'br-common',
      },
    ];
    writeFileSync(join(folder, 'list.jsonl.gz'), gzipSync(lines(list)));
    writeFileSync(join(folder, 'queries.jsonl'), lines(queries));

    const places = ['list.jsonl.gz', 'queries.jsonl', 'scores.jsonl'].map((name) => join(folder, name));
    const args = [
      'benchmarks/screening.ts',
      '--list',
      places[0]!,
      '--queries',
      places[1]!,
      '--out',
      places[2]!,
    ];
    const printed = execFileSync(process.execPath, [...args, '--baseline'], { cwd: ROOT }).toString();

    const scores = readFileSync(places[2]!, 'utf8').trim().split('\n');
    expect(scores.map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: 'q1', score: expect.closeTo(0.97, 1), xscore: expect.closeTo(0.97, 1) },
      { id: 'q2', score: 1, xscore: 1 },
      { id: 'q3', score: 0.95, xscore: 0.95 },
      { id: 'q4', score: 0, xscore: 0 },
    ]);
    expect(printed).toMatch(/3 entries, \d+ bytes, built in \d+ ms/);
    expect(printed).toMatch(/p50 [\d.]+ ms, p99 [\d.]+ ms/);
    expect(printed).toMatch(/s-reorder 100.00 %/);
    expect(printed).toMatch(/Jaro-Winkler/);
  });

  it('needs a list and queries, or neither', () => {
    const run = () =>
      execFileSync(process.execPath, ['benchmarks/screening.ts', '--list', 'x'], {
        cwd: ROOT,
        stdio: 'pipe',
      });

    expect(run).toThrow('go together');
  });
});
