import { hex } from './encoding.ts';

/**
 * Returns the `biometricHash` of a picture of the client's face: `sha256:` and the SHA-256 in 64 hexadecimal
 * digits, in lower case. Give the unchanged bytes of the picture that the identity verifier has. The service
 * can compare only hashes, and a changed picture has another hash. Throws a `TypeError` if there are no
 * bytes.
 */
export async function biometricHash(data: Uint8Array | ArrayBuffer): Promise<string> {
  const bytes = new Uint8Array(data);
  // Without this check an empty buffer, such as a failed read, would give every client the same hash.
  if (bytes.length === 0) throw new TypeError('biometricHash needs the bytes of the biometric data');
  return `sha256:${hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
