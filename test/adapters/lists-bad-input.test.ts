import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { ListDamaged, type ListFile } from '../../functions/adapters/lists/list-file.ts';
import { ofacBirthOf } from '../../functions/adapters/lists/ofac.ts';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { altCsv, cguCsv, commentsCsv, ofacFile, pepCsv, sdnCsv, unPerson, unXml } from './lists-fixtures.ts';

const HEADER = ['CADASTRO', 'CÓDIGO DA SANÇÃO', 'CPF OU CNPJ DO SANCIONADO', 'DATA FINAL SANÇÃO', 'NOTA'];

/** The texts of publishers' fields: letters of Portuguese, and all characters that CSV must quote. */
const Field = fc.string({
  unit: fc.constantFrom('a', 'É', 'ç', ' ', ';', ',', '"', '\n', '\r\n'),
  maxLength: 400,
});
const Sizes = fc.array(fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 70_000 })), {
  minLength: 1,
});

/** Cut into chunks of these sizes, in turn. */
function* chunksOf(bytes: Uint8Array, sizes: number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const encoded = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(text, encoding);
const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
const lineOf = (fields: string[], delimiter = ';') => `${fields.map(quoted).join(delimiter)}\r\n`;

describe('any CSV', () => {
  const Notes = fc.array(Field, { minLength: 150, maxLength: 250 });

  it('of the portal gives back the written fields, in any chunks', () => {
    fc.assert(
      fc.property(Notes, Sizes, fc.constantFrom('utf8', 'latin1'), (notes, sizes, encoding) => {
        const rows = notes.map((note, i) => [note, `${i}`, `${10_000_000_000 + i}`, '02/05/2034', note]);
        const bytes = encoded([HEADER, ...rows].map((row) => lineOf(row)).join(''), encoding);

        const parsed = parseList('BR_CEIS', [{ name: 'x', chunks: chunksOf(bytes, sizes) }]);

        expect(parsed.skipped).toBe(0);
        expect(parsed.entries.map(({ id, documents }) => [id, ...documents])).toEqual(
          rows.map(([, id, document]) => [id, document]),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('of OFAC gives back the written fields, in any chunks', () => {
    fc.assert(
      fc.property(Notes, Sizes, (notes, sizes) => {
        const rows = notes.map((note, i) => [`${i}`, `X${note}`, 'individual', ...Array(8).fill(note), '']);
        const bytes = ofacFile([rows.map((row) => lineOf(row, ',')).join('')]);
        const empty = () => [ofacFile([])];

        const parsed = parseList('OFAC_SDN', [
          { name: 'sdn.csv', chunks: chunksOf(bytes, sizes) },
          { name: 'alt.csv', chunks: empty() },
          { name: 'sdn_comments.csv', chunks: empty() },
        ]);

        expect(parsed.entries.map(({ id, names }) => [id, names[0]?.text])).toEqual(
          rows.map(([id, name]) => [id, name]),
        );
      }),
      { numRuns: 30 },
    );
  });
});

type Sample = { list: ListId; files: [name: string, bytes: Uint8Array][] };

const COUNT = 1200;
const numbers = Array.from({ length: COUNT }, (_, i) => i);

/** Over 64 kB each, so that chunks and batches end within them. */
const SAMPLES: Sample[] = [
  {
    list: 'OFAC_SDN',
    files: [
      [
        'sdn.csv',
        sdnCsv(numbers.map((id) => ({ id, name: `MORVAINE, Alba ${id}`, remarks: 'DOB 1966; x' }))),
      ],
      ['alt.csv', altCsv(numbers.map((id) => [id, `MORVAYNE, Alba ${id}`]))],
      ['sdn_comments.csv', commentsCsv(numbers.map((id) => [id, `; a.k.a. 'LOBO ${id}'.`]))],
    ],
  },
  {
    list: 'UN_SC',
    files: [
      [
        'un.xml',
        unXml(numbers.map((i) => unPerson(`X.${i}`, `<FIRST_NAME>JOÃO ${i}</FIRST_NAME>`)).join('')),
      ],
    ],
  },
  {
    list: 'BR_CEIS',
    files: [['ceis.csv', cguCsv(numbers.map((i) => ({ id: `${i}`, document: `${10_000_000_000 + i}` })))]],
  },
  {
    list: 'BR_PEP',
    files: [['pep.csv', pepCsv(numbers.map((i) => ({ cpf: '***.444.777-**', name: `OTÁVIA ${i}` })))]],
  },
];

type Outcome = { entries: ListEntry[]; skipped: number } | 'damaged';

/** Only `ListDamaged` is an answer. Any other error is our own fault. */
function outcomeOf(list: ListId, files: ListFile[]): Outcome {
  try {
    return parseList(list, files);
  } catch (error) {
    // The first damage that is found may depend on the chunks.
    if (error instanceof ListDamaged) return 'damaged';
    throw error;
  }
}

describe.each(SAMPLES)('files of $list', ({ list, files }) => {
  const outcome = (sizes: number[], bytes = files.map(([, each]) => each)) =>
    outcomeOf(
      list,
      files.map(([name], i) => ({ name, chunks: chunksOf(bytes[i] ?? new Uint8Array(), sizes) })),
    );
  const WHOLE = [Number.MAX_SAFE_INTEGER];

  it('are read the same in any chunks, also in single bytes', () => {
    const whole = outcome(WHOLE);

    expect(whole).toMatchObject({ entries: { length: COUNT }, skipped: 0 });
    fc.assert(
      fc.property(Sizes, (sizes) => {
        expect(outcome(sizes)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  // Spec, What the service does: "sanctions lists from Brazil, the US and the UN"
  // docs/compliance.md, "The lists"
  it('are read or refused as damaged after any change, the same in any chunks', () => {
    const Change = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(40_000)),
      added: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc
          .constantFrom('"', '\n', '";"', '","', '\0', '\u001a', '<', '&', '\r')
          .map((text) => Buffer.from(text)),
      ),
    });

    fc.assert(
      fc.property(Change, Sizes, ({ file, at, removed, added }, sizes) => {
        const changed = files.map(([, bytes], i) => {
          const from = Math.floor(at * bytes.length);
          const parts = [bytes.subarray(0, from), added, bytes.subarray(from + removed)];
          return i === file ? Buffer.concat(parts) : bytes;
        });

        expect(outcome(sizes, changed)).toEqual(outcome(WHOLE, changed));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['nothing', new Uint8Array()],
    [
      'a web page',
      Buffer.from('<!DOCTYPE html>\n<html><head><title>403</title></head><body>;,</body></html>\n'),
    ],
    ['JSON', Buffer.from('{"error":"not found"}')],
    ['UTF-16', Buffer.from(`\ufeff${Buffer.from(files[0]?.[1] ?? []).toString('latin1')}`, 'utf16le')],
    ['UTF-16 the other way round', Buffer.from(`\ufeff${files[0]?.[1]}`, 'utf16le').swap16()],
    ['an archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0\b\0'.repeat(100), 'latin1')],
    ['zeros', Buffer.alloc(100_000)],
    ['a line of 10 MB', Buffer.alloc(10_000_000, 'x')],
    ['a quote that does not end', Buffer.from(`"${'x\n'.repeat(5_000_000)}`)],
  ])('are refused if one is %s', (_what, bytes) => {
    const [first, ...others] = files.map(([, each]) => each);

    expect(first).not.toEqual(bytes);
    expect(outcome(WHOLE, [bytes, ...others])).toBe('damaged');
  });

  it.each([
    ['a line', 'x'],
    ['a quoted field', '"\n'],
    ['a tag', '<a '],
  ])('are given up soon if one is %s that does not end', (_what, begin) => {
    let read = 0;
    function* endless() {
      yield Buffer.from(begin);
      for (; read < 1000; read++) yield Buffer.alloc(64 * 1024, 'x');
    }
    const [first, ...others] = files.map(([name, bytes]) => ({ name, chunks: [bytes] }));

    expect(outcomeOf(list, [{ name: first?.name ?? '', chunks: endless() }, ...others])).toBe('damaged');
    expect(read).toBeLessThan(40);
  });

  it('are refused if one is random', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        const others = files.slice(1).map(([, each]) => each);

        expect(outcome(WHOLE, [bytes, ...others])).toBe('damaged');
      }),
    );
  });
});

describe('any birth date', () => {
  const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const Point = fc
    .record({
      day: fc.integer({ min: 1, max: 31 }),
      month: fc.nat(11),
      year: fc.integer({ min: 0, max: 9999 }),
    })
    .map(({ day, month, year }) => ({
      text: `${String(day).padStart(2, '0')} ${MONTHS[month]} ${String(year).padStart(4, '0')}`,
      iso: [String(year).padStart(4, '0'), month + 1, day]
        .map((part) => String(part).padStart(2, '0'))
        .join('-'),
    }));
  const Text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('circa', 'to', '-', ' ', '31', '8', 'Sep', 'sep', '1966', '0000', '9999', 'DOB'))
      .map((parts) => parts.join(' ')),
  );

  it('is a period of days in order, or none', () => {
    fc.assert(
      fc.property(Text, (text) => {
        const birth = ofacBirthOf(text);
        if (!birth) return;
        expect(birth.from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(birth.to).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(birth.from <= birth.to).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the written day', () => {
    fc.assert(
      fc.property(Point, ({ text, iso }) => {
        expect(ofacBirthOf(text)).toEqual({ from: iso, to: iso });
      }),
    );
  });

  it('is the written period, and none if it runs backwards', () => {
    fc.assert(
      fc.property(Point, Point, (first, last) => {
        const span = first.iso <= last.iso ? { from: first.iso, to: last.iso } : undefined;
        expect(ofacBirthOf(`${first.text} to ${last.text}`)).toEqual(span);
      }),
    );
  });

  it('may be two years off if it is approximate', () => {
    fc.assert(
      fc.property(Point, ({ text, iso }) => {
        const birth = ofacBirthOf(`circa ${text}`);
        const year = Number(iso.slice(0, 4));
        expect(Number(birth?.from.slice(0, 4))).toBe(Math.max(year - 2, 0));
        expect(Number(birth?.to.slice(0, 4))).toBe(Math.min(year + 2, 9999));
      }),
    );
  });
});
