import { createHash } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
import type { PixSettings } from './settings.ts';

const DIGITS = 16;

/** The subject of the evidence: the profile, and a digest of the account that the charges are for. */
export function proofSubject({ profile = 'bacen', baseUrl, key }: PixSettings): string {
  const account = createHash('sha256').update(`${baseUrl} ${key}`).digest('hex').slice(0, DIGITS);
  return `PSP#${profile}#${account}`;
}

/** Refuses a charge of an account that nobody has tried with a stranger's payment. */
export function requirePayerProof(settings: PixSettings): void {
  if (!settings.payerProof?.startsWith(`${proofSubject(settings)}#payer#`))
    throw new Unavailable('the proof of the payer: npm run ops -- psp verify');
}
