import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import {
  APPLICANT,
  APPLICANT_ID,
  CLIENT_ID,
  CPF,
  CREATE,
  EXISTS,
  FIND,
  failureOf,
  HOLDER,
  type Identity,
  NOT_FOUND,
  startIdentity,
  VERIFIED_AT,
} from './identity-fixtures.ts';

/** https://docs.sumsub.com/reference/create-applicant: nobody has shown a document yet. */
const CREATED = {
  ...APPLICANT,
  info: {},
  review: { createDate: '2020-06-24 05:11:02+0000', levelName: 'basic-kyc', reviewStatus: 'init' },
};

let at: Identity;
beforeEach(async () => {
  at = await startIdentity();
});
afterEach(() => at.stub.close());

test('every request is signed over its second, method, path, query and body', async () => {
  at.answers = { [FIND]: NOT_FOUND, [CREATE]: { status: 201, body: APPLICANT } };
  await at.provider.openApplicant({ clientId: CLIENT_ID, cpf: CPF });
  for (const { method, path, query, headers, text } of at.stub.requests) {
    const search = query.size > 0 ? `?${query}` : '';
    const signature = createHmac('sha256', 'hush').update(`1793620800${method}${path}${search}${text}`);
    expect(headers).toMatchObject({
      'x-app-token': 'sbx:token',
      'x-app-access-ts': '1793620800',
      'x-app-access-sig': signature.digest('hex'),
    });
  }
  expect(at.stub.requests).toHaveLength(2);
});

describe('openApplicant', () => {
  const open = () => at.provider.openApplicant({ clientId: CLIENT_ID, cpf: CPF });
  const openNew = () => at.provider.openApplicant({ clientId: CLIENT_ID, cpf: CPF, isNew: true });

  test('finds an existing applicant with its review, and writes nothing', async () => {
    at.answers = { [FIND]: { body: APPLICANT } };
    const review = await at.provider.findReview(CLIENT_ID);
    expect(review).toMatchObject({ applicantId: APPLICANT_ID, status: 'APPROVED' });
    expect(await open()).toEqual(review);
    expect(at.asked()).toEqual([FIND, FIND]);
  });

  test('makes the applicant of a new client without a look, and nobody has reviewed it', async () => {
    at.answers = { [CREATE]: { status: 201, body: CREATED } };
    expect(await openNew()).toEqual({ applicantId: APPLICANT_ID, status: 'PENDING' });
    expect(at.asked()).toEqual([CREATE]);
  });

  test('finds the applicant of a new client if an earlier creation lost its answer', async () => {
    at.answers = { [FIND]: { body: APPLICANT }, [CREATE]: { status: 409, body: EXISTS } };
    expect(await openNew()).toMatchObject({ applicantId: APPLICANT_ID, status: 'APPROVED' });
    expect(at.asked()).toEqual([CREATE, FIND]);
  });

  test('decides nothing by an answer about another person’s new applicant', async () => {
    at.answers = { [CREATE]: { status: 201, body: { ...CREATED, externalUserId: 'ff'.repeat(32) } } };
    expect(await failureOf(openNew())).toBeInstanceOf(Unavailable);
  });

  // Spec, What the service does: "generates an applicant identifier"
  test('makes one at our level with the CPF to compare documents with', async () => {
    at.settings.levels.identity = 'basic kyc&1';
    at.answers = { [FIND]: NOT_FOUND, [CREATE]: { status: 201, body: CREATED } };
    expect(await open()).toMatchObject({ applicantId: APPLICANT_ID });
    const { query, text, headers } = at.stub.requests[1]!;
    expect(query.toString()).toBe('levelName=basic+kyc%261');
    expect(JSON.parse(text)).toEqual({
      externalUserId: CLIENT_ID,
      fixedInfo: { country: 'BRA', tin: CPF },
    });
    expect(headers['content-type']).toBe('application/json');
  });

  test('uses the applicant that another call made at the same time', async () => {
    let isThere = false;
    at.answers = {
      [FIND]: () => (isThere ? { body: APPLICANT } : NOT_FOUND),
      [CREATE]: () => {
        isThere = true;
        return { status: 409, body: EXISTS };
      },
    };
    expect(await open()).toMatchObject({ applicantId: APPLICANT_ID });
    expect(at.asked()).toEqual([FIND, CREATE, FIND]);
  });

  test('reads before it writes again after a creation of unknown outcome', async () => {
    let isThere = false;
    at.answers = {
      [FIND]: () => (isThere ? { body: APPLICANT } : NOT_FOUND),
      [CREATE]: () => {
        isThere = true;
        return { fault: 'reset' };
      },
    };
    expect(await failureOf(open())).toBeInstanceOf(Unavailable);
    expect(await open()).toMatchObject({ applicantId: APPLICANT_ID });
    expect(at.asked()).toEqual([FIND, CREATE, FIND]);
  });

  test('is a fault if the creation is refused as existing, and nothing exists', async () => {
    at.answers = { [FIND]: NOT_FOUND, [CREATE]: { status: 409, body: EXISTS } };
    const error = await failureOf(open());
    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(
      'the identity provider refused a new applicant: HTTP 409 req-5fd59b09-7f5e-41cd-a86b-38a4e6d57e08',
    );
  });

  test('does not read again after any other refusal', async () => {
    at.answers = { [FIND]: NOT_FOUND, [CREATE]: { status: 400 } };
    await failureOf(open());
    expect(at.asked()).toEqual([FIND, CREATE]);
  });

  test('decides nothing by another person’s applicant', async () => {
    at.answers = { [FIND]: { body: { ...APPLICANT, externalUserId: 'ff'.repeat(32) } } };
    expect(await failureOf(open())).toBeInstanceOf(Unavailable);
  });

  test.each(['1114447773', '111.444.777-35', ''])(
    'sends only a CPF of 11 digits, and not %j',
    async (cpf) => {
      at.answers = { [FIND]: NOT_FOUND };
      const error = await failureOf(at.provider.openApplicant({ clientId: CLIENT_ID, cpf }));
      expect(error.message).toBe('a CPF is 11 digits');
      expect(at.asked()).toEqual([FIND]);
    },
  );

  test.each(['', 'x', `${CLIENT_ID}/one?x=`, CLIENT_ID.toUpperCase()])('sends no id like %j', async (id) => {
    for (const isNew of [false, true]) {
      const error = await failureOf(at.provider.openApplicant({ clientId: id, cpf: CPF, isNew }));
      expect(error.message).toBe('a client id is 64 hexadecimal digits');
    }
    expect(at.stub.requests).toHaveLength(0);
  });
});

describe('findReview', () => {
  const find = (review: object, info: object = APPLICANT.info) => {
    at.answers = { [FIND]: { body: { ...APPLICANT, info, review: { ...APPLICANT.review, ...review } } } };
    return at.provider.findReview(CLIENT_ID);
  };

  test('approves a person with approved documents', async () => {
    expect(await find({})).toEqual({
      applicantId: APPLICANT_ID,
      status: 'APPROVED',
      holder: HOLDER,
      reviewedAt: VERIFIED_AT,
    });
  });

  test.each([
    ['11144477735', CPF],
    [' 111.444.777-35 ', CPF],
    ['11144477736', undefined],
    ['111444777', undefined],
    [11144477735, undefined],
    [undefined, undefined],
  ])('reads the tax number %j of a document as %s', async (tin, cpf) => {
    expect((await find({}, { ...APPLICANT.info, tin }))?.holder).toEqual({ ...HOLDER, ...(cpf && { cpf }) });
  });

  test.each([
    [[{ number: '12.345.678-9' }], ['12.345.678-9']],
    [
      [{ number: ' AB123 ' }, { number: '55' }],
      ['AB123', '55'],
    ],
    [[{ idDocType: 'SELFIE' }, { number: '55' }], ['55']],
    [[{ number: '' }, { number: 55 }, null], undefined],
    [{ number: '55' }, undefined],
    [undefined, undefined],
  ])('reads the numbers of the documents %j as %j', async (idDocs, documentNumbers) => {
    const review = await find({}, { ...APPLICANT.info, idDocs });

    expect(review?.holder).toEqual({ ...HOLDER, ...(documentNumbers && { documentNumbers }) });
  });

  test('does not read our own number as the document’s', async () => {
    const fixedInfo = { country: 'BRA', tin: CPF };
    at.answers = { [FIND]: { body: { ...APPLICANT, fixedInfo } } };
    expect((await at.provider.findReview(CLIENT_ID))?.holder).toEqual(HOLDER);
  });

  const HASH = `sha256:${'0f'.repeat(32)}`;
  test.each([
    [
      'the hash',
      [
        { key: 'other', value: 'x' },
        { key: 'biometricHash', value: HASH },
      ],
      HASH,
    ],
    ['the hash in capitals', [{ key: 'biometricHash', value: HASH.toUpperCase() }], HASH],
    ['something else under its key', [{ key: 'biometricHash', value: 'sha256:123' }], undefined],
    ['a number under its key', [{ key: 'biometricHash', value: 7 }], undefined],
    ['no array', { biometricHash: HASH }, undefined],
    ['nulls', [null, undefined], undefined],
  ])('reads the biometric hash of metadata with %s', async (_, metadata, biometricHash) => {
    at.answers = { [FIND]: { body: { ...APPLICANT, metadata } } };
    expect((await at.provider.findReview(CLIENT_ID))?.biometricHash).toBe(biometricHash);
  });

  test('finds nothing without an applicant', async () => {
    at.answers = { [FIND]: NOT_FOUND };
    expect(await at.provider.findReview(CLIENT_ID)).toBeUndefined();
  });

  test.each([
    ['RED', 'FINAL', 'REJECTED'],
    ['RED', 'RETRY', 'PENDING'],
    ['RED', undefined, 'PENDING'],
    ['YELLOW', undefined, 'PENDING'],
    [undefined, undefined, 'PENDING'],
    ['green', undefined, 'PENDING'],
  ])('reads %s %s as %s', async (reviewAnswer, reviewRejectType, status) => {
    expect(await find({ reviewResult: { reviewAnswer, reviewRejectType } })).toMatchObject({ status });
  });

  test.each(['init', 'pending', 'prechecked', 'queued', 'onHold', 'awaitingUser', 'awaitingService', 'new'])(
    'waits while the review is %s, whatever else it says',
    async (reviewStatus) => {
      expect(await find({ reviewStatus })).toMatchObject({ status: 'PENDING' });
      const reviewResult = { reviewAnswer: 'RED', reviewRejectType: 'FINAL' };
      expect(await find({ reviewStatus, reviewResult })).toMatchObject({ status: 'PENDING' });
    },
  );

  // docs/decisions.md, "Documents and face are verified by the identity provider"
  test.each(['action-level-name', 'basic-kyc-2', undefined])(
    'ignores a review at level %s',
    async (level) => {
      expect(await find({ levelName: level })).toMatchObject({ status: 'PENDING' });
    },
  );

  test('has no holder before documents were read', async () => {
    const fresh = { reviewStatus: 'init', reviewResult: undefined, reviewDate: undefined };
    expect(await find(fresh, {})).toEqual({ applicantId: APPLICANT_ID, status: 'PENDING' });
  });

  test.each([
    [{ firstName: ' MARIA ', middleName: 'DA', lastName: 'SILVA' }, 'MARIA DA SILVA'],
    [{ firstName: 'MARIA', middleName: '', lastName: 'SILVA' }, 'MARIA SILVA'],
    [{ firstName: 'SUKARNO' }, 'SUKARNO'],
  ])('joins the names of %j', async (names, name) => {
    const holder = { name, birthDate: '1989-07-16' };
    expect(await find({}, { ...names, dob: '1989-07-16' })).toMatchObject({ holder });
  });

  test.each([
    ['nobody', {}],
    ['no name', { dob: '1989-07-16', firstName: ' ' }],
    ['no birth', { firstName: 'A', lastName: 'B' }],
    ['a birth on no day', { firstName: 'A', lastName: 'B', dob: '1989-02-30' }],
    ['a birth in another form', { firstName: 'A', lastName: 'B', dob: '16/07/1989' }],
  ])('does not approve documents with %s', async (_, info) => {
    expect(await failureOf(find({}, info))).toBeInstanceOf(Unavailable);
  });
});

describe('a webhook', () => {
  test('is verified with the present settings', async () => {
    const digest = createHmac('sha256', 'hush-too').update('{}').digest('hex');
    const headers = { 'x-payload-digest-alg': 'HMAC_SHA256_HEX', 'x-payload-digest': digest };
    expect(await at.provider.isSigned('{}', headers)).toBe(true);
    at.settings.webhookSecret = 'changed';
    expect(await at.provider.isSigned('{}', headers)).toBe(false);
  });

  test('is read without a call', () => {
    const body = JSON.stringify({ type: 'applicantReviewed', externalUserId: CLIENT_ID });
    expect(at.provider.readCallback(body)).toEqual({ clientId: CLIENT_ID });
  });
});
