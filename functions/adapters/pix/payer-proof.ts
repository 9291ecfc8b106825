import { createHash } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
import type { Lookup } from '../../domain/ports.ts';
import type { PixSettings } from './settings.ts';

const DIGITS = 16;

/**
 * The subject under which the evidence store has the payer's proof. It consists of the provider's profile and
 * a digest of our account there.
 */
export function proofSubject({ profile = 'bacen', baseUrl, key }: PixSettings): string {
  const account = createHash('sha256').update(`${baseUrl} ${key}`).digest('hex').slice(0, DIGITS);
  return `PSP#${profile}#${account}`;
}

/**
 * The text that proves a passed test: the id of its evidence, sealed. Without the seal, the id of a failed test or an
 * invented one would look the same.
 */
export async function payerProofOf(evidenceId: string, lookup: Lookup): Promise<string> {
  return `${evidenceId}#${await lookup.fingerprint(`payer proof ${evidenceId}`)}`;
}

/** Throws unless the settings have the payer's proof for this account. */
export async function requirePayerProof(settings: PixSettings, lookup: Lookup): Promise<void> {
  if ((await findProvenAt(settings, lookup)) === undefined)
    throw new Unavailable('the proof of the payer: npm run ops -- psp verify');
}

/**
 * When a payment by a stranger was refused or detected at this account. Undefined if the settings have no valid proof
 * of it. The proof's seal covers the instant, so an old proof cannot be made younger.
 */
export async function findProvenAt(settings: PixSettings, lookup: Lookup): Promise<number | undefined> {
  const { payerProof = '' } = settings;
  const evidenceId = payerProof.slice(0, payerProof.lastIndexOf('#'));
  const isOfAccount = evidenceId.startsWith(`${proofSubject(settings)}#payer#`);
  if (!isOfAccount || payerProof !== (await payerProofOf(evidenceId, lookup))) return undefined;
  return Number(evidenceId.slice(evidenceId.lastIndexOf('#') + 1));
}
