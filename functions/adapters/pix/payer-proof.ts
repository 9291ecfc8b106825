import { createHash } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
import type { PixSettings } from './settings.ts';

const DIGITS = 16;

/** The subject of the payer's proof in the evidence: the provider's profile, and a digest of our account there. */
export function proofSubject({ profile = 'bacen', baseUrl, key }: PixSettings): string {
  const account = createHash('sha256').update(`${baseUrl} ${key}`).digest('hex').slice(0, DIGITS);
  return `PSP#${profile}#${account}`;
}

/**
 * Throws unless the settings name the proof of this account: a test in which a stranger's payment was refused or
 * detected.
 */
export function requirePayerProof(settings: PixSettings): void {
  if (!settings.payerProof?.startsWith(`${proofSubject(settings)}#payer#`))
    throw new Unavailable('the proof of the payer: npm run ops -- psp verify');
}
