import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
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
  WEBHOOK_URL,
} from './providers-identity-support.ts';

let identity: Identity;
let applicantId: string;
beforeEach(async () => {
  identity = openIdentity();
  applicantId = (await createApplicant(identity, CPF)).applicant.id;
  await createLink(identity);
});

const complete = (answer: string, id = CHECK) => identity.control(`/actions/${id}/complete`, { answer });
const tickAfter = async (ms: number) => {
  identity.wait(ms);
  await identity.control('/tick');
};

describe('a check', () => {
  it('sends a signed webhook without personal data when the control interface ends it', async () => {
    const response = await complete('GREEN');

    expect(response.status).toBe(200);
    const [action] = await listActions(identity, applicantId);
    expect(action?.review).toMatchObject({
      reviewStatus: 'completed',
      reviewDate: '2026-11-20 12:00:00+0000',
      reviewResult: { reviewAnswer: 'GREEN' },
    });
    const [webhook] = identity.told;
    expect(webhook?.url).toBe(WEBHOOK_URL);
    expect(webhook?.body).toEqual({
      applicantId,
      applicantActionId: action?.id,
      externalApplicantActionId: CHECK,
      inspectionId: expect.any(String),
      correlationId: expect.stringMatching(/^req-/),
      levelName: 'onramp-liveness',
      externalUserId: CLIENT,
      type: 'applicantActionReviewed',
      sandboxMode: true,
      reviewStatus: 'completed',
      reviewResult: { reviewAnswer: 'GREEN' },
      createdAtMs: '2026-11-20 12:00:00.000',
      applicantType: 'individual',
      clientId: 'onramp-sandbox',
    });
    const digest = createHmac('sha256', defaultSettings.identity.webhookSecret).update(webhook!.raw);
    expect(webhook?.headers.get('x-payload-digest')).toBe(digest.digest('hex'));
    expect(webhook?.headers.get('x-payload-digest-alg')).toBe('HMAC_SHA256_HEX');
  });

  it('ends once: later answers and simultaneous ones are refused', async () => {
    const statuses = (await Promise.all([complete('GREEN'), complete('RED')])).map(({ status }) => status);

    expect(statuses.sort()).toEqual([200, 409]);
    expect((await complete('GREEN')).status).toBe(409);
    expect(identity.told).toHaveLength(1);
  });

  it('that is unknown is refused, and so is an unknown answer', async () => {
    expect((await complete('GREEN', 'unknown')).status).toBe(404);
    expect((await complete('YELLOW')).status).toBe(400);
    expect(identity.told).toEqual([]);
  });

  it('that fails is RED', async () => {
    await complete('RED');

    expect(identity.told[0]?.body.reviewResult).toMatchObject({ reviewAnswer: 'RED' });
  });
});

describe('the review of a person', () => {
  const review = (body: unknown, id = CLIENT) => identity.control(`/applicants/${id}/review`, body);

  it('can be ended again by the control interface, as a new attempt with its own webhook', async () => {
    await review({ answer: 'RED', rejectType: 'RETRY' });
    identity.wait(1000);
    await review({ answer: 'GREEN' });

    expect((await readApplicant(identity)).review).toMatchObject({
      attemptCnt: 3,
      reviewResult: { reviewAnswer: 'GREEN' },
    });
    expect(identity.told.map(({ body }) => [body.type, body.reviewResult])).toEqual([
      ['applicantReviewed', expect.objectContaining({ reviewAnswer: 'RED', reviewRejectType: 'RETRY' })],
      ['applicantReviewed', { reviewAnswer: 'GREEN' }],
    ]);
  });

  it('is announced once when the control interface ends it early', async () => {
    await createApplicant(identity, '90000000337', 'waiting');
    await review({ answer: 'RED' }, 'waiting');
    await tickAfter(120_000);

    expect((await readApplicant(identity, 'waiting')).review.reviewResult?.reviewAnswer).toBe('RED');
    expect(identity.told).toHaveLength(1);
  });

  describe.each([
    ['90000000337', 'GREEN'],
    ['90000000418', 'RED'],
  ])('of the scenario %s', (cpf, answer) => {
    const tell = (what: 'hold' | 'begin') =>
      identity.call('POST', `/control/scenarios/${cpf}/${what}`, { clientId: 'waiting' });
    const readReview = async () => (await readApplicant(identity, 'waiting')).review;

    it('starts its minute when the submission is answered, however long that takes', async () => {
      await tell('hold');
      await createApplicant(identity, cpf, 'waiting');
      await tickAfter(300_000);
      expect(await readReview()).toMatchObject({ reviewStatus: 'init', attemptCnt: 1 });

      await tell('begin');
      await tickAfter(59_999);
      expect(identity.told).toEqual([]);
      await tickAfter(1);

      expect(await readReview()).toMatchObject({ reviewResult: { reviewAnswer: answer } });
      expect(identity.told).toHaveLength(1);
    });

    it('is repeated for the next submission, and announced again', async () => {
      await createApplicant(identity, cpf, 'waiting');
      await tickAfter(60_000);
      expect(identity.told).toHaveLength(1);

      await tell('hold');
      await tickAfter(300_000);
      expect(await readReview()).toMatchObject({ reviewStatus: 'init', attemptCnt: 2 });
      await tell('begin');
      await tickAfter(60_000);

      const told = identity.told.map(({ body }) => body.reviewResult);
      expect(told).toEqual(Array(2).fill(expect.objectContaining({ reviewAnswer: answer })));
    });

    it('continues when a submission comes during it', async () => {
      await createApplicant(identity, cpf, 'waiting');
      await tickAfter(30_000);
      await tell('hold');
      await tell('begin');
      await tickAfter(30_000);

      expect(await readReview()).toMatchObject({ reviewStatus: 'completed', attemptCnt: 1 });
    });
  });

  it('of any other person is final', async () => {
    const tell = (what: 'hold' | 'begin') =>
      identity.call('POST', `/control/scenarios/${CPF}/${what}`, { clientId: 'somebody' });
    await tell('hold');
    await createApplicant(identity, CPF, 'somebody');
    await tell('begin');
    await tell('hold');

    expect((await readApplicant(identity, 'somebody')).review).toMatchObject({
      reviewStatus: 'completed',
      attemptCnt: 1,
    });
  });

  it('of an unknown person is refused, and so is an unknown answer', async () => {
    const responses = [
      await review({ answer: 'GREEN' }, 'nobody'),
      await review({ answer: 'MAYBE' }),
      await review({ answer: 'RED', rejectType: 'LATER' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 400, 400]);
  });
});

describe('a webhook that the product does not accept', () => {
  it.each<[string, number | Error]>([
    ['with an error', 500],
    ['with a redirect', 302],
    ['with silence', new TypeError('fetch failed')],
  ])('%s is sent again by the tick, the same each time', async (_, answer) => {
    identity.answers.push(answer, answer);
    await complete('GREEN');
    await tickAfter(29_999);
    expect(identity.told).toHaveLength(1);

    await tickAfter(1);
    await tickAfter(30_000);
    await tickAfter(86_400_000);

    expect(identity.told).toHaveLength(3);
    expect(new Set(identity.told.map(({ raw }) => raw)).size).toBe(1);
  });

  it('is given up after five tries for a check, in the rhythm of the provider', async () => {
    identity.answers.push(...Array(10).fill(503));
    await complete('GREEN');
    for (const seconds of [30, 30, 60, 300]) await tickAfter(seconds * 1000);
    await tickAfter(86_400_000);

    expect(identity.told).toHaveLength(5);
  });

  it('waits longer for a person, in the short minutes of the sandbox', async () => {
    identity.world.settings.minuteMs = 1000;
    identity.answers.push(503);
    await identity.control(`/applicants/${CLIENT}/review`, { answer: 'GREEN' });
    await tickAfter(4_999);
    expect(identity.told).toHaveLength(1);
    await tickAfter(1);
    expect(identity.told).toHaveLength(2);
  });

  it('is sent again by one of two ticks', async () => {
    identity.answers.push(503);
    await complete('GREEN');
    identity.wait(30_000);
    await Promise.all([identity.control('/tick'), identity.control('/tick')]);

    expect(identity.told).toHaveLength(2);
  });

  it('for which no address is set is kept, and the check has ended nevertheless', async () => {
    identity.world.settings.identityWebhookUrl = undefined;

    expect((await complete('GREEN')).status).toBe(200);
    await tickAfter(86_400_000);
    expect(identity.told).toEqual([]);
  });
});

describe('webhooks, by a switch,', () => {
  const switchTo = (webhooks: string) => identity.control('/switches', { webhooks });
  const second = `${CHECK}2`;

  it('are dropped', async () => {
    await switchTo('drop');
    await complete('GREEN');
    await tickAfter(86_400_000);

    expect(identity.told).toEqual([]);
    const [action] = await listActions(identity, applicantId);
    expect(action?.review.reviewStatus).toBe('completed');
  });

  it('are sent twice', async () => {
    await switchTo('duplicate');
    await complete('GREEN');
    await tickAfter(86_400_000);

    expect(identity.told.map(({ raw }) => raw)).toEqual(Array(2).fill(identity.told[0]?.raw));
  });

  it('are sent by the tick, the newest first', async () => {
    await createLink(identity, { externalActionId: second });
    await switchTo('reorder');
    await complete('GREEN');
    identity.wait(1000);
    await complete('RED', second);
    expect(identity.told).toEqual([]);

    await identity.control('/tick');
    expect(identity.told.map(({ body }) => body.externalApplicantActionId)).toEqual([second, CHECK]);
  });

  it('refuse an unknown mode', async () => {
    expect((await switchTo('lose')).status).toBe(400);
    expect(await (await identity.call('GET', '/control/identity/switches')).json()).toEqual({
      outageCalls: 0,
      webhooks: 'normal',
    });
  });
});

it('sent webhooks can be read', async () => {
  identity.answers.push(503);
  await complete('GREEN');

  const response = await identity.call('GET', '/control/identity/webhooks');
  expect(await response.json()).toMatchObject({
    webhooks: [
      {
        type: 'applicantActionReviewed',
        attempts: [503],
        delivered: false,
        body: { externalApplicantActionId: CHECK },
      },
    ],
  });
});
