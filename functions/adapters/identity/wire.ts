/**
 * Reads Sumsub's answers. Added fields are ignored ("we may add additional fields … without any notice",
 * https://developers.sumsub.com/api-reference/). Fields that decide are read exactly.
 */

import { Unavailable } from '../../domain/errors.ts';
import { cpfDigits } from '../../domain/kyc/cpf.ts';
import type { DocumentHolder, IdentityReview, LivenessCheck } from '../../domain/kyc/identity.ts';
import type { HttpAnswer } from '../http.ts';

export const PROVIDER = 'the identity provider';

export type Fields = Record<string, unknown>;

/** The provider's ids become parts of a path. */
const ID = /^[a-zA-Z0-9]{1,64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** `2024-03-18 06:46:20+0000`. Without an offset it is UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:([+-]\d{2})(\d{2}))?$/;

export const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** An answer that cannot be understood decides nothing. `what` names the field, never its value. */
export function malformed(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}

/**
 * A refusal that our code or configuration causes. The description is left out, because it names the client. The rest
 * is safe: a name in letters, and the number that the provider's support asks for.
 * https://docs.sumsub.com/reference/review-api-health
 */
export function refused({ status, body }: Pick<HttpAnswer, 'status' | 'body'>, what: string): Error {
  const { errorName, correlationId } = fieldsOf(body);
  const name = /^[a-z][a-z -]{1,60}$/.exec(textOf(errorName) ?? '')?.[0];
  const reference = /^(?:req-[0-9a-f-]{36}|[0-9a-f]{32})$/.exec(textOf(correlationId) ?? '')?.[0];
  const details = [name, reference].filter((each) => each !== undefined).join(', ');
  return new Error(`${PROVIDER} refused ${what}: HTTP ${status} ${details}`.trimEnd());
}

/** The applicant of the answer, which must be this client. https://docs.sumsub.com/reference/get-applicant-data */
export function applicantOf(body: unknown, clientId: string): { id: string; fields: Fields } {
  const fields = fieldsOf(body);
  if (fields.externalUserId !== clientId) throw malformed('externalUserId');
  return { id: idOf(fields.id, 'id'), fields };
}

/**
 * RED with RETRY is still undecided, because the person may send better documents. An approval without a holder counts
 * as malformed.
 */
export function reviewOf(applicant: { id: string; fields: Fields }, level: string): IdentityReview {
  const { answer, rejectType, reviewedAt } = answerOf(applicant.fields.review, level);
  const holder = holderOf(applicant.fields.info);
  if (answer === 'GREEN' && !holder) throw malformed('info');
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
 * The hash of the face, which the provider itself does not make. The mobile or web flow that takes the face may store
 * it as custom metadata of the applicant, an array of `{key, value}`
 * (https://docs.sumsub.com/reference/create-applicants).
 */
function biometricOf(metadata: unknown): Pick<IdentityReview, 'biometricHash'> {
  if (!Array.isArray(metadata)) return {};
  const given = metadata.map(fieldsOf).find(({ key }) => key === BIOMETRIC_KEY);
  const hash = textOf(given?.value)?.toLowerCase() ?? '';
  return /^sha256:[0-9a-f]{64}$/.test(hash) ? { biometricHash: hash } : {};
}

/**
 * The result of a liveness check from the applicant's own review; undefined if the action decides. The action of a
 * client who is not approved proves a face, but not whose. An approved client has shown face and document.
 */
export function livenessOfReview(
  review: IdentityReview,
  documentsSince: number | undefined,
): LivenessCheck | undefined {
  const { status, reviewedAt } = review;
  if (status === 'PENDING') return { status: 'PENDING' };
  const ended = reviewedAt === undefined ? {} : { reviewedAt };
  if (status === 'REJECTED') return { status: 'FAILED', ...ended };
  // An older review was shown on another occasion, perhaps by another person.
  const isShownNow = documentsSince !== undefined && reviewedAt !== undefined && reviewedAt > documentsSince;
  return isShownNow
    ? { status: 'PASSED', ...ended, ...proofOf(review), personReviewedAt: reviewedAt }
    : undefined;
}

/** The person whose face a check proves. */
export function proofOf({
  holder,
  reviewedAt: verifiedAt,
}: IdentityReview): Pick<LivenessCheck, 'holder' | 'verifiedAt'> {
  return { ...(holder && { holder }), ...(verifiedAt !== undefined && { verifiedAt }) };
}

/** RED ends the attempt, whatever its type. The next attempt is another action. */
export function livenessOf(action: Fields, level: string): LivenessCheck {
  const { answer, reviewedAt } = answerOf(action.review, level);
  if (answer !== 'GREEN' && answer !== 'RED') return { status: 'PENDING' };
  const status = answer === 'GREEN' ? 'PASSED' : 'FAILED';
  return { status, ...(reviewedAt !== undefined && { reviewedAt }) };
}

/**
 * The result of a review. "reviewAnswer affects the applicant only when reviewStatus: completed"
 * (https://docs.sumsub.com/reference/get-applicant-review-status). A waiting review may carry a provisional GREEN, or
 * that of its predecessor. Only our level counts, because another level may ask the person for less:
 * docs/decisions.md, "Documents and face are verified by the identity provider".
 */
function answerOf(
  review: unknown,
  level: string,
): { answer?: unknown; rejectType?: unknown; reviewedAt?: number } {
  const { reviewStatus, reviewResult, levelName, reviewDate } = fieldsOf(review);
  if (typeof reviewStatus !== 'string') throw malformed('review');
  if (reviewStatus !== 'completed' || levelName !== level) return {};
  const { reviewAnswer, reviewRejectType } = fieldsOf(reviewResult);
  return { answer: reviewAnswer, rejectType: reviewRejectType, reviewedAt: instantOf(reviewDate) };
}

/** `info` has the document's data. `fixedInfo` would be the person's own statement. */
function holderOf(info: unknown): DocumentHolder | undefined {
  const { firstName, middleName, lastName, dob, tin, idDocs } = fieldsOf(info);
  const names = [firstName, middleName, lastName].map(textOf).filter((name) => name !== undefined);
  const birthDate = dateOf(dob);
  // A number with wrong check digits was misread.
  const cpf = cpfDigits(textOf(tin) ?? '');
  return names.length > 0 && birthDate !== undefined
    ? { name: names.join(' '), birthDate, ...(cpf !== undefined && { cpf }), ...numbersIn(idDocs) }
    : undefined;
}

/** https://docs.sumsub.com/reference/get-applicant-data: `number` of each document, where it could be read. */
function numbersIn(idDocs: unknown): Pick<DocumentHolder, 'documentNumbers'> {
  if (!Array.isArray(idDocs)) return {};
  const numbers = idDocs.map((each) => textOf(fieldsOf(each).number)).filter((text) => text !== undefined);
  return numbers.length > 0 ? { documentNumbers: numbers } : {};
}

/** The rows of a list. The provider uses both `{list: {items}}` and `{items}`. */
export function itemsOf(body: unknown): Fields[] {
  const { items = fieldsOf(fieldsOf(body).list).items } = fieldsOf(body);
  if (!Array.isArray(items)) throw malformed('items');
  return items.map(fieldsOf);
}

function idOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !ID.test(value)) throw malformed(what);
  return value;
}

/** The address of a page for a person. */
export function linkOf(body: unknown): string {
  const { url } = fieldsOf(body);
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:\/\//.test(url)) throw malformed('url');
  return url;
}

/** A token, which must be this client's. */
export function tokenOf(body: unknown, clientId: string): string {
  const { token, userId } = fieldsOf(body);
  if (userId !== clientId) throw malformed('userId');
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token)) throw malformed('token');
  return token;
}

/** Undefined if there is no such day. */
function dateOf(value: unknown): string | undefined {
  const text = textOf(value) ?? '';
  const at = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

function instantOf(value: unknown): number | undefined {
  const [, date, time, hours = '+00', minutes = '00'] = INSTANT.exec(textOf(value) ?? '') ?? [];
  const at = Date.parse(`${date}T${time}${hours}:${minutes}`);
  return Number.isNaN(at) ? undefined : at;
}
