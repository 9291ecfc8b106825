/** A publisher's file: its name, and its unzipped bytes in order. */
export type ListFile = { name: string; chunks: Iterable<Uint8Array> };

/**
 * Thrown if the files are not the list, or not the whole list. The message gives the reason without any content of the
 * file.
 */
export class ListDamaged extends Error {
  override name = 'ListDamaged';

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file}: ${reason}`, options);
  }
}

/**
 * The longest allowed field, in characters. No real name, remark or office is nearly as long. A longer field
 * is a mistake or an attack.
 */
export const MAX_FIELD = 64 * 1024;

/** The share of rows that may be unreadable, one in two hundred: docs/compliance.md, "The lists". */
const MAX_SKIPPED = 0.005;

/** Throws if more rows are unreadable than the publisher's usual mistakes explain (`MAX_SKIPPED`). */
export function requireMostlyRead(file: string, { rows, skipped }: { rows: number; skipped: number }): void {
  if (skipped > rows * MAX_SKIPPED) {
    throw new ListDamaged(file, `${skipped} of ${rows} rows cannot be read`);
  }
}

/**
 * The most rows of a file: four times the rows of the longest list. A file with more rows would fill the
 * memory, which is shared by all lists.
 */
const MAX_ROWS = 500_000;

/**
 * Throws if the file has too many rows. The parser calls it for each row. After the last row it would be too
 * late, because the memory would already be full.
 */
export function requireFewRows(file: string, rows: number): void {
  if (rows > MAX_ROWS) throw new ListDamaged(file, `it has more than ${MAX_ROWS} rows`);
}

const PIECE_BYTES = 64 * 1024;

function* piecesOf(file: ListFile): Generator<Uint8Array> {
  for (const chunk of file.chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** The file's text in pieces, without a byte order mark. Throws if it is not UTF-8. */
export function* utf8Of(file: ListFile): Generator<string> {
  const decode = decoderOf(file, 'utf-8');
  for (const piece of piecesOf(file)) yield decode(piece);
  yield decode();
}

/**
 * Decodes a file in Windows-1252, or in UTF-8 if the publisher changes to it. The first letter beyond ASCII
 * decides. The bytes of two such letters of Portuguese in Windows-1252 are never a valid UTF-8 letter.
 */
export function* westernOf(file: ListFile): Generator<string> {
  let decode: ReturnType<typeof decoderOf> | undefined;
  let held = new Uint8Array();
  for (const piece of piecesOf(file)) {
    const bytes = held.length ? Buffer.concat([held, piece]) : piece;
    held = new Uint8Array();
    decode ??= decoderFor(file, bytes);
    if (decode) yield decode(bytes);
    else {
      const end = asciiEnd(bytes);
      held = bytes.slice(end);
      yield Buffer.from(bytes.subarray(0, end)).toString('latin1');
    }
  }
  decode ??= decoderOf(file, 'windows-1252');
  yield decode(held);
  yield decode();
}

function asciiEnd(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return at === -1 ? bytes.length : at;
}

/**
 * Chooses the decoder. Undefined while the bytes cannot decide: all of them are ASCII, or the end of the
 * bytes may cut the first other letter.
 */
function decoderFor(file: ListFile, bytes: Uint8Array): ReturnType<typeof decoderOf> | undefined {
  const at = asciiEnd(bytes);
  const lead = bytes[at];
  if (lead === undefined) return undefined;
  const length = lengthOfUtf8(lead);
  const others = bytes.subarray(at + 1, at + length);
  if (!length || others.some((byte) => byte >> 6 !== 0b10)) return decoderOf(file, 'windows-1252');
  return others.length === length - 1 ? decoderOf(file, 'utf-8') : undefined;
}

/**
 * The number of bytes of the UTF-8 letter whose first byte is `lead`. 0 if no UTF-8 letter begins with this
 * byte.
 */
function lengthOfUtf8(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/**
 * Returns a decoder for one file in pieces. It keeps the bytes of a letter that the end of a piece cuts. A
 * call without bytes ends the file. Throws if the bytes are invalid in this encoding.
 */
function decoderOf(file: ListFile, encoding: 'utf-8' | 'windows-1252') {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new ListDamaged(file.name, `it is not in ${encoding}`, { cause });
    }
  };
}
