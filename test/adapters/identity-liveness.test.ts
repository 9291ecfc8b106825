import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import {
  ACTION,
  APPLICANT,
  CHECK,
  CLIENT_ID,
  FIND,
  failureOf,
  HOLDER,
  type Identity,
  LINK,
  LIST,
  LIVENESS_ID,
  NOT_FOUND,
  startIdentity,
  TOKEN,
  VERIFIED_AT,
} from './identity-fixtures.ts';

let at: Identity;
/** The holder of the face: the applicant of the documentation. */
const PROOF = { holder: HOLDER, verifiedAt: VERIFIED_AT };
beforeEach(async () => {
  at = await startIdentity();
});
afterEach(() => at.stub.close());

describe('findLiveness', () => {
  const find = (
    action: object,
    wrap = (items: object[]): object => ({ items, totalItems: items.length }),
  ) => {
    const other = { ...ACTION, externalActionId: 'another', review: { reviewStatus: 'init' } };
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body: wrap([other, { ...ACTION, ...action }]) } };
    return at.provider.findLiveness(CHECK);
  };
  const reviewed = (review: object) => find({ review: { ...ACTION.review, ...review } });

  test('finds the check among the actions of the applicant, newest first', async () => {
    const reviewDate = '2024-07-09 10:25:26+0000';
    expect(await reviewed({ reviewDate })).toEqual({
      status: 'PASSED',
      ...PROOF,
      reviewedAt: Date.parse('2024-07-09T10:25:26Z'),
    });
    expect(at.asked()).toEqual([FIND, LIST]);
    expect(at.stub.requests[1]!.query.toString()).toBe('limit=100&offset=0&order=-createdAt');
  });

  test('reads a list inside a list, too', async () => {
    expect(await find({}, (items) => ({ list: { items }, totalItems: 2 }))).toEqual({
      status: 'PASSED',
      ...PROOF,
    });
  });

  test.each([
    ['GREEN', undefined, 'PASSED'],
    ['RED', 'RETRY', 'FAILED'],
    ['RED', 'FINAL', 'FAILED'],
    ['RED', undefined, 'FAILED'],
    ['ERROR', undefined, 'PENDING'],
    [undefined, undefined, 'PENDING'],
  ])('reads %s %s as %s', async (reviewAnswer, reviewRejectType, status) => {
    expect(await reviewed({ reviewResult: { reviewAnswer, reviewRejectType } })).toEqual({
      status,
      ...PROOF,
    });
  });

  test.each(['init', 'pending', 'queued', 'onHold', 'awaitingService'])(
    'waits while it is %s',
    async (status) => {
      expect(await reviewed({ reviewStatus: status })).toEqual({ status: 'PENDING', ...PROOF });
    },
  );

  test.each(['basic-kyc', undefined])('ignores a review at level %s', async (levelName) => {
    expect(await reviewed({ levelName })).toEqual({ status: 'PENDING', ...PROOF });
  });

  test.each([
    ['2024-07-09 10:25:26', '2024-07-09T10:25:26Z'],
    ['2024-07-09 07:25:26-0300', '2024-07-09T10:25:26Z'],
    ['2024-07-39 10:25:26+0000', undefined],
    ['yesterday', undefined],
    [1720520726, undefined],
  ])('reads the instant %j as %s', async (reviewDate, iso) => {
    const reviewedAt = iso === undefined ? undefined : Date.parse(iso);
    expect(await reviewed({ reviewDate })).toEqual({
      status: 'PASSED',
      ...PROOF,
      ...(reviewedAt !== undefined && { reviewedAt }),
    });
  });

  test('reads pages until it finds the check', async () => {
    const others = Array.from({ length: 100 }, (_, index) => ({ ...ACTION, externalActionId: `x${index}` }));
    const pages: Record<string, object[]> = { 0: others, 100: others, 200: [ACTION] };
    at.answers = {
      [FIND]: { body: APPLICANT },
      [LIST]: ({ query }) => ({ body: { items: pages[query.get('offset')!] } }),
    };
    expect(await at.provider.findLiveness(CHECK)).toEqual({ status: 'PASSED', ...PROOF });
    expect(at.stub.requests).toHaveLength(4);
  });

  test('ends, even if the list does not', async () => {
    const others = Array.from({ length: 100 }, () => ({ externalActionId: 'x' }));
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body: { items: others } } };
    expect(await at.provider.findLiveness(CHECK)).toBeUndefined();
    expect(at.stub.requests).toHaveLength(11);
  });

  test('finds nothing without applicant, list or action', async () => {
    at.answers = { [FIND]: NOT_FOUND };
    expect(await at.provider.findLiveness(CHECK)).toBeUndefined();
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { status: 404 } };
    expect(await at.provider.findLiveness(CHECK)).toBeUndefined();
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body: { items: [] } } };
    expect(await at.provider.findLiveness(CHECK)).toBeUndefined();
    expect(at.asked()).toEqual([FIND, FIND, LIST, FIND, LIST]);
  });

  test.each<[string, object]>([
    ['another applicant', { items: [{ ...ACTION, applicantId: '5b594ade0a975a36c9349e67' }] }],
    ['no review', { items: [{ ...ACTION, review: undefined }] }],
    ['no list', { items: 'none' }],
    ['nothing', {}],
  ])('decides nothing by an answer about %s', async (_, body) => {
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body } };
    expect(await failureOf(at.provider.findLiveness(CHECK))).toBeInstanceOf(Unavailable);
  });

  test('requests no actions of an applicant without a valid id', async () => {
    at.answers = { [FIND]: { body: { ...APPLICANT, id: '../x' } } };
    expect(await failureOf(at.provider.findLiveness(CHECK))).toBeInstanceOf(Unavailable);
    expect(at.asked()).toEqual([FIND]);
  });
});

describe('a face', () => {
  const LEVEL = 'basic-kyc';
  const { reviewResult, reviewDate, ...opened } = APPLICANT.review;
  /** The applicant's own review with this result, and an action that ended GREEN. */
  const find = (review: object, documentsSince?: number, info: object = APPLICANT.info) => {
    const applicant = { ...APPLICANT, info, review: { ...opened, ...review } };
    at.answers = { [FIND]: { body: applicant }, [LIST]: { body: { items: [ACTION] } } };
    return at.provider.findLiveness({
      ...CHECK,
      ...(documentsSince !== undefined && { documentsSince }),
    });
  };
  const red = (reviewRejectType: string) => ({
    reviewStatus: 'completed',
    reviewDate,
    reviewResult: { reviewAnswer: 'RED', reviewRejectType },
  });
  const green = { reviewStatus: 'completed', reviewDate, reviewResult };

  test.each([
    ['was never verified', { reviewStatus: 'init' }, 'PENDING'],
    ['is being verified', { reviewStatus: 'pending' }, 'PENDING'],
    ['must show another document', red('RETRY'), 'PENDING'],
    ['was approved at another level', { ...green, levelName: `${LEVEL}-2` }, 'PENDING'],
    ['was refused for good', red('FINAL'), 'FAILED'],
  ])('proves nothing for an applicant who %s', async (_, review, status) => {
    expect(await find(review, undefined, {})).toMatchObject({ status });
    expect(await find(review, 0, {})).toMatchObject({ status });
  });

  test.each([
    [VERIFIED_AT - 1, { status: 'PASSED', reviewedAt: VERIFIED_AT, personReviewedAt: VERIFIED_AT, ...PROOF }],
    // The review ended in the same second, so it may have ended before the verification.
    [VERIFIED_AT, undefined],
    [VERIFIED_AT + 1, undefined],
  ])('counts if it was shown with the document and that ended after %i', async (since, check) => {
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body: { items: [] } } };
    expect(await at.provider.findLiveness({ ...CHECK, documentsSince: since })).toEqual(check);
  });

  test('counts with the document only if the link asked for both', async () => {
    at.answers = { [FIND]: { body: APPLICANT }, [LIST]: { body: { items: [] } } };
    expect(await at.provider.findLiveness(CHECK)).toBeUndefined();
  });

  test('proves nothing if it was shown with the document at an unknown time', async () => {
    expect(await find({ ...green, reviewDate: undefined }, 0)).toEqual({ status: 'PASSED', holder: HOLDER });
    expect(at.asked()).toContain(LIST);
  });
});

describe('a link', () => {
  // https://docs.sumsub.com/reference/generate-websdk-external-link
  const URL_OF_PAGE = 'https://in.sumsub.com/websdk/p/7JwtC0pb9mcqQsLb';

  test('to the verification is of our level, client and validity', async () => {
    at.answers = { [LINK]: { body: { url: URL_OF_PAGE } } };
    expect(await at.provider.verificationLink(CLIENT_ID, 1800)).toBe(URL_OF_PAGE);
    expect(JSON.parse(at.stub.requests[0]!.text)).toEqual({
      levelName: 'basic-kyc',
      userId: CLIENT_ID,
      ttlInSecs: 1800,
    });
  });

  test('to a liveness check also names the action', async () => {
    at.answers = { [FIND]: { body: APPLICANT }, [LINK]: { body: { url: URL_OF_PAGE } } };
    expect(await at.provider.livenessLink({ ...CHECK, ttlSeconds: 600 })).toEqual({ url: URL_OF_PAGE });
    expect(JSON.parse(at.stub.requests[1]!.text)).toEqual({
      levelName: 'action-level-name',
      userId: CLIENT_ID,
      externalActionId: LIVENESS_ID,
      ttlInSecs: 600,
    });
  });

  // docs/decisions.md, "The liveness check"
  test('to a liveness check leads back, however the check ends', async () => {
    at.answers = { [FIND]: { body: APPLICANT }, [LINK]: { body: { url: URL_OF_PAGE } } };
    const returnAddress = 'https://shop.example/back?transactionId=T1';
    await at.provider.livenessLink({ ...CHECK, ttlSeconds: 600, returnAddress });
    expect(JSON.parse(at.stub.requests[1]!.text)).toMatchObject({
      redirect: { successUrl: returnAddress, rejectUrl: returnAddress },
    });
  });

  const unverified = (review: object) => ({
    body: { ...APPLICANT, review: { ...APPLICANT.review, ...review } },
  });
  test.each([
    ['is not there', NOT_FOUND],
    ['has shown nothing', unverified({ reviewStatus: 'init' })],
    [
      'must show another document',
      unverified({ reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'RETRY' } }),
    ],
    ['was approved at another level', unverified({ levelName: 'another' })],
  ])('to a liveness check asks for documents if the applicant %s', async (_, applicant) => {
    at.answers = { [FIND]: applicant, [LINK]: { body: { url: URL_OF_PAGE } } };
    expect(await at.provider.livenessLink({ ...CHECK, ttlSeconds: 600 })).toEqual({
      url: URL_OF_PAGE,
      withDocuments: true,
    });
    expect(JSON.parse(at.stub.requests[1]!.text)).toEqual({
      levelName: 'basic-kyc',
      userId: CLIENT_ID,
      ttlInSecs: 600,
    });
  });

  test.each([
    {},
    { url: '' },
    { url: 5 },
    { url: 'javascript:alert(1)' },
    { url: '/p/x' },
    { url: 'https://' },
  ])('is refused: %j', async (body) => {
    at.answers = { [FIND]: { body: APPLICANT }, [LINK]: { body } };
    expect(await failureOf(at.provider.livenessLink({ ...CHECK, ttlSeconds: 600 }))).toBeInstanceOf(
      Unavailable,
    );
  });
});

describe('widgetToken', () => {
  // https://docs.sumsub.com/reference/generate-access-token
  const token = '_act-b8ebfb63-5f24-4b89-9c08-000000000000';

  // Spec, What the service does: "an embedded identity-verification widget"
  test('is of our level, client and validity', async () => {
    at.answers = { [TOKEN]: { body: { token, userId: CLIENT_ID } } };
    expect(await at.provider.widgetToken(CLIENT_ID, 600)).toBe(token);
    expect(JSON.parse(at.stub.requests[0]!.text)).toEqual({
      userId: CLIENT_ID,
      levelName: 'basic-kyc',
      ttlInSecs: 600,
    });
  });

  test.each([
    { token },
    { token, userId: 'johndoeID' },
    { userId: CLIENT_ID },
    { token: 'a b', userId: CLIENT_ID },
  ])('is refused from %j', async (body) => {
    at.answers = { [TOKEN]: { body } };
    expect(await failureOf(at.provider.widgetToken(CLIENT_ID, 600))).toBeInstanceOf(Unavailable);
  });
});
