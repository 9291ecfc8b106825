/** The console as it is deployed: people sign in at an issuer, and the function has its own rights alone. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import type { ActEvent } from '../../functions/domain/acts/act.ts';
import { DESK_PAGES } from '../../operations/console/desk-pages.ts';
import { ROLES } from '../../operations/console/roles.ts';
import { readersOf, SECTIONS } from '../../operations/console/sections.ts';
import { openDesk } from '../../operations/desk.ts';
import { DESK, findChromium, openChromium } from '../support/chromium.ts';
import { browserAt, personOf, startConsoleCloud } from '../support/console-cloud.ts';
import { act, actsOf } from '../support/console-deeds.ts';
import { formIn } from '../support/console-forms.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf, totpCode } from '../support/sandbox.ts';

const NAMESAKE = '900.000.011-47';
const SIGN_IN = '/console/sign-in';
const PAGES = SECTIONS.filter(({ label }) => label).map(({ path }) => `/console${path}`);
// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();

let world: Awaited<ReturnType<typeof startConsoleCloud>>;
let completed: Awaited<ReturnType<typeof openPurchase>> & { txHash: string; endToEndId: string };
let waiting: Awaited<ReturnType<typeof openPurchase>>;
let moneyCases: string[];

beforeAll(async () => {
  world = await startConsoleCloud();
  completed = await pay(await openPurchase());
  waiting = await openPurchase();
  await world.client.submitKyc({ cpf: NAMESAKE, biometricHash: BIOMETRIC_HASH });
  moneyCases = await openCases();
});
afterAll(() => world?.stop());
beforeEach(() => {
  world.issuer.wrong = {};
});

async function openPurchase() {
  const { client } = world;
  const cpf = randomCpf();
  const { token: kycToken } = await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  const { otpauthUri } = authChallenge.enrollment!;
  await client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
  return { transactionId, kycToken, walletAddress, cpf };
}

async function pay(purchase: Awaited<ReturnType<typeof openPurchase>>) {
  const { client } = world;
  await client.sandbox.pay(purchase.transactionId);
  const { txHash } = await eventually(
    () => client.getTransactionStatus(purchase.transactionId),
    ({ status }) => status === 'COMPLETED',
  );
  const row = await desk().transactions.findTransaction(purchase.transactionId);
  return { ...purchase, txHash: txHash!, endToEndId: row!.payment!.endToEndId };
}

const desk = () => openDesk({ name: 'OnrampSandbox', stage: 'sandbox', ...world.sandbox.cloud });

/** Opens money cases of the purchase that waits, and a review of its client like that of the namesake. */
async function openCases(): Promise<string[]> {
  const { transactionId } = waiting;
  const { clientId } = (await desk().transactions.findTransaction(transactionId))!;
  const of = { transactionId, clientId, partnerId: 'demo', openedAt: Date.now() };
  const stuck = aMoneyCase('PURCHASE_STUCK', transactionId, of);
  const { endToEndId } = completed;
  const returned = aMoneyCase('RETURN_STUCK', endToEndId, { endToEndId, openedAt: Date.now() });
  for (const each of [stuck, returned]) await desk().moneyCases.open(each);
  const [review] = await desk().cases.listOpen();
  const { cloud } = world.sandbox;
  const Item = { ...review, id: newWallet(), clientId };
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const client = makeClient({ endpoint: cloud.endpoint, region: cloud.region, credentials });
  await client.send(new PutCommand({ TableName: cloud.outputs.CasesTable!, Item }));
  return [stuck.id, returned.id];
}

async function signedIn(role: Parameters<typeof personOf>[0]) {
  const browser = browserAt(world.url);
  await browser.signIn(personOf(role));
  return browser;
}

// docs/security.md, "Least privilege"
describe('with the rights of its own role', () => {
  test('the function shows each page to an administrator', async () => {
    const browser = await signedIn('admin');
    const others = [completed, waiting].map(({ transactionId }) => `/console/purchases/${transactionId}`);
    const reviews = (await desk().cases.listOpen()).map(
      ({ id }) => `/console/reviews/${encodeURIComponent(id)}`,
    );
    const cases = moneyCases.map((id) => `/console/cases/case?id=${encodeURIComponent(id)}`);

    const desks = DESK_PAGES.map(({ path }) => `/console${path}`);
    const pages = [...PAGES, ...desks, ...others, ...reviews, ...cases];
    // The books of a ledger without a closed day are read in another way. The schedule closes one.
    const books = await browser.read('/console/books');
    const closed = await world.sandbox.cloud.invoke('ReconcileBooks', {});
    expect([books.status, closed.error]).toEqual([200, undefined]);
    for (const page of new Set([...pages, '/console/partners/demo'])) {
      const { status, text } = await browser.read(page);
      expect([page, status, text]).toEqual([page, 200, expect.stringContaining('<h1>')]);
    }
  });

  test('a reader of personal data is recorded as the issuer names the person', async () => {
    const [review] = await desk().cases.listOpen();
    const browser = await signedIn('compliance');

    await browser.read(`/console/reviews/${encodeURIComponent(review!.id)}`);

    const [{ who }] = (await desk().acts.listOfSubject(review!.id)).slice(-1) as [ActEvent];
    expect(who).toMatchObject({
      id: `${personOf('compliance')}@onramp.example`,
      via: 'OIDC',
      principal: `${world.issuer.url}#${personOf('compliance')}`,
    });
  });

  test.each([
    ['the hash of its transfer', () => completed.txHash],
    ['the end-to-end id of its Pix', () => completed.endToEndId],
    ['its wallet', () => completed.walletAddress],
    ['its KYC token', () => completed.kycToken],
    ['the beginning of its id', () => completed.transactionId.slice(0, 20)],
  ])('the search finds a purchase by %s', async (_, textOf) => {
    const browser = await signedIn('viewer');

    const answer = await browser.send('/console/search', { q: textOf() });
    const to = answer.headers.get('location');
    const text = to ? (await browser.read(to)).text : await answer.text();

    expect(text).toContain(completed.transactionId);
  });

  test('the search for a hash that nobody has signed finds nothing', async () => {
    const browser = await signedIn('viewer');

    const { text } = await browser.read(`/console/search?q=0x${'12'.repeat(32)}`);

    expect(text).toContain('Nothing of this stage has the id');
  });

  test.each(['operator', 'compliance'] as const)(
    'the search finds for %s a purchase by the CPF of its client, and puts the CPF into no address',
    async (role) => {
      const browser = await signedIn(role);

      const answer = await browser.send('/console/search', { q: completed.cpf });

      const text = await answer.text();
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
      expect(text).toContain(completed.transactionId);
      expect(text.includes('<h2>KYC records</h2>')).toBe(role === 'compliance');
    },
  );

  test.each(ROLES)('each page is for the roles that the list says: %s', async (role) => {
    const browser = await signedIn(role);
    for (const section of SECTIONS.filter(({ label }) => label)) {
      const { status, text } = await browser.read(`/console${section.path}`);
      const may = readersOf(section).includes(role);
      expect([section.path, status]).toEqual([section.path, may ? 200 : 403]);
      if (!may) expect(text).toContain(`Your role is ${role}.`);
    }
  });

  test('a sign-out ends the session, and each stolen copy of its cookie', async () => {
    const browser = await signedIn('viewer');
    const stolen = browserAt(world.url);
    for (const [name, value] of browser.jar) stolen.jar.set(name, value);
    expect((await stolen.read('/console')).status).toBe(200);

    await browser.send('/console/sign-out', {});

    for (const one of [browser, stolen])
      expect((await one.go('/console')).headers.get('location')).toBe(SIGN_IN);
  });

  test('a session that has ended by itself counts no more, although the right key has signed it', async () => {
    const browser = browserAt(world.url);
    const key = await sessionKey();
    const since = Date.now() - 60 * 60_000;
    const signed = (endsAt: number) =>
      new SignJWT({ role: 'admin', since })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('console')
        .setAudience('sandbox')
        .setJti('one')
        .setSubject('ana')
        .setExpirationTime(new Date(endsAt))
        .sign(key);
    browser.jar.set('__Host-console', await signed(Date.now() + 60_000));
    expect((await browser.go('/console')).status).toBe(200);

    browser.jar.set('__Host-console', await signed(Date.now() - 1000));

    expect((await browser.go('/console')).headers.get('location')).toBe(SIGN_IN);
  });

  // docs/security.md, "Least privilege"
  test('an act of one person is made', async () => {
    const browser = await signedIn('admin');
    for (const wanted of await actsOf(browser, { desk: desk(), ...completed }))
      expect([wanted.wanted, await act(browser, wanted)]).toEqual([
        wanted.wanted,
        expect.stringContaining('<h1>Done</h1>'),
      ]);
  });

  test('an act of two persons waits for the second one, who approves it', async () => {
    const [author, second] = [await signedIn('operator'), await signedIn('compliance')];
    const page = '/console/partners/demo';
    const address = await act(author, { page, wanted: '"partners suspend"' });
    expect((await author.read(address)).text).not.toContain('Approve it');
    expect((await desk().partners.findPartner('demo'))?.status).toBe('ACTIVE');

    const { action, form } = formIn((await second.read(address)).text, '/approve');
    const done = await second.send(action, form);

    expect([done.headers.get('cache-control'), await done.text()]).toEqual([
      'no-store',
      expect.stringContaining('demo is SUSPENDED.'),
    ]);
    const found = await desk().acts.findAct(address.split('/').at(-1)!);
    expect(found!.events.map(({ kind, who }) => [kind, who.id])).toEqual([
      ['PROPOSED', `${personOf('operator')}@onramp.example`],
      ['APPROVED', `${personOf('compliance')}@onramp.example`],
      ['DONE', `${personOf('compliance')}@onramp.example`],
    ]);
    await act(author, { page, wanted: '"partners reinstate"' });
  });

  test('the function was refused no call, and has no right that no page uses', () => {
    expect(world.decisions().filter(({ isAllowed }) => !isAllowed)).toEqual([]);
    expect(world.unused()).toEqual([]);
  });
});

/** The key with which the deployed console signs its sessions. */
async function sessionKey(): Promise<Uint8Array> {
  const { endpoint, region, physical } = world.sandbox.cloud;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const client = new SecretsManagerClient({ endpoint, region, credentials });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: physical('ConsoleKey') }));
  return new TextEncoder().encode(SecretString);
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  beforeAll(async () => {
    browser = await openChromium(chromium!);
  });
  afterAll(() => browser?.close());

  type Tab = Awaited<ReturnType<typeof browser.open>>;

  /** Signs in with the button of a person, and waits for the page with this heading. */
  async function signIn(role: Parameters<typeof personOf>[0], heading = 'Today'): Promise<Tab> {
    const tab = await browser.open({ ...DESK, script: false });
    await tab.goTo(world.url);
    await tab.heading('Sign in');
    await tab.press('a.button');
    await tab.heading('Simulated issuer');
    await tab.press(`button[value=${personOf(role)}]`);
    await tab.heading(heading);
    return tab;
  }

  test('a person signs in, sees a page, is refused another, and signs out', async () => {
    const tab = await signIn('operator');
    expect(await tab.evaluate('document.querySelector(".person bdi").textContent')).toBe(
      `${personOf('operator')}@onramp.example`,
    );
    await tab.press('nav a[href="/console/treasury"]');
    await tab.heading('Treasury');
    await tab.goTo(`${world.url}/reviews`);
    await tab.heading('Not for your role');
    expect(await tab.evaluate('document.cookie')).toBe('');

    await tab.press('.person button');

    await tab.heading('Sign in');
    await tab.goTo(`${world.url}/treasury`);
    await tab.heading('Sign in');
  });

  test('after a sign-out the issuer asks for the password again', async () => {
    const tab = await signIn('viewer');
    await tab.press('.person button');
    await tab.heading('Sign in');

    await tab.press('a.button');

    await tab.heading('Simulated issuer');
  });

  test('a person without a role, and one whom the issuer refuses, see why', async () => {
    await signIn('none', 'No role');
    await signIn('nobody', 'Not signed in');
  });

  test('a forged state and a code that was used lead to no session', async () => {
    const tab = await browser.open({ ...DESK, script: false });
    for (const query of ['state=x&code=y', `code=y&state=x&iss=${encodeURIComponent(world.issuer.url)}`]) {
      await tab.goTo(`${world.url}/sign-in/begin`);
      await tab.heading('Simulated issuer');
      await tab.goTo(`${world.url}/sign-in/callback?${query}`);
      await tab.heading('Not signed in');
    }
    await tab.goTo(world.url);
    await tab.heading('Sign in');
  });

  test.each([
    ['without a signature', { signature: 'none' as const }],
    ['of another key', { signature: 'foreign key' as const }],
    ['for another audience', { claims: { aud: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['that has ended', { claims: { exp: 1 } }],
  ])('a token %s leads to no session', async (_, wrong) => {
    world.issuer.wrong = wrong;

    const tab = await signIn('admin', 'Not signed in');

    await tab.goTo(world.url);
    await tab.heading('Sign in');
  });

  test('a new key of the issuer counts at once', async () => {
    await world.issuer.rotate();

    await signIn('compliance');
  });
});
