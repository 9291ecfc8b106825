import { describe, expect, it } from 'vitest';
import {
  ERRORS,
  type ErrorCode,
  ordinary,
  Refusal,
  refuse,
  StepOutcome,
  Unavailable,
} from '../../functions/domain/errors.ts';

/** The table of the specification, "Errors". */
const SPECIFIED: [string, number][] = [
  ['INVALID_API_KEY', 401],
  ['PARTNER_SUSPENDED', 403],
  ['KYC_REJECTED', 422],
  ['KYC_TOKEN_EXPIRED', 422],
  ['INVALID_WALLET_ADDRESS', 422],
  ['TRANSACTION_NOT_FOUND', 404],
  ['MFA_INVALID_CODE', 422],
  ['RATE_LIMIT_EXCEEDED', 429],
  ['INTERNAL_ERROR', 500],
];
const CODES = Object.keys(ERRORS) as ErrorCode[];
const isOurs = (code: ErrorCode) => 'ours' in ERRORS[code];

describe('the catalogue of errors', () => {
  it.each(SPECIFIED)('has for %s the status %d', (code, status) => {
    expect(ERRORS[code as ErrorCode]?.status).toBe(status);
  });

  it('has the nine codes of the specification, and marks all others as ours', () => {
    const specified = CODES.filter((code) => !isOurs(code));

    expect(specified.sort()).toEqual(SPECIFIED.map(([code]) => code).sort());
  });

  it.each([
    ['NOT_FOUND', 404],
    ['REQUEST_TOO_LARGE', 413],
    ['INVALID_REQUEST', 400],
    ['AMOUNT_OUT_OF_RANGE', 422],
    ['UNSUPPORTED_ASSET', 422],
    ['KYC_TOKEN_NOT_FOUND', 404],
    ['KYC_NOT_APPROVED', 422],
    ['CLIENT_BLOCKED', 403],
    ['WALLET_RISK_TOO_HIGH', 422],
    ['TRANSACTION_EXPIRED', 409],
    ['INVALID_TRANSACTION_STATE', 409],
    ['CHALLENGE_TYPE_MISMATCH', 409],
    ['MFA_ATTEMPTS_EXCEEDED', 422],
    ['IDEMPOTENCY_KEY_REUSED', 409],
    ['IDEMPOTENCY_IN_PROGRESS', 409],
    ['QUOTE_NOT_FOUND', 404],
    ['QUOTE_MISMATCH', 409],
    ['QUOTE_USED', 409],
    ['QUOTE_EXPIRED', 409],
    ['PRICE_UNAVAILABLE', 503],
    ['PROMISES_EXHAUSTED', 503],
    ['LIMIT_EXCEEDED', 422],
    ['LIQUIDITY_UNAVAILABLE', 503],
  ] as const)('has for our code %s the status %d', (code, status) => {
    expect(ERRORS[code]).toMatchObject({ status, ours: true });
  });

  // docs/decisions.md, "Precedence of refusals"
  it.each([
    ['INVALID_API_KEY', 'PARTNER_SUSPENDED'],
    ['PARTNER_SUSPENDED', 'RATE_LIMIT_EXCEEDED'],
    ['RATE_LIMIT_EXCEEDED', 'INVALID_REQUEST'],
    ['INVALID_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
    ['IDEMPOTENCY_KEY_REUSED', 'AMOUNT_OUT_OF_RANGE'],
    ['AMOUNT_OUT_OF_RANGE', 'UNSUPPORTED_ASSET'],
    ['UNSUPPORTED_ASSET', 'INVALID_WALLET_ADDRESS'],
    ['INVALID_WALLET_ADDRESS', 'KYC_TOKEN_NOT_FOUND'],
    ['KYC_TOKEN_NOT_FOUND', 'KYC_TOKEN_EXPIRED'],
    ['KYC_TOKEN_EXPIRED', 'KYC_NOT_APPROVED'],
    ['KYC_NOT_APPROVED', 'CLIENT_BLOCKED'],
    ['CLIENT_BLOCKED', 'WALLET_RISK_TOO_HIGH'],
    ['TRANSACTION_NOT_FOUND', 'TRANSACTION_EXPIRED'],
    ['TRANSACTION_EXPIRED', 'INVALID_TRANSACTION_STATE'],
    ['INVALID_TRANSACTION_STATE', 'CHALLENGE_TYPE_MISMATCH'],
    ['CHALLENGE_TYPE_MISMATCH', 'MFA_ATTEMPTS_EXCEEDED'],
    ['MFA_ATTEMPTS_EXCEEDED', 'MFA_INVALID_CODE'],
    ['WALLET_RISK_TOO_HIGH', 'QUOTE_NOT_FOUND'],
    ['QUOTE_NOT_FOUND', 'QUOTE_MISMATCH'],
    ['QUOTE_MISMATCH', 'QUOTE_USED'],
    ['QUOTE_USED', 'QUOTE_EXPIRED'],
    ['MFA_INVALID_CODE', 'QUOTE_EXPIRED'],
    ['QUOTE_EXPIRED', 'PRICE_UNAVAILABLE'],
    ['WALLET_RISK_TOO_HIGH', 'PRICE_UNAVAILABLE'],
    ['MFA_INVALID_CODE', 'PRICE_UNAVAILABLE'],
    ['PRICE_UNAVAILABLE', 'LIMIT_EXCEEDED'],
    ['LIMIT_EXCEEDED', 'LIQUIDITY_UNAVAILABLE'],
    ['WALLET_RISK_TOO_HIGH', 'LIQUIDITY_UNAVAILABLE'],
    ['MFA_INVALID_CODE', 'LIQUIDITY_UNAVAILABLE'],
  ] as const)('answers %s before %s, by its order', (first, second) => {
    expect(CODES.indexOf(first)).toBeLessThan(CODES.indexOf(second));
  });

  it('ends with INTERNAL_ERROR, which is answered if no other code applies', () => {
    expect(CODES.at(-1)).toBe('INTERNAL_ERROR');
  });

  // Spec, Errors: "error.code (string, upper snake case)"
  it.each(CODES)('writes %s in upper snake case, with a sentence for people', (code) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(ERRORS[code].message).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a refusal', () => {
  it.each(CODES)('%s has its code as its name, for the state machine', (code) => {
    const refusal = new Refusal(code);

    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ name: code, code, details: {}, message: ERRORS[code].message });
  });

  it('carries details to the partner', () => {
    const details = { reason: 'SANCTIONS_HIT' };

    expect(() => refuse('KYC_REJECTED', details)).toThrow(
      expect.objectContaining({ code: 'KYC_REJECTED', details }),
    );
  });
});

describe('unavailable', () => {
  it('is not a refusal, names the provider, and asks to come back in 5 seconds', () => {
    const error = new Unavailable('the CPF registry');

    expect(error).not.toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ name: 'Unavailable', retryAfterSeconds: 5 });
    expect(error.message).toBe('the CPF registry is unavailable');
  });

  it('keeps the cause and the waiting time that the provider gave', () => {
    const cause = new Error('503');

    expect(new Unavailable('the PSP', { retryAfterSeconds: 60, cause })).toMatchObject({
      retryAfterSeconds: 60,
      cause,
    });
  });
});

describe('an error that leaves a step', () => {
  // The fields of the error, as Lambda writes them.
  const logged = (error: Error) => JSON.parse(JSON.stringify({ ...error })) as object;

  const refusal = new Refusal('WALLET_RISK_TOO_HIGH');

  it.each([
    ['tells the log that it is ordinary where it is', new StepOutcome('NotYetConfirmed', 'x'), true],
    ['does not where settlement has failed', new StepOutcome('SettlementFailed', 'x'), false],
    ['does not where nobody answers', new Unavailable('the chain'), false],
    ['tells it where nobody has to answer yet', ordinary(new Unavailable('the deadline')), true],
    ['tells it where the purchase is refused as it should be', ordinary(refusal), true],
  ])('has the name and the fields of %s', (_, error, isOrdinary) => {
    expect('isOrdinary' in logged(error)).toBe(isOrdinary);
  });
});
