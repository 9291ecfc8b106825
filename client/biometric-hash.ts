import { hex } from './encoding.ts';

/**
 * Returns the `biometricHash` of biometric data: `sha256:` and 64 digits in lower case. The service compares hashes
 * alone, so give the bytes of the very picture that your verifier has.
 */
export async function biometricHash(data: Uint8Array | ArrayBuffer): Promise<string> {
  const bytes = new Uint8Array(data);
  // Without this check an empty buffer, such as a failed read, would give every client the same hash.
  if (bytes.length === 0) throw new TypeError('biometricHash needs the bytes of the biometric data');
  return `sha256:${hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
