/**
 * Reads Sumsub's answers. Unknown fields are ignored ("we may add additional fields … without any notice",
 * https://developers.sumsub.com/api-reference/). A field on which a decision depends must have exactly the
 * expected form.
 */

import { Unavailable } from '../../domain/errors.ts';
import { cpfDigits } from '../../domain/kyc/cpf.ts';
import type { DocumentHolder, IdentityReview, LivenessCheck } from '../../domain/kyc/identity.ts';
import type { HttpAnswer } from '../http.ts';

export const PROVIDER = 'the identity provider';

export type IdentityFields = Record<string, unknown>;

/** The form of the provider's ids. It is checked, because these ids become parts of URL paths. */
const ID = /^[a-zA-Z0-9]{1,64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** An instant as the provider writes it, for example `2024-03-18 06:46:20+0000`. Without an offset it is in UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:([+-]\d{2})(\d{2}))?$/;

export const identityFields = (value: unknown): IdentityFields => Object(value) as IdentityFields;

const identityText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * The error for an answer that does not have the expected form. Nothing is decided from this answer, and the
 * caller tries again later. `what` names the field, never its value.
 */
export function malformedIdentity(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}

/**
 * The error for a request that the provider refused because of our code or configuration. The error leaves
 * out the provider's description, because that may name the client. The provider's error name and reference
 * number contain no personal data.
 * https://docs.sumsub.com/reference/review-api-health
 */
export function refusedIdentity({ status, body }: Pick<HttpAnswer, 'status' | 'body'>, what: string): Error {
  const { errorName, correlationId } = identityFields(body);
  const name = /^[a-z][a-z -]{1,60}$/.exec(identityText(errorName) ?? '')?.[0];
  const reference = /^(?:req-[0-9a-f-]{36}|[0-9a-f]{32})$/.exec(identityText(correlationId) ?? '')?.[0];
  const details = [name, reference].filter((each) => each !== undefined).join(', ');
  return new Error(`${PROVIDER} refused ${what}: HTTP ${status} ${details}`.trimEnd());
}

/**
 * Reads an applicant. Throws if it is not the applicant of this client.
 * https://docs.sumsub.com/reference/get-applicant-data
 */
export function applicantOf(body: unknown, clientId: string): { id: string; fields: IdentityFields } {
  const fields = identityFields(body);
  if (fields.externalUserId !== clientId) throw malformedIdentity('externalUserId');
  return { id: requireWireId(fields.id, 'id'), fields };
}

/**
 * Reads the review of an applicant. RED with RETRY is `PENDING`, because the person may send better
 * documents. A GREEN review without the person's data is malformed.
 */
export function identityReviewOf(
  applicant: { id: string; fields: IdentityFields },
  level: string,
): IdentityReview {
  const { answer, rejectType, reviewedAt } = reviewAnswerOf(applicant.fields.review, level);
  const holder = holderOf(applicant.fields.info);
  if (answer === 'GREEN' && !holder) throw malformedIdentity('info');
  const isFinal = answer === 'RED' && rejectType === 'FINAL';
  const status = answer === 'GREEN' ? 'APPROVED' : isFinal ? 'REJECTED' : 'PENDING';
  return {
    applicantId: applicant.id,
    status,
    ...(holder && { holder }),
    ...biometricOf(applicant.fields.metadata),
    ...(reviewedAt !== undefined && { reviewedAt }),
  };
}

const BIOMETRIC_KEY = 'biometricHash';

/**
 * The hash of the face. The provider does not make this hash itself. The app or page that takes the face may
 * store it as custom metadata of the applicant, an array of `{key, value}`
 * (https://docs.sumsub.com/reference/create-applicants).
 */
function biometricOf(metadata: unknown): Pick<IdentityReview, 'biometricHash'> {
  if (!Array.isArray(metadata)) return {};
  const given = metadata.map(identityFields).find(({ key }) => key === BIOMETRIC_KEY);
  const hash = identityText(given?.value)?.toLowerCase() ?? '';
  return /^sha256:[0-9a-f]{64}$/.test(hash) ? { biometricHash: hash } : {};
}

/**
 * The result of a purchase's liveness check, as far as the applicant's own review decides it. Undefined if
 * the liveness action must decide. An action verifies a face, but only an approved review proves whose face
 * it is. A review that was approved after `documentsSince` has checked face and document for this purchase,
 * so it replaces the action.
 */
export function livenessOfReview(
  review: IdentityReview,
  documentsSince: number | undefined,
): LivenessCheck | undefined {
  const { status, reviewedAt } = review;
  if (status === 'PENDING') return { status: 'PENDING' };
  const ended = reviewedAt === undefined ? {} : { reviewedAt };
  if (status === 'REJECTED') return { status: 'FAILED', ...ended };
  // An older review was not made for this purchase, so it does not show who is in front of the camera now.
  const isShownNow = documentsSince !== undefined && reviewedAt !== undefined && reviewedAt > documentsSince;
  return isShownNow
    ? { status: 'PASSED', ...ended, ...reviewProofOf(review), personReviewedAt: reviewedAt }
    : undefined;
}

/** The person whose face this check has proven. */
export function reviewProofOf({
  holder,
  reviewedAt: verifiedAt,
}: IdentityReview): Pick<LivenessCheck, 'holder' | 'verifiedAt'> {
  return { ...(holder && { holder }), ...(verifiedAt !== undefined && { verifiedAt }) };
}

/**
 * Reads the result of a liveness action. RED of any kind ends the attempt. The next attempt is a new action.
 */
export function livenessOf(action: IdentityFields, level: string): LivenessCheck {
  const { answer, reviewedAt } = reviewAnswerOf(action.review, level);
  if (answer !== 'GREEN' && answer !== 'RED') return { status: 'PENDING' };
  const status = answer === 'GREEN' ? 'PASSED' : 'FAILED';
  return { status, ...(reviewedAt !== undefined && { reviewedAt }) };
}

/**
 * The result of a review. "reviewAnswer affects the applicant only when reviewStatus: completed"
 * (https://docs.sumsub.com/reference/get-applicant-review-status). A review that is not completed may already
 * show GREEN, provisionally or from an earlier review. A review of another level is ignored, because that
 * level may ask for less: docs/decisions.md, "Documents and face are verified by the identity provider".
 */
function reviewAnswerOf(
  review: unknown,
  level: string,
): { answer?: unknown; rejectType?: unknown; reviewedAt?: number } {
  const { reviewStatus, reviewResult, levelName, reviewDate } = identityFields(review);
  if (typeof reviewStatus !== 'string') throw malformedIdentity('review');
  if (reviewStatus !== 'completed' || levelName !== level) return {};
  const { reviewAnswer, reviewRejectType } = identityFields(reviewResult);
  return { answer: reviewAnswer, rejectType: reviewRejectType, reviewedAt: identityInstant(reviewDate) };
}

/**
 * Reads the holder of the document from `info`, which has the data of the document. `fixedInfo` is not read,
 * because the provider has it from us.
 */
function holderOf(info: unknown): DocumentHolder | undefined {
  const { firstName, middleName, lastName, dob, tin, idDocs } = identityFields(info);
  const names = [firstName, middleName, lastName].map(identityText).filter((name) => name !== undefined);
  const birthDate = dateOf(dob);
  // If the check digits are wrong, the number was misread, so it is dropped.
  const cpf = cpfDigits(identityText(tin) ?? '');
  return names.length > 0 && birthDate !== undefined
    ? { name: names.join(' '), birthDate, ...(cpf !== undefined && { cpf }), ...numbersIn(idDocs) }
    : undefined;
}

/**
 * Reads the numbers of the documents. Documents whose number could not be read are left out.
 * https://docs.sumsub.com/reference/get-applicant-data
 */
function numbersIn(idDocs: unknown): Pick<DocumentHolder, 'documentNumbers'> {
  if (!Array.isArray(idDocs)) return {};
  const numbers = idDocs
    .map((each) => identityText(identityFields(each).number))
    .filter((text) => text !== undefined);
  return numbers.length > 0 ? { documentNumbers: numbers } : {};
}

/** The entries of a list. The provider sends a list as `{list: {items}}` or as `{items}`. */
export function itemsOf(body: unknown): IdentityFields[] {
  const { items = identityFields(identityFields(body).list).items } = identityFields(body);
  if (!Array.isArray(items)) throw malformedIdentity('items');
  return items.map(identityFields);
}

function requireWireId(value: unknown, what: string): string {
  if (typeof value !== 'string' || !ID.test(value)) throw malformedIdentity(what);
  return value;
}

/** Reads the URL of a page for a client. */
export function linkOf(body: unknown): string {
  const { url } = identityFields(body);
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:\/\//.test(url))
    throw malformedIdentity('url');
  return url;
}

/** Reads an access token. Throws if it is not for this client. */
export function livenessTokenOf(body: unknown, clientId: string): string {
  const { token, userId } = identityFields(body);
  if (userId !== clientId) throw malformedIdentity('userId');
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token)) throw malformedIdentity('token');
  return token;
}

/** Reads a date, ISO. Undefined if the calendar has no such day. */
function dateOf(value: unknown): string | undefined {
  const text = identityText(value) ?? '';
  const at = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

function identityInstant(value: unknown): number | undefined {
  const [, date, time, hours = '+00', minutes = '00'] = INSTANT.exec(identityText(value) ?? '') ?? [];
  const at = Date.parse(`${date}T${time}${hours}:${minutes}`);
  return Number.isNaN(at) ? undefined : at;
}
