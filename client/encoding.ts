/** Encodings of bytes, without Node's Buffer. */

/** Encodes in base64url without padding (RFC 4648, section 5), the encoding of a JWS. */
export function base64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Decodes base32 (RFC 4648, section 6), with or without `=` at the end. Returns undefined if the text has a
 * character that is not in `BASE32`. Drops the last bits if they are not a whole byte.
 */
export function decodeBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const values = Array.from(text.replace(/=+$/, ''), (character) => BASE32.indexOf(character));
  if (values.includes(-1)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
