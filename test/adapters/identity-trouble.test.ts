import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identityReviewOf, livenessOf } from '../../functions/adapters/identity/wire.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { StubAnswer } from '../support/stub-server.ts';
import {
  ACTION,
  APPLICANT,
  APPLICANT_ID,
  CHECK,
  CLIENT_ID,
  CPF,
  CREATE,
  FIND,
  failureOf,
  type Identity,
  LINK,
  LIST,
  startIdentity,
  TOKEN,
} from './identity-fixtures.ts';

let at: Identity;
beforeEach(async () => {
  at = await startIdentity();
});
afterEach(() => at.stub.close());

describe('a failure', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['openApplicant', () => at.provider.openApplicant({ clientId: CLIENT_ID, cpf: CPF })],
    ['findReview', () => at.provider.findReview(CLIENT_ID)],
    ['verificationLink', () => at.provider.verificationLink(CLIENT_ID, 600)],
    ['widgetToken', () => at.provider.widgetToken(CLIENT_ID, 600)],
    ['livenessLink', () => at.provider.livenessLink({ ...CHECK, ttlSeconds: 600 })],
    ['findLiveness', () => at.provider.findLiveness(CHECK)],
  ];
  const leak = { description: `${CPF} SMITH ${CLIENT_ID}`, errorName: CPF, correlationId: CLIENT_ID };
  const SECRETS = new RegExp(`${CPF}|SMITH|CHRISTIAN|${CLIENT_ID}|hush|sbx:token`);
  const troubles: [string, StubAnswer][] = [
    ['500', { status: 500, body: leak }],
    ['503', { status: 503, body: leak }],
    ['429', { status: 429, body: leak }],
    ['a time-out', { fault: 'hang' }],
    ['a cut connection', { fault: 'reset' }],
    ['a cut answer', { fault: 'truncate', body: APPLICANT }],
    ['no JSON', { raw: `<html>${CPF} ${CLIENT_ID}</html>` }],
    ['no body', {}],
    ['another thing', { body: [CPF, 'SMITH'] }],
  ];
  const everywhere = (answer: StubAnswer) => {
    at.answers = Object.fromEntries([FIND, CREATE, LINK, TOKEN, LIST].map((name) => [name, answer]));
  };

  describe.each(calls)('of %s', (_, call) => {
    test.each(troubles)('is Unavailable on %s, and names nobody', async (_name, answer) => {
      everywhere(answer);
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(Unavailable);
      expect(`${error.stack} ${(error.cause as Error).stack}`).not.toMatch(SECRETS);
    });

    test.each([400, 401, 403, 302])('is a fault of ours on %s, and names nobody', async (status) => {
      everywhere({ status, body: leak });
      const error = await failureOf(call());
      expect(error).not.toBeInstanceOf(Unavailable);
      expect(error.message).toMatch(/^the identity provider refused .*: HTTP \d{3}$/);
      expect(error.stack).not.toMatch(SECRETS);
    });
  });

  test('has for a bad signature the name that the provider gives it', async () => {
    // https://docs.sumsub.com/reference/generate-websdk-external-link
    const body = {
      description: 'Request signature mismatch',
      code: 401,
      correlationId: 'c0b20cfbbf674ce5aeaf479e72d33af8',
      errorCode: 4003,
      errorName: 'app-token-signature mismatch',
    };
    everywhere({ status: 401, body });
    const error = await failureOf(at.provider.findReview(CLIENT_ID));
    expect(error.message).toBe(
      'the identity provider refused to show an applicant: HTTP 401 app-token-signature mismatch, ' +
        'c0b20cfbbf674ce5aeaf479e72d33af8',
    );
  });

  test('is Unavailable for any other answer, never a decision', () => {
    const arbitrary = fc.oneof(
      fc.jsonValue(),
      fc.record({ reviewStatus: fc.jsonValue(), reviewResult: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(arbitrary, fc.jsonValue(), (review, info) => {
        const fields = { ...APPLICANT, review, info };
        const read = [
          () => identityReviewOf({ id: APPLICANT_ID, fields }, 'basic-kyc').status,
          () => livenessOf({ ...ACTION, review }, 'action-level-name').status,
        ];
        for (const each of read) {
          try {
            expect(each()).toBe('PENDING');
          } catch (error) {
            if (!(error instanceof Unavailable)) throw error;
          }
        }
      }),
    );
  });
});
