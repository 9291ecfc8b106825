/**
 * Opens a ZIP archive with exactly one file, as Portal da Transparência serves it (PKWARE, APPNOTE.TXT 6.3).
 */
import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import { ListDamaged, type ListFile } from './list-file.ts';

const END_OF_DIRECTORY = 0x06054b50;
const IN_DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const DIRECTORY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** The most bytes of the unpacked file. A larger file is not a list, and would fill the memory. */
const MAX_UNZIPPED = 256 * 1024 * 1024;
/**
 * The archive is unpacked in pieces of this many packed bytes. Only the result of one piece is in memory at a
 * time.
 */
const PIECE_BYTES = 16 * 1024;

type Member = { name: string; crc: number; size: number; method: number; packed: Uint8Array };

export const isZip = (bytes: Uint8Array) =>
  bytes.length > END_BYTES && viewOf(bytes).getUint32(0, true) === LOCAL;

/**
 * Opens the archive's only file. The file is unpacked while the caller reads it, and its length and checksum
 * are checked at the end. Throws `ListDamaged` if the archive is cut, altered or of another form. The error
 * may come from this function or later, from the read.
 */
export function unzip(name: string, bytes: Uint8Array): ListFile {
  try {
    const member = memberOf(name, bytes);
    return { name: member.name, chunks: checked(name, member) };
  } catch (error) {
    // A RangeError means that the archive names a position beyond its last byte.
    if (error instanceof RangeError) throw new ListDamaged(name, 'the archive is cut', { cause: error });
    throw error;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

function memberOf(archive: string, bytes: Uint8Array): Member {
  const view = viewOf(bytes);
  const end = endOfDirectory(archive, view);
  if (view.getUint16(end + 10, true) !== 1)
    throw new ListDamaged(archive, 'there is not exactly one file in it');
  const at = view.getUint32(end + 16, true);
  if (view.getUint32(at, true) !== IN_DIRECTORY) throw new ListDamaged(archive, 'its directory is damaged');
  if (view.getUint16(at + 8, true) & ENCRYPTED) throw new ListDamaged(archive, 'it is encrypted');
  const nameBytes = view.getUint16(at + 28, true);
  const name = Buffer.from(bytes.subarray(at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + nameBytes));
  const size = view.getUint32(at + 24, true);
  if (size > MAX_UNZIPPED) throw new ListDamaged(archive, `it unpacks to ${size} bytes`);
  const local = view.getUint32(at + 42, true);
  if (view.getUint32(local, true) !== LOCAL)
    throw new ListDamaged(archive, 'its file is not where it should be');
  const begin = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packed = bytes.subarray(begin, begin + view.getUint32(at + 20, true));
  const method = view.getUint16(at + 10, true);
  if (method !== STORED && method !== DEFLATED)
    throw new ListDamaged(archive, `it is packed by method ${method}`);
  return { name: name.toString('latin1'), crc: view.getUint32(at + 16, true), size, method, packed };
}

/**
 * The position of the directory's end record. Only a comment of at most `MAX_COMMENT` bytes can follow the
 * record in the archive.
 */
function endOfDirectory(archive: string, view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw new ListDamaged(archive, 'it is no archive, or cut');
}

function* checked(archive: string, member: Member): Generator<Uint8Array> {
  let size = 0;
  let crc = 0;
  for (const chunk of member.method === STORED ? [member.packed] : inflated(archive, member.packed)) {
    size += chunk.length;
    if (size > member.size) throw new ListDamaged(archive, 'it unpacks to more than it says');
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== member.size) throw new ListDamaged(archive, `it unpacks to ${size} bytes of ${member.size}`);
  if (crc !== member.crc) throw new ListDamaged(archive, 'its checksum is another');
}

function* inflated(archive: string, packed: Uint8Array): Generator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const inflate = new Inflate((chunk) => ready.push(chunk));
  for (let at = 0; at < packed.length; at += PIECE_BYTES) {
    const end = at + PIECE_BYTES;
    try {
      inflate.push(packed.subarray(at, end), end >= packed.length);
    } catch (cause) {
      throw new ListDamaged(archive, 'it cannot be unpacked', { cause });
    }
    yield* ready;
    ready = [];
  }
}
