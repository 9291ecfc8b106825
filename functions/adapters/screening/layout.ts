import { createHash } from 'node:crypto';

/**
 * The form of the index file: a magic word, a digest of all bytes after it, a JSON header, and arrays at
 * aligned positions. The arrays are used in place, without a copy.
 */
const MAGIC = 'SCRNIDX2';
const DIGEST_AT = 8;
const HEADER_LENGTH_AT = 40;
const HEADER_AT = 44;
const ALIGNMENT = 8;

const KINDS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
} as const;
type Kind = keyof typeof KINDS;
export type Arrays<Shape extends Record<string, Kind>> = {
  [Name in keyof Shape]: InstanceType<(typeof KINDS)[Shape[Name]]>;
};

type BytesPlace = { at: number; length: number };
type Header = { meta: unknown; arrays: Record<string, BytesPlace> };

export function pack<Shape extends Record<string, Kind>>(
  shape: Shape,
  arrays: Record<keyof Shape, ArrayLike<number>>,
  meta: unknown,
): Uint8Array {
  let at = 0;
  const placed = (Object.entries(shape) as [keyof Shape & string, Kind][]).map(([name, kind]) => {
    const array = KINDS[kind].from(arrays[name]);
    const place = { at, length: array.length };
    at += aligned(array.byteLength);
    return { name, array, place };
  });
  const places = Object.fromEntries(placed.map(({ name, place }) => [name, place]));
  const header = Buffer.from(JSON.stringify({ meta, arrays: places } satisfies Header));
  const begin = aligned(HEADER_AT + header.length);
  const bytes = Buffer.alloc(begin + at);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(header.length, HEADER_LENGTH_AT);
  header.copy(bytes, HEADER_AT);
  for (const { array, place } of placed) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), begin + place.at);
  }
  bytes.set(bytesDigest(bytes), DIGEST_AT);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Opens a buffer. Throws if it is damaged or has another form. `digest` is hexadecimal. */
export function unpack<Shape extends Record<string, Kind>>(
  shape: Shape,
  given: Uint8Array,
): { arrays: Arrays<Shape>; meta: unknown; digest: string } {
  // Typed arrays need aligned positions. Node may give a buffer that begins at any position. It is then
  // copied.
  const bytes = given.byteOffset % ALIGNMENT ? Uint8Array.from(given) : given;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER_AT || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Error('not a screening index');
  }
  const digest = buffer.subarray(DIGEST_AT, HEADER_LENGTH_AT);
  if (!digest.equals(bytesDigest(buffer))) throw new Error('the screening index is damaged');
  const headerLength = buffer.readUInt32LE(HEADER_LENGTH_AT);
  const header = JSON.parse(buffer.toString('utf8', HEADER_AT, HEADER_AT + headerLength)) as Header;
  const begin = bytes.byteOffset + aligned(HEADER_AT + headerLength);
  const views = Object.entries(shape).map(([name, kind]) => {
    const place = header.arrays[name];
    if (!place) throw new Error(`the screening index has no ${name}`);
    return [name, new KINDS[kind](bytes.buffer as ArrayBuffer, begin + place.at, place.length)];
  });
  return { arrays: Object.fromEntries(views), meta: header.meta, digest: digest.toString('hex') };
}

const aligned = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
const bytesDigest = (bytes: Uint8Array) =>
  createHash('sha256').update(bytes.subarray(HEADER_LENGTH_AT)).digest();
