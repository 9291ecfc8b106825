/** A publisher's file: its name, and its bytes, unzipped, in the order in which they come. */
export type ListFile = { name: string; chunks: Iterable<Uint8Array> };

/** The files are not the list, or not the whole of it. The message says why, without anything of the content. */
export class ListDamaged extends Error {
  override name = 'ListDamaged';

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file}: ${reason}`, options);
  }
}

/** No name, remark or office comes near. What is longer was made by accident or to do harm. */
export const MAX_FIELD = 64 * 1024;

/** docs/decisions.md, "When a new list is refused": one row in two hundred may be. */
const MAX_SKIPPED = 0.005;

/** `skipped` of `rows` could not be read. Throws where these are too many to be slips of the publisher's. */
export function requireMostlyRead(file: string, { rows, skipped }: { rows: number; skipped: number }): void {
  if (skipped > rows * MAX_SKIPPED) {
    throw new ListDamaged(file, `${skipped} of ${rows} rows cannot be read`);
  }
}

/** Of the longest list four times as many. What has more was made to fill our memory, which all lists share. */
const MAX_ROWS = 500_000;

/** To be asked as they come: by the end there would be no memory left. */
export function requireFewRows(file: string, rows: number): void {
  if (rows > MAX_ROWS) throw new ListDamaged(file, `it has more than ${MAX_ROWS} rows`);
}

const PIECE_BYTES = 64 * 1024;

function* piecesOf(file: ListFile): Generator<Uint8Array> {
  for (const chunk of file.chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** The file's text, piece by piece, without a byte order mark. Throws where it is not in UTF-8. */
export function* utf8Of(file: ListFile): Generator<string> {
  const decode = decoderOf(file, 'utf-8');
  for (const piece of piecesOf(file)) yield decode(piece);
  yield decode();
}

/**
 * The text of a file in Windows-1252, or in UTF-8 should the publisher change to it: the first letter beyond
 * ASCII tells them apart, for in Portuguese no two such letters of Windows-1252 look like one of UTF-8.
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

/** Undefined as long as the bytes do not tell: all are ASCII, or the first other letter may be cut. */
function decoderFor(file: ListFile, bytes: Uint8Array): ReturnType<typeof decoderOf> | undefined {
  const at = asciiEnd(bytes);
  const lead = bytes[at];
  if (lead === undefined) return undefined;
  const length = lengthOfUtf8(lead);
  const others = bytes.subarray(at + 1, at + length);
  if (!length || others.some((byte) => byte >> 6 !== 0b10)) return decoderOf(file, 'windows-1252');
  return others.length === length - 1 ? decoderOf(file, 'utf-8') : undefined;
}

/** How many bytes a letter takes that begins with this one; 0 where none does. */
function lengthOfUtf8(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Without bytes: the file ends here. */
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
