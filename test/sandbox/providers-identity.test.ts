import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentPersonaOf, personaOf } from '../../sandbox/providers/persona.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import {
  CHECK,
  CLIENT,
  CPF,
  createApplicant,
  createLink,
  type Identity,
  listActions,
  openIdentity,
  readApplicant,
} from './providers-identity-support.ts';

const PENDING_THEN_GREEN = '90000000337';
const PENDING_THEN_RED = '90000000418';
const ANOTHER_DOCUMENT = '90000000507';
const MINUTE = 60_000;

let identity: Identity;
beforeEach(() => {
  identity = openIdentity();
});

describe('a request', () => {
  const { appToken, secretKey } = defaultSettings.identity;
  const path = '/identity/resources/applicants?levelName=onramp-identity';
  const body = JSON.stringify({ externalUserId: CLIENT });
  const ask = (changes: Record<string, string>, { age = 0, signedBody = body } = {}) => {
    const at = String(Math.floor(identity.clock.now.getTime() / 1000) - age);
    const signature = createHmac('sha256', secretKey).update(`${at}POST${path}${signedBody}`).digest('hex');
    const headers = { 'x-app-token': appToken, 'x-app-access-ts': at, 'x-app-access-sig': signature };
    return identity.app.request(path, { method: 'POST', body, headers: { ...headers, ...changes } });
  };

  it('is accepted with a signature over path, query and body that is less than a minute old', async () => {
    expect((await ask({}, { age: 59 })).status).toBe(201);
  });

  it.each<[string, Record<string, string>, { age?: number; signedBody?: string }, number]>([
    ['without a signature', { 'x-app-access-sig': '' }, {}, 4006],
    ['with a token of another form', { 'x-app-token': 'plain' }, {}, 4000],
    ['with an unknown token', { 'x-app-token': 'sbx:another' }, {}, 4001],
    ['with another body than the signed one', {}, { signedBody: '{}' }, 4003],
    ['with another signature', { 'x-app-access-sig': 'F'.repeat(64) }, {}, 4003],
    ['that is older than a minute', {}, { age: 61 }, 4004],
    ['from the future', {}, { age: -61 }, 4004],
    ['with a time that is no number', { 'x-app-access-ts': 'now' }, {}, 4004],
  ])('%s is refused', async (_, changes, options, errorCode) => {
    const response = await ask(changes, options);

    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      code: 401,
      errorCode,
      errorName: expect.stringMatching(/^app-token-/),
      description: expect.any(String),
      correlationId: expect.any(String),
    });
  });

  it("may be signed over the path with API Gateway's stage, and links then contain the stage too", async () => {
    await createApplicant(identity, CPF);
    const at = String(Math.floor(identity.clock.now.getTime() / 1000));
    const whole = '/sandbox/identity/resources/sdkIntegrations/levels/-/websdkLink';
    const text = JSON.stringify({
      levelName: 'onramp-liveness',
      userId: CLIENT,
      externalActionId: CHECK,
    });
    const signature = createHmac('sha256', secretKey).update(`${at}POST${whole}${text}`).digest('hex');
    const headers = { 'x-app-token': appToken, 'x-app-access-ts': at, 'x-app-access-sig': signature };
    const response = await identity.app.request(
      'https://api.example/identity/resources/sdkIntegrations/levels/-/websdkLink',
      { method: 'POST', body: text, headers: { ...headers, 'x-forwarded-proto': 'https' } },
      { requestContext: { path: whole } },
    );

    const { url } = (await response.json()) as { url: string };
    expect(url).toMatch(/^https:\/\/api\.example\/sandbox\/identity\/websdk\/p\/[\w-]{24}$/);
  });

  it('gets 503 for the number of calls that an outage lasts', async () => {
    await identity.control('/outage', { calls: 2 });

    const statuses = [await ask({}), await ask({}), await ask({})].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 201]);
    expect((await identity.control('/outage', { calls: -1 })).status).toBe(400);
  });

  it('to an unknown path gets 404 in the same form', async () => {
    const response = await identity.api('GET', '/resources/elsewhere');

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 404, description: 'Not Found' });
  });
});

describe('an applicant', () => {
  it('has normally shown documents before, and no webhook is sent', async () => {
    const { status, applicant } = await createApplicant(identity, CPF);

    const { name, birthDate } = documentPersonaOf(CPF);
    expect(status).toBe(201);
    expect(applicant).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      externalUserId: CLIENT,
      review: { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } },
    });
    const { firstName, lastName, dob } = applicant.info;
    expect([`${firstName} ${lastName}`, dob]).toEqual([name, birthDate]);
    expect(await readApplicant(identity)).toEqual(applicant);

    await identity.control('/tick');
    expect(identity.told).toEqual([]);
  });

  it('is made once: a second request is refused with the first id, also of two at once', async () => {
    const both = await Promise.all([createApplicant(identity, CPF), createApplicant(identity, CPF)]);

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { id } = await readApplicant(identity);
    const refused = both.find(({ status }) => status === 409)?.applicant;
    expect(refused).toMatchObject({
      code: 409,
      description: `Applicant with external user id '${CLIENT}' already exists: ${id}`,
    });
  });

  it('who is unknown is 404', async () => {
    const response = await identity.api('GET', '/resources/applicants/-;externalUserId=nobody/one');

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 404, description: 'Applicant not found' });
  });

  it('is found by its id too', async () => {
    const { applicant } = await createApplicant(identity, CPF);

    const response = await identity.api('GET', `/resources/applicants/${applicant.id}/one`);
    expect(await response.json()).toEqual(applicant);
  });

  it('with another level, without a name or without JSON is refused', async () => {
    const create = '/resources/applicants?levelName=';
    const unknownLevel = await identity.api('POST', `${create}other`, { externalUserId: CLIENT });
    const nameless = await identity.api('POST', `${create}onramp-identity`, {});

    expect([unknownLevel.status, nameless.status]).toEqual([404, 400]);
    expect((await identity.api('POST', `${create}onramp-identity`)).status).toBe(400);
  });

  it('without a CPF has shown no document yet', async () => {
    const body = { externalUserId: CLIENT };
    await identity.api('POST', '/resources/applicants?levelName=onramp-identity', body);

    const { review, info } = await readApplicant(identity);
    expect([review.reviewStatus, review.reviewResult, info]).toEqual(['init', undefined, {}]);
  });

  it.each([
    [PENDING_THEN_GREEN, { reviewAnswer: 'GREEN' }],
    [PENDING_THEN_RED, { reviewAnswer: 'RED', reviewRejectType: 'FINAL' }],
  ])('%s is pending for a minute, and then has its result', async (cpf, result) => {
    await createApplicant(identity, cpf);
    identity.wait(MINUTE - 1);
    await identity.control('/tick');
    const before = await readApplicant(identity);
    identity.wait(1);
    const after = await readApplicant(identity);
    await identity.control('/tick');
    await identity.control('/tick');

    expect([before.review.reviewStatus, before.review.reviewDate, before.info]).toEqual([
      'pending',
      undefined,
      {},
    ]);
    expect(after.review).toMatchObject({
      reviewStatus: 'completed',
      reviewDate: '2026-11-20 12:01:00+0000',
      reviewResult: result,
    });
    expect(identity.told.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        type: 'applicantReviewed',
        externalUserId: CLIENT,
        reviewResult: expect.objectContaining(result),
      }),
    ]);
  });

  it('900.000.005-07 shows the document of another person', async () => {
    const { applicant } = await createApplicant(identity, ANOTHER_DOCUMENT);

    const shown = `${applicant.info.firstName} ${applicant.info.lastName}`;
    expect(shown).not.toBe(personaOf(ANOTHER_DOCUMENT).name);
    expect(applicant.review.reviewResult?.reviewAnswer).toBe('GREEN');
  });
});

describe('a link', () => {
  const path = '/resources/sdkIntegrations/levels/-/websdkLink';

  it('opens the action that it names once, and each link is new', async () => {
    const { applicant } = await createApplicant(identity, CPF);
    const links = [await createLink(identity), await createLink(identity)];
    identity.wait(1000);
    await createLink(identity, { externalActionId: `${CHECK}2` });

    expect(new Set(links).size).toBe(2);
    const actions = await listActions(identity, applicant.id);
    expect(actions.map(({ externalActionId }) => externalActionId)).toEqual([`${CHECK}2`, CHECK]);
    expect(actions[1]?.review).toMatchObject({ reviewStatus: 'init', levelName: 'onramp-liveness' });
    const one = await identity.api('GET', `/resources/applicantActions/${actions[1]?.id}/one`);
    expect(await one.json()).toEqual(actions[1]);
  });

  it("to another person's action is refused", async () => {
    await createApplicant(identity, CPF);
    await createApplicant(identity, CPF, 'another');
    await createLink(identity);

    const body = { levelName: 'onramp-liveness', userId: 'another', externalActionId: CHECK };
    expect((await identity.api('POST', path, body)).status).toBe(409);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['for a person whom nobody knows', { userId: 'nobody' }, 404],
    ['of an unknown level', { levelName: 'other' }, 404],
    ['to an action of the level for persons', { levelName: 'onramp-identity' }, 404],
    ['that never lives', { ttlInSecs: 0 }, 400],
    ['for nobody', { userId: undefined }, 400],
  ])('%s is refused', async (_, changes, status) => {
    await createApplicant(identity, CPF);

    const body = { levelName: 'onramp-liveness', userId: CLIENT, externalActionId: CHECK, ...changes };
    expect((await identity.api('POST', path, body)).status).toBe(status);
  });
});

it('an access token for the widget names the person, and each token is new', async () => {
  const body = { userId: CLIENT, levelName: 'onramp-identity', ttlInSecs: 600 };
  const ask = async () =>
    (await identity.api('POST', '/resources/accessTokens/sdk', body)).json() as Promise<{ token: string }>;

  const [one, two] = [await ask(), await ask()];
  expect(one).toEqual({ token: expect.stringMatching(/^_act-/), userId: CLIENT });
  expect(two.token).not.toBe(one.token);
});
