import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityProvider } from '../../functions/adapters/identity/sumsub.ts';
import type { IdentityProvider } from '../../functions/domain/kyc/identity-ports.ts';
import { documentNumberOf, documentPersonaOf, personaOf } from '../../sandbox/providers/persona.ts';
import { CPF, type Identity, openIdentity, serve } from './providers-identity-support.ts';

// The adapter and the simulator were written independently, each from the provider's documents. These tests run them
// together.
let identity: Identity;
let server: Awaited<ReturnType<typeof serve>>;
let product: IdentityProvider;
let clientId: string;

beforeAll(async () => {
  identity = openIdentity();
  server = await serve(identity.app);
  const settings = { baseUrl: `${server.url}/identity`, ...identity.world.settings.identity };
  const clock = { now: () => identity.clock.now.getTime(), minuteMs: 60_000 };
  product = identityProvider(async () => settings, { clock });
});
afterAll(() => server?.close());

let last = 0;
beforeEach(() => {
  clientId = String(++last).padStart(64, '0');
  identity.told.length = 0;
});

/** A document shows its own number. Most show the CPF, too. */
const holderOf = (cpf: string) => ({
  ...documentPersonaOf(cpf),
  cpf,
  documentNumbers: [documentNumberOf(cpf)],
});
const livenessId = () => `01JABCDEFGHJKMNPQRSTVWXYZ${last}-1`;
/** Reads the last webhook as the product's endpoint does. */
const hear = async () => {
  const { raw, headers } = identity.told.at(-1)!;
  const isSigned = await product.isSigned(raw, Object.fromEntries(headers));
  return { isSigned, hint: product.readCallback(raw) };
};

describe('a person', () => {
  it('is created once, is approved, and has the name of the document', async () => {
    const both = await Promise.all([
      product.openApplicant({ clientId, cpf: CPF }),
      product.openApplicant({ clientId, cpf: CPF }),
    ]);

    expect(both[0]).toEqual(both[1]);
    expect(await product.findReview(clientId)).toEqual({
      ...both[0],
      status: 'APPROVED',
      holder: holderOf(CPF),
      reviewedAt: identity.clock.now.getTime(),
    });
  });

  it('who was never opened is not found', async () => {
    expect(await product.findReview(clientId)).toBeUndefined();
    expect(await product.findLiveness({ clientId, livenessId: livenessId() })).toBeUndefined();
  });

  it.each([
    ['90000000337', 'APPROVED'],
    ['90000000418', 'REJECTED'],
  ])('%s is PENDING for a minute, then %s with a webhook', async (cpf, status) => {
    await product.openApplicant({ clientId, cpf });
    expect(await product.findReview(clientId)).toMatchObject({ status: 'PENDING' });
    identity.wait(60_000);
    await identity.control('/tick');

    expect(await hear()).toEqual({ isSigned: true, hint: { clientId } });
    expect(await product.findReview(clientId)).toMatchObject({ status, holder: personaOf(cpf) });
  });

  it('900.000.005-07 is not the person of the document', async () => {
    const cpf = '90000000507';
    await product.openApplicant({ clientId, cpf });

    const { holder } = (await product.findReview(clientId))!;
    // The document's number is not the client's either.
    expect(holder).toEqual({ ...documentPersonaOf(cpf), documentNumbers: [documentNumberOf(cpf)] });
    expect(holder).not.toEqual(personaOf(cpf));
  });

  it('may try again after a refusal that is not final', async () => {
    await product.openApplicant({ clientId, cpf: CPF });
    await identity.control(`/applicants/${clientId}/review`, { answer: 'RED', rejectType: 'RETRY' });

    expect(await product.findReview(clientId)).toMatchObject({ status: 'PENDING' });
  });

  it('gets a page, and a token for the widget', async () => {
    await product.openApplicant({ clientId, cpf: '90000000337' });

    const page = await fetch(await product.verificationLink(clientId, 600));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Documentos e rosto')]);
    expect(await product.widgetToken(clientId, 600)).toMatch(/^_act-/);
  });
});

describe('a liveness check', () => {
  const check = () => ({ clientId, livenessId: livenessId() });
  const send = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  it.each([
    ['GREEN', 'PASSED'],
    ['RED', 'FAILED'],
  ])('is PENDING until the page answers %s, then %s with a webhook', async (answer, status) => {
    await product.openApplicant({ clientId, cpf: CPF });
    const { url: link } = await product.livenessLink({ ...check(), ttlSeconds: 600 });
    expect(await product.findLiveness(check())).toMatchObject({ status: 'PENDING' });

    await send(`${link}/consent`, { consent: 'yes' });
    await send(`${link}/answer`, { answer });

    expect(await hear()).toEqual({ isSigned: true, hint: { livenessId: livenessId() } });
    const reviewedAt = identity.clock.now.getTime();
    const { holder, reviewedAt: verifiedAt } = (await product.findReview(clientId))!;
    expect(await product.findLiveness(check())).toEqual({ status, reviewedAt, holder, verifiedAt });
  });

  it('may have several links, but has one answer', async () => {
    await product.openApplicant({ clientId, cpf: CPF });
    const links = [
      await product.livenessLink({ ...check(), ttlSeconds: 600 }),
      await product.livenessLink({ ...check(), ttlSeconds: 600 }),
    ];
    expect(links[0]).not.toEqual(links[1]);
    await identity.control(`/actions/${livenessId()}/complete`, { answer: 'GREEN' });

    expect((await fetch(links[1]!.url)).status).toBe(410);
    expect(await product.findLiveness(check())).toMatchObject({ status: 'PASSED' });
  });

  it('of an unverified client is the verification that ends after the check began', async () => {
    await product.openApplicant({ clientId, cpf: CPF });
    await identity.control(`/applicants/${clientId}/review`, { answer: 'RED', rejectType: 'RETRY' });
    const documentsSince = identity.clock.now.getTime();
    identity.wait(1_000);

    const { url, withDocuments } = await product.livenessLink({ ...check(), ttlSeconds: 600 });
    expect(withDocuments).toBe(true);
    expect(await (await fetch(url)).text()).toContain('Documentos e rosto');
    expect(await product.findLiveness({ ...check(), documentsSince })).toEqual({ status: 'PENDING' });
    await send(`${url}/consent`, { consent: 'yes' });
    await send(`${url}/answer`, { answer: 'GREEN' });

    const reviewedAt = identity.clock.now.getTime();
    expect(await product.findLiveness({ ...check(), documentsSince })).toEqual({
      status: 'PASSED',
      reviewedAt,
      verifiedAt: reviewedAt,
      personReviewedAt: reviewedAt,
      holder: holderOf(CPF),
    });
    // Another purchase needs its own check.
    expect(await product.findLiveness(check())).toBeUndefined();
    expect(await product.livenessLink({ ...check(), ttlSeconds: 600 })).not.toHaveProperty('withDocuments');
  });

  it('of a client whom the provider does not know has no link', async () => {
    await expect(product.livenessLink({ ...check(), ttlSeconds: 600 })).rejects.toThrow('refused a link');
  });
});

it('an outage is retryable: the product may ask again', async () => {
  await identity.control('/outage', { calls: 1 });

  await expect(product.findReview(clientId)).rejects.toMatchObject({ name: 'Unavailable' });
  expect(await product.findReview(clientId)).toBeUndefined();
});
