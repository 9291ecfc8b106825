/** Data about a client that are wrong at their source: docs/operations.md, "A client's rights". */

/** The data that may be wrong, each with the source that must correct it. */
export const CORRECTABLE = {
  name: 'the CPF registry',
  birthDate: 'the CPF registry',
  cpfStatus: 'the CPF registry',
  company: 'the company registry',
  document: 'the identity provider',
  collected: 'the partner',
} as const;
export type CorrectableField = keyof typeof CORRECTABLE;

/** An operator's note that a field is wrong. It has no new value, because only the source may name that. */
export type Correction = { field: CorrectableField; at: number; by: string; reason: string };

/** No KYC token that was issued before this instant is valid any more, because it may rest on wrong data. */
export type Corrected = { correctedAt?: number };

type Issued = { issuedAt: number; expiresAt: number };

/** When the token of a KYC record ends. */
export function endOfToken({ issuedAt, expiresAt }: Issued, { correctedAt = 0 }: Corrected): number {
  return issuedAt < correctedAt ? Math.min(expiresAt, correctedAt) : expiresAt;
}

/** The corrections that came after a KYC record. Its searched identity may therefore be wrong. */
export function correctionsAfter(
  { issuedAt }: Pick<Issued, 'issuedAt'>,
  { corrections = [] }: { corrections?: readonly Correction[] },
): Correction[] {
  return corrections.filter(({ at }) => issuedAt < at);
}
