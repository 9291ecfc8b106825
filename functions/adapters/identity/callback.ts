import { createHmac, timingSafeEqual } from 'node:crypto';
import { parsedJson } from '../../domain/json.ts';
import type { IdentityHint } from '../../domain/kyc/identity.ts';
import { identityFields } from './wire.ts';

/**
 * The digest algorithms that we accept. SHA-256 is the provider's default, and SHA-512 the alternative
 * (https://docs.sumsub.com/docs/webhook-manager). The header that names the algorithm is not signed. An attacker who
 * can forge the old HMAC_SHA1_HEX could name that, so we do not accept it.
 */
const HASHES = new Map([
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
]);

/**
 * Whether the headers have the HMAC of exactly this body, made with our webhook secret. Header names are in
 * lower case. The comparison takes the same time for every digest.
 */
export function isIdentitySigned(
  body: string,
  headers: Record<string, string | undefined>,
  webhookSecret: string,
): boolean {
  const hash = HASHES.get(headers['x-payload-digest-alg'] ?? '');
  // With an empty secret anybody could sign.
  if (hash === undefined || webhookSecret === '') return false;
  const expected = Buffer.from(createHmac(hash, webhookSecret).update(body).digest('hex'));
  const given = Buffer.from(headers['x-payload-digest'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * The types of callbacks to which we react (https://docs.sumsub.com/docs/user-verification-webhooks). Some
 * announce a review that is not decided yet. Each callback only makes us read the review, which does no harm.
 */
const APPLICANT_TYPES = ['applicantReviewed', 'applicantPending', 'applicantOnHold'];
const ACTION_TYPES = ['applicantActionReviewed', 'applicantActionPending', 'applicantActionOnHold'];

const CLIENT_ID = /^[0-9a-f]{64}$/;
/** A purchase's id and the number of the attempt, as `livenessIdOf` writes them. */
const LIVENESS_ID = /^[0-9A-Z]{26}-\d{1,6}$/;

/**
 * The client or the liveness check that a callback names. Undefined if its type is another one, or if its id
 * does not have our form.
 */
export function identityHint(body: string): IdentityHint | undefined {
  const { type, externalUserId, externalApplicantActionId } = identityFields(parsedJson(body));
  if (ACTION_TYPES.some((each) => each === type)) {
    const livenessId = identityMatch(externalApplicantActionId, LIVENESS_ID);
    return livenessId === undefined ? undefined : { livenessId };
  }
  if (!APPLICANT_TYPES.some((each) => each === type)) return undefined;
  const clientId = identityMatch(externalUserId, CLIENT_ID);
  return clientId === undefined ? undefined : { clientId };
}

const identityMatch = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;
