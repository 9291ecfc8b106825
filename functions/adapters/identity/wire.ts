/**
 * Sumsub's answers, read leniently where fields are added ("we may add additional fields … without any notice",
 * https://developers.sumsub.com/api-reference/) and exactly where they decide.
 */

import { Unavailable } from '../../domain/errors.ts';
import { cpfDigits } from '../../domain/kyc/cpf.ts';
import type { DocumentHolder, IdentityReview, LivenessCheck } from '../../domain/kyc/identity.ts';
import type { HttpAnswer } from '../http.ts';

export const PROVIDER = 'the identity provider';

export type Fields = Record<string, unknown>;

/** Their ids become parts of a path. */
const ID = /^[a-zA-Z0-9]{1,64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** `2024-03-18 06:46:20+0000`, or without an offset, which is then UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:([+-]\d{2})(\d{2}))?$/;

export const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** An answer that cannot be understood decides nothing. `what` names the field, never its value. */
export function malformed(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}

/**
 * A refusal that our code or configuration is to blame for. The description is left out, for it names the client;
 * the rest cannot: a name in letters, and the number that the provider's support asks for.
 * https://docs.sumsub.com/reference/review-api-health
 */
export function refused({ status, body }: Pick<HttpAnswer, 'status' | 'body'>, what: string): Error {
  const { errorName, correlationId } = fieldsOf(body);
  const name = /^[a-z][a-z -]{1,60}$/.exec(textOf(errorName) ?? '')?.[0];
  const reference = /^(?:req-[0-9a-f-]{36}|[0-9a-f]{32})$/.exec(textOf(correlationId) ?? '')?.[0];
  const details = [name, reference].filter((each) => each !== undefined).join(', ');
  return new Error(`${PROVIDER} refused ${what}: HTTP ${status} ${details}`.trimEnd());
}

/** The applicant's answer, if it is about this client. https://docs.sumsub.com/reference/get-applicant-data */
export function applicantOf(body: unknown, clientId: string): { id: string; fields: Fields } {
  const fields = fieldsOf(body);
  if (fields.externalUserId !== clientId) throw malformed('externalUserId');
  return { id: idOf(fields.id, 'id'), fields };
}

/**
 * RED with RETRY is still to be decided: the person may send better documents. Who was approved must be known, or
 * nothing is.
 */
export function reviewOf(applicant: { id: string; fields: Fields }, level: string): IdentityReview {
  const { answer, rejectType, reviewedAt } = answerOf(applicant.fields.review, level);
  const holder = holderOf(applicant.fields.info);
  if (answer === 'GREEN' && !holder) throw malformed('info');
  const isFinal = answer === 'RED' && rejectType === 'FINAL';
  const status = answer === 'GREEN' ? 'APPROVED' : isFinal ? 'REJECTED' : 'PENDING';
  return {
    ...{ applicantId: applicant.id, status },
    ...(holder && { holder }),
    ...biometricOf(applicant.fields.metadata),
    ...(reviewedAt !== undefined && { reviewedAt }),
  };
}

const BIOMETRIC_KEY = 'biometricHash';

/**
 * The provider hashes nothing itself; the mobile or web flow that takes the face may leave the hash with the applicant
 * as custom metadata, an array of `{key, value}` (https://docs.sumsub.com/reference/create-applicants).
 */
function biometricOf(metadata: unknown): Pick<IdentityReview, 'biometricHash'> {
  if (!Array.isArray(metadata)) return {};
  const given = metadata.map(fieldsOf).find(({ key }) => key === BIOMETRIC_KEY);
  const hash = textOf(given?.value)?.toLowerCase() ?? '';
  return /^sha256:[0-9a-f]{64}$/.test(hash) ? { biometricHash: hash } : {};
}

/**
 * What the applicant's own review says of a liveness check; undefined where the action decides. The action of somebody
 * who is not approved proves that there is a face, and not whose. One that is approved has shown face and document.
 */
export function livenessOfReview(
  review: IdentityReview,
  documentsSince: number | undefined,
): LivenessCheck | undefined {
  const { status, reviewedAt } = review;
  if (status === 'PENDING') return { status: 'PENDING' };
  const ended = reviewedAt === undefined ? {} : { reviewedAt };
  if (status === 'REJECTED') return { status: 'FAILED', ...ended };
  // An older one was shown on another occasion, by whomever.
  const isShownNow = documentsSince !== undefined && reviewedAt !== undefined && reviewedAt > documentsSince;
  return isShownNow
    ? { status: 'PASSED', ...ended, ...proofOf(review), personReviewedAt: reviewedAt }
    : undefined;
}

/** Whose face a check proves. */
export function proofOf({
  holder,
  reviewedAt: verifiedAt,
}: IdentityReview): Pick<LivenessCheck, 'holder' | 'verifiedAt'> {
  return { ...(holder && { holder }), ...(verifiedAt !== undefined && { verifiedAt }) };
}

/** RED is the end whatever its type: the next attempt is another action. */
export function livenessOf(action: Fields, level: string): LivenessCheck {
  const { answer, reviewedAt } = answerOf(action.review, level);
  if (answer !== 'GREEN' && answer !== 'RED') return { status: 'PENDING' };
  const status = answer === 'GREEN' ? 'PASSED' : 'FAILED';
  return { status, ...(reviewedAt !== undefined && { reviewedAt }) };
}

/**
 * What a review has come to. "reviewAnswer affects the applicant only when reviewStatus: completed"
 * (https://docs.sumsub.com/reference/get-applicant-review-status): one that waits may carry a provisional GREEN, or
 * its predecessor's. And only our level's counts, since another may ask the person for less: docs/decisions.md,
 * "Documents and face are verified by the identity provider".
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

/** `info` is what the documents say; `fixedInfo` would be what the person said. */
function holderOf(info: unknown): DocumentHolder | undefined {
  const { firstName, middleName, lastName, dob, tin } = fieldsOf(info);
  const names = [firstName, middleName, lastName].map(textOf).filter((name) => name !== undefined);
  const birthDate = dateOf(dob);
  // A number without valid check digits was misread, and is nobody's.
  const cpf = cpfDigits(textOf(tin) ?? '');
  return names.length > 0 && birthDate !== undefined
    ? { name: names.join(' '), birthDate, ...(cpf !== undefined && { cpf }) }
    : undefined;
}

/** The rows of a list; `{list: {items}}` and `{items}` are both in use. */
export function itemsOf(body: unknown): Fields[] {
  const { items = fieldsOf(fieldsOf(body).list).items } = fieldsOf(body);
  if (!Array.isArray(items)) throw malformed('items');
  return items.map(fieldsOf);
}

function idOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !ID.test(value)) throw malformed(what);
  return value;
}

/** A page that a person is sent to. */
export function linkOf(body: unknown): string {
  const { url } = fieldsOf(body);
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:\/\//.test(url)) throw malformed('url');
  return url;
}

/** A token of this very client. */
export function tokenOf(body: unknown, clientId: string): string {
  const { token, userId } = fieldsOf(body);
  if (userId !== clientId) throw malformed('userId');
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token)) throw malformed('token');
  return token;
}

/** If there is such a day. */
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
