import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identityHint } from '../../functions/adapters/identity/callback.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';

const CLIENT_ID = '0f'.repeat(32);
const LIVENESS_ID = livenessIdOf('01K9QZ5T3MABCDEFGHJKMNPQRS', 2);

// The provider's examples: https://docs.sumsub.com/docs/user-verification-webhooks, "Payload examples".
const REVIEWED = {
  applicantId: '5cb56e8e0a975a35f333cb83',
  inspectionId: '5cb56e8e0a975a35f333cb84',
  correlationId: 'req-a260b669-4f14-4bb5-a4c5-ac0218acb9a4',
  externalUserId: 'externalUserId',
  levelName: 'basic-kyc-level',
  type: 'applicantReviewed',
  reviewResult: { reviewAnswer: 'GREEN' },
  reviewStatus: 'completed',
  createdAtMs: '2020-02-21 13:23:19.321',
};
const REJECTED = {
  applicantId: '5cb744200a975a67ed1798a4',
  inspectionId: '5cb744200a975a67ed1798a5',
  correlationId: 'req-fa94263f-0b23-42d7-9393-ab10b28ef42d',
  externalUserId: 'externalUserId',
  levelName: 'basic-kyc-level',
  type: 'applicantReviewed',
  reviewResult: {
    moderationComment:
      'We could not verify your profile. If you have any questions, please contact the Company where you try to ' +
      'verify your profile',
    clientComment: ' Suspected fraudulent account.',
    reviewAnswer: 'RED',
    rejectLabels: ['UNSATISFACTORY_PHOTOS', 'GRAPHIC_EDITOR', 'FORGERY'],
    reviewRejectType: 'FINAL',
  },
  reviewStatus: 'completed',
  createdAtMs: '2020-02-21 13:23:19.001',
};
const PENDING = {
  applicantId: '5c7791f80a975a1df426b9e9',
  inspectionId: '5c7791f80a975a1df426b9ea',
  applicantType: 'individual',
  correlationId: 'req-4af54c06-6a50-4cb9-a7dc-b94b2f5b07eb',
  levelName: 'liveness-level',
  externalUserId: '12672',
  type: 'applicantPending',
  sandboxMode: false,
  reviewStatus: 'pending',
  createdAtMs: '2020-02-21 13:23:19.002',
  clientId: 'coolClientId',
};
const CREATED = { ...PENDING, type: 'applicantCreated', reviewStatus: 'init' };
const ACTION_REVIEWED = {
  applicantId: '5dc158b109494c3cbf431e28',
  applicantActionId: '5dc2d80ce3cc9b1c1e389c4c',
  externalApplicantActionId: 'id122424234-random-r7otyykndi',
  inspectionId: '5dc158b109494c3cbf431e29',
  applicantType: 'individual',
  correlationId: 'req-c9041677-e8dc-446b-ab8f-50b438a40aa8',
  levelName: 'basic-action-level',
  externalUserId: 'pid122424235',
  type: 'applicantActionReviewed',
  sandboxMode: false,
  reviewResult: { reviewAnswer: 'GREEN' },
  reviewStatus: 'completed',
  createdAtMs: '2020-02-21 13:23:19.001',
  clientId: 'coolClientId',
};
const ours = { externalUserId: CLIENT_ID, externalApplicantActionId: LIVENESS_ID };

const hint = (message: object) => identityHint(JSON.stringify(message));

describe('a webhook of the documentation', () => {
  test.each([
    ['approves', REVIEWED],
    ['rejects', REJECTED],
    ['says that documents came', PENDING],
    ['pauses', { ...PENDING, type: 'applicantOnHold', reviewStatus: 'onHold' }],
  ])('that %s names the client, if the id is ours', (_, message) => {
    expect(hint(message)).toBeUndefined();
    expect(hint({ ...message, externalUserId: CLIENT_ID })).toEqual({ clientId: CLIENT_ID });
  });

  test.each(['applicantActionReviewed', 'applicantActionPending', 'applicantActionOnHold'])(
    '%s names the check, not the client, if the id is ours',
    (type) => {
      expect(hint({ ...ACTION_REVIEWED, type })).toBeUndefined();
      expect(hint({ ...ACTION_REVIEWED, ...ours, type })).toEqual({ livenessId: LIVENESS_ID });
    },
  );

  test('of an action without our id names nothing, whoever the client is', () => {
    expect(hint({ ...ACTION_REVIEWED, externalUserId: CLIENT_ID })).toBeUndefined();
    expect(hint({ ...ACTION_REVIEWED, ...ours, externalApplicantActionId: null })).toBeUndefined();
  });

  test.each([
    'applicantCreated',
    'applicantReset',
    'applicantDeleted',
    'applicantTagsChanged',
    'videoIdentStatusChanged',
    'APPLICANTREVIEWED',
    'constructor',
    '',
  ])('of type %j is ignored', (type) => {
    expect(hint({ ...CREATED, ...ours, type })).toBeUndefined();
  });
});

describe('a hostile webhook', () => {
  test.each([
    ['no JSON', '{"type":"applicantReviewed"'],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', JSON.stringify([{ ...REVIEWED, ...ours }])],
    ['a string', '"applicantReviewed"'],
    ['a type in a list', JSON.stringify({ ...ours, type: ['applicantReviewed'] })],
    ['an id in a list', JSON.stringify({ ...REVIEWED, externalUserId: [CLIENT_ID] })],
    ['an id in capitals', JSON.stringify({ ...REVIEWED, externalUserId: CLIENT_ID.toUpperCase() })],
    ['an id with a path', JSON.stringify({ ...REVIEWED, externalUserId: `${CLIENT_ID}/../x` })],
    ['an id with a line end', JSON.stringify({ ...REVIEWED, externalUserId: `${CLIENT_ID}\n` })],
    [
      'a check without an attempt',
      JSON.stringify({ ...ACTION_REVIEWED, externalApplicantActionId: LIVENESS_ID.slice(0, 26) }),
    ],
    [
      'a check with more behind',
      JSON.stringify({ ...ACTION_REVIEWED, externalApplicantActionId: `${LIVENESS_ID}/x` }),
    ],
    [
      'a check in small letters',
      JSON.stringify({ ...ACTION_REVIEWED, externalApplicantActionId: LIVENESS_ID.toLowerCase() }),
    ],
    ['a prototype', `{"__proto__":${JSON.stringify({ ...REVIEWED, ...ours })}}`],
  ])('that is %s names nothing', (_, body) => {
    expect(identityHint(body)).toBeUndefined();
  });

  const type = fc.constantFrom('applicantReviewed', 'applicantActionReviewed', 'applicantOnHold', 'valueOf');
  const id = fc.oneof(fc.constantFrom(CLIENT_ID, LIVENESS_ID), fc.string(), fc.jsonValue());
  const message = fc.record(
    { type: fc.oneof(type, fc.jsonValue()), externalUserId: id, externalApplicantActionId: id },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    message.map((fields) => JSON.stringify(fields)),
  );

  test('never throws, and names well-formed ids or nothing', () => {
    fc.assert(
      fc.property(body, (text) => {
        const named = Object.entries(identityHint(text) ?? {});
        for (const [name, value] of named) {
          expect(`${name} ${value}`).toMatch(/^(clientId [0-9a-f]{64}|livenessId [0-9A-Z]{26}-\d{1,6})$/);
        }
        expect(named.length).toBeLessThan(2);
      }),
      { numRuns: 1000 },
    );
  });
});
