import { createHash } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
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
 * Throws unless the settings name the payer's proof for this account. The proof is a test in which a payment
 * by a stranger was refused or detected.
 */
export function requirePayerProof(settings: PixSettings): void {
  if (!settings.payerProof?.startsWith(`${proofSubject(settings)}#payer#`))
    throw new Unavailable('the proof of the payer: npm run ops -- psp verify');
}
