import fc from 'fast-check';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isZip, unzip } from '../../functions/adapters/lists/download-zip.ts';
import { ListDamaged } from '../../functions/adapters/lists/list-file.ts';

const rows = Array.from({ length: 400 }, (_, at) => `"CEIS";"${at}";"${at * 7919}"\r\n`).join('');
const csv = strToU8(rows);
const archive = zipSync({ '20261120_CEIS.csv': csv });

const read = (bytes: Uint8Array) => {
  const { name, chunks } = unzip('CEIS.zip', bytes);
  return { name, text: Buffer.concat([...chunks]).toString() };
};
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset);
/** The archive with changed numbers in its directory. Offsets are those of the directory's entry. */
function withDirectory(bytes: Uint8Array, change: (view: DataView, at: number) => void): Uint8Array {
  const copy = Uint8Array.from(bytes);
  change(viewOf(copy), viewOf(copy).getUint32(copy.length - 22 + 16, true));
  return copy;
}

describe('an archive', () => {
  it('gives its only file', () => {
    expect(isZip(archive)).toBe(true);
    expect(read(archive)).toEqual({ name: '20261120_CEIS.csv', text: rows });
  });

  it('may hold it unpacked', () => {
    expect(read(zipSync({ 'a.csv': [csv, { level: 0 }] })).text).toBe(rows);
  });

  it('may be written as a stream, with lengths after the file', () => {
    const chunks: Uint8Array[] = [];
    const zip = new Zip((_, chunk) => chunks.push(chunk));
    const file = new ZipDeflate('a.csv');
    zip.add(file);
    file.push(csv, true);
    zip.end();

    expect(read(Buffer.concat(chunks)).text).toBe(rows);
  });

  it('may end with a comment', () => {
    const comment = Buffer.from('made by the portal');
    const bytes = Buffer.concat([archive, comment]);
    bytes.writeUInt16LE(comment.length, archive.length - 2);

    expect(read(bytes).text).toBe(rows);
  });

  it('may be anywhere in a larger buffer', () => {
    const buffer = Buffer.concat([Buffer.alloc(3), archive, Buffer.alloc(5)]);

    expect(read(buffer.subarray(3, 3 + archive.length)).text).toBe(rows);
  });
});

describe('an archive is refused', () => {
  it('if it is cut anywhere', () => {
    for (let length = 0; length < archive.length; length++) {
      expect(() => read(archive.subarray(0, length)), String(length)).toThrow(ListDamaged);
    }
  });

  it('if any byte is changed, unless the file is unchanged', () => {
    const anyChange = fc.tuple(fc.nat(archive.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(anyChange, ([at, flip]) => {
        const bytes = Uint8Array.from(archive);
        bytes[at]! ^= flip;
        try {
          return read(bytes).text === rows;
        } catch (error) {
          return error instanceof ListDamaged;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('if a byte of the packed file is changed', () => {
    for (let at = 60; at < archive.length - 100; at += 7) {
      const bytes = Uint8Array.from(archive);
      bytes[at]! ^= 0x10;
      expect(() => read(bytes), String(at)).toThrow(ListDamaged);
    }
  });

  it.each([
    ['with two files', zipSync({ 'a.csv': csv, 'b.csv': csv }), 'exactly one file'],
    ['with none', zipSync({}), 'exactly one file'],
    ['that is encrypted', withDirectory(archive, (view, at) => view.setUint16(at + 8, 1, true)), 'encrypted'],
    [
      'of another method',
      withDirectory(archive, (view, at) => view.setUint16(at + 10, 12, true)),
      'method 12',
    ],
    ['that is a page', strToU8('<html>'.repeat(20)), 'no archive'],
    ['of zeros', new Uint8Array(100), 'no archive'],
  ])('%s', (_, bytes, reason) => {
    expect(() => read(bytes)).toThrow(reason);
  });

  it('if its unpacked size is too large, before anything is unpacked', () => {
    const bytes = withDirectory(archive, (view, at) => view.setUint32(at + 24, 0x40000000, true));

    expect(() => unzip('CEIS.zip', bytes)).toThrow('unpacks to 1073741824 bytes');
  });

  it('if it unpacks to far more than it says, soon', () => {
    const bomb = withDirectory(zipSync({ 'a.csv': new Uint8Array(8 * 1024 * 1024) }), (view, at) =>
      view.setUint32(at + 24, 1000, true),
    );
    let size = 0;
    const readAll = () => {
      for (const chunk of unzip('CEIS.zip', bomb).chunks) size += chunk.length;
    };

    expect(readAll).toThrow('more than it says');
    expect(size).toBe(0);
  });
});
