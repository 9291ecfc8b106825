import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openIdIssuer } from '../../operations/console/issuer.ts';
import { issuerDoor } from '../../operations/console/issuer-door.ts';
import { startIssuer } from '../../sandbox/issuer/issuer.ts';
import type { SimulatedIssuer } from '../../sandbox/issuer/state.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { KEY, type Opened, openConsole, post } from '../support/console.ts';
import { FOREIGN } from '../support/console-addresses.ts';

const HOST = 'https://console.test';
const redirectUrl = `${HOST}/console/sign-in/callback`;
const clientId = 'client-1';
const groups = { viewer: 'viewer', operator: 'desk', compliance: 'compliance', admin: 'admin' };
const ana = { sub: 'person-1', email: 'Ana@onramp.example', email_verified: true, groups: ['viewer'] };
const people = {
  ana,
  bia: { ...ana, sub: 'person-2', email: 'bia@onramp.example', groups: ['viewer', 'compliance', 'other'] },
  caio: { ...ana, sub: 'person-3', groups: 'desk' },
  davi: { ...ana, sub: 'person-4', email: 'boss@onramp.example', email_verified: false },
};

let issuer: SimulatedIssuer;
let opened: Opened;
beforeAll(async () => {
  issuer = await startIssuer({ clientId, redirectUrl, people });
});
afterAll(() => issuer.stop());
beforeEach(() => {
  const door = issuerDoor({
    issuer: openIdIssuer({ issuer: issuer.url, clientId, redirectUrl }),
    key: KEY,
    roles: { claim: 'groups', groups },
  });
  opened = openConsole({ door });
  issuer.wrong = {};
  issuer.instead = undefined;
});
afterEach(() => expect(opened.errors).toEqual([]));

const ask = async (path: string, cookie = '', headers: Record<string, string> = {}) =>
  opened.app.request(`${HOST}${path}`, { headers: { cookie, ...headers } });

/** The cookie that an answer sets, as the browser sends it. */
const cookieOf = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .find((each) => each.startsWith(`__Host-${name}=`) && !each.endsWith('='));
const sessionOf = (answer: Response) => cookieOf(answer, 'console');

async function begin(query = '') {
  const answer = await ask(`/console/sign-in/begin${query}`);
  return {
    url: new URL(answer.headers.get('location')!),
    cookie: cookieOf(answer, 'console-sign-in')!,
    answer,
  };
}

/** Signs the person in at the issuer. Answers the query with which the browser comes back to the console. */
async function atIssuer(url: URL, person = 'ana'): Promise<URLSearchParams> {
  const init = { method: 'POST', body: new URLSearchParams({ person }), redirect: 'manual' } as const;
  const answer = await fetch(url, init);
  return new URL(answer.headers.get('location')!).searchParams;
}

type How = { person?: string; change?: (query: URLSearchParams) => void; to?: string };

/** A whole sign-in. `change` edits the query with which the browser comes back. `to` is the page asked for. */
async function signIn({ person, change, to }: How = {}) {
  const { url, cookie } = await begin(to === undefined ? '' : `?to=${encodeURIComponent(to)}`);
  const query = await atIssuer(url, person);
  change?.(query);
  return ask(`/console/sign-in/callback?${query}`, cookie);
}

const pageAs = async (person: string) => (await ask('/console', sessionOf(await signIn({ person })))).text();

// docs/security.md, "Least privilege"
describe('a sign-in at the issuer', () => {
  test('asks for a code with PKCE, a state and a nonce, each time others', async () => {
    const [one, other] = [(await begin()).url.searchParams, (await begin()).url.searchParams];

    expect(Object.fromEntries(one)).toMatchObject({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUrl,
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(other.get(name)).not.toBe(one.get(name));
  });

  test('asks for the password again, although the issuer knows the browser', async () => {
    const { url } = await begin();
    const known = { headers: { cookie: 'known=ana' }, redirect: 'manual' } as const;

    expect((await fetch(url, known)).status).toBe(200);
    url.searchParams.delete('prompt');
    expect((await fetch(url, known)).status).toBe(303);
  });

  test('keeps the begun sign-in in a cookie that no script reads, and that this host alone gets', async () => {
    const { answer } = await begin();

    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-console-sign-in=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('opens a session in the person’s verified address, in a cookie of this host alone', async () => {
    const answer = await signIn();

    const [, session] = answer.headers.getSetCookie();
    expect(session).toMatch(/^__Host-console=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
    const page = await (await ask('/console', sessionOf(answer))).text();
    expect(page).toContain('<bdi>ana@onramp.example</bdi> · viewer');
  });

  // docs/security.md, "Least privilege"
  test.each([
    ['has not verified', { email_verified: false }],
    ['does not call verified', { email_verified: undefined }],
    ['calls verified in a text', { email_verified: 'true' }],
    ['does not name', { email: undefined }],
    ['leaves empty', { email: '' }],
  ])('opens no session for an address that the issuer %s', async (_, claims) => {
    issuer.wrong = { claims };

    const answer = await signIn();

    expect([answer.status, sessionOf(answer)]).toEqual([403, undefined]);
    expect(await answer.text()).toContain('No verified address');
  });

  test('opens no session for a person without a verified address', async () => {
    expect((await signIn({ person: 'davi' })).status).toBe(403);
  });

  test.each([
    ['bia', 'compliance'],
    ['caio', 'operator'],
  ])('gives %s the highest role of the groups', async (person, role) => {
    expect(await pageAs(person)).toContain(`· ${role}`);
  });

  test.each([[undefined], ['root'], [[]], [{ viewer: true }], ['viewer,admin'], ['operator']])(
    'opens no session for the groups %o',
    async (names) => {
      issuer.wrong = { claims: { groups: names } };

      const answer = await signIn();

      expect([answer.status, sessionOf(answer)]).toEqual([403, undefined]);
    },
  );

  test('leads to the page that was asked for', async () => {
    const path = '/console/search?q=%22%3E%3Cscript%3E&x=1';
    const asked = await ask(path);
    const form = await (await ask(asked.headers.get('location')!)).text();
    expect(form).toContain(`href="/console/sign-in/begin?to=${encodeURIComponent(path)}"`);

    const answer = await signIn({ to: path });

    expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    expect(sessionOf(answer)).toBeDefined();
  });

  test.each(FOREIGN)('leads to no other place: %j', async (to) => {
    const page = await (await ask(`/console/sign-in?to=${encodeURIComponent(to)}`)).text();
    expect(page).toContain('href="/console/sign-in/begin"');

    expect((await signIn({ to })).headers.get('location')).toBe('/console');
  });

  test('counts at once after the issuer has a new key', async () => {
    await signIn();
    await issuer.rotate();

    expect(sessionOf(await signIn())).toBeDefined();
  });
});

describe('a page of the console', () => {
  test('opens itself again, if another site leads there without the session', async () => {
    const path = '/console/search?q=%22%3E%3Cscript%3E';

    const answer = await ask(path, '', { 'sec-fetch-site': 'cross-site' });
    const text = await answer.text();

    expect([answer.status, text]).toEqual([200, expect.stringContaining('http-equiv="refresh"')]);
    expect(text).not.toContain('<script>');
    expect((await ask(path, '', { 'sec-fetch-site': 'same-origin' })).headers.get('location')).toBe(
      `/console/sign-in?to=${encodeURIComponent(path)}`,
    );
  });

  // docs/security.md, "Least privilege"
  test('is not for a copy of the session after the sign-out', async () => {
    const cookie = sessionOf(await signIn())!;
    expect((await ask('/console', cookie)).status).toBe(200);

    await post(opened, '/console/sign-out', { form: {}, cookie, host: HOST });

    expect((await ask('/console', cookie)).headers.get('location')).toBe('/console/sign-in');
  });

  test('ends no other session of the person by the sign-out', async () => {
    const [one, other] = [sessionOf(await signIn())!, sessionOf(await signIn())!];

    await post(opened, '/console/sign-out', { form: {}, cookie: one, host: HOST });

    expect((await ask('/console', other)).status).toBe(200);
  });
});

describe('no session is opened', () => {
  async function refused(answer: Response | Promise<Response>, words: string) {
    const { status, session, text } = await Promise.resolve(answer).then(async (each) => ({
      status: each.status,
      session: sessionOf(each),
      text: await each.text(),
    }));
    expect([status, session, text]).toEqual([401, undefined, expect.stringContaining(words)]);
    expect(text).toContain('href="/console/sign-in"');
  }
  const change = (edit: (query: URLSearchParams) => void) => signIn({ change: edit });

  test('for a forged state', () =>
    refused(
      change((query) => query.set('state', 'x')),
      'not that of this sign-in',
    ));

  test('for a callback without the begun sign-in', async () => {
    await refused(
      ask(`/console/sign-in/callback?${await atIssuer((await begin()).url)}`),
      'began in another browser',
    );
  });

  test('for a callback that comes too late', async () => {
    const { url, cookie } = await begin();
    opened.ports.clock.advance(10 * MINUTE_MS);

    await refused(ask(`/console/sign-in/callback?${await atIssuer(url)}`, cookie), 'took too long');
  });

  test('for a begun sign-in that another key has signed', async () => {
    const token = await new SignJWT({ state: 's', nonce: 'n', verifier: 'v' })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('sandbox sign-in')
      .sign(new Uint8Array(32).fill(9));
    const cookie = `__Host-console-sign-in=${token}`;

    await refused(ask('/console/sign-in/callback?state=s&code=c', cookie), 'another browser');
  });

  test('for a session in the place of a begun sign-in', async () => {
    const cookie = sessionOf(await signIn())!.replace('console=', 'console-sign-in=');

    await refused(ask('/console/sign-in/callback?code=c', cookie), 'another browser');
  });

  test('for an answer of another issuer', () =>
    refused(
      change((query) => query.set('iss', 'https://evil.test')),
      'not genuine',
    ));

  test('for an answer without a code', () =>
    refused(
      change((query) => query.delete('code')),
      'not that of this sign-in',
    ));

  test('for somebody whom the issuer does not let in', () =>
    refused(signIn({ person: 'nobody' }), 'has not signed you in'));

  test('for a code that the issuer did not give', () =>
    refused(
      change((query) => query.set('code', 'stolen')),
      'does not accept the code',
    ));

  test('for a code of another sign-in, whose verifier this browser does not have', async () => {
    const stolen = await atIssuer((await begin()).url, 'bia');

    await refused(
      change((query) => query.set('code', stolen.get('code')!)),
      'does not accept the code',
    );
  });

  test('for a code that was used before', async () => {
    const { url, cookie } = await begin();
    const path = `/console/sign-in/callback?${await atIssuer(url)}`;
    expect(sessionOf(await ask(path, cookie))).toBeDefined();

    await refused(ask(path, cookie), 'does not accept the code');
  });

  test.each([
    ['that another key has signed', { signature: 'foreign key' as const }, 'not genuine'],
    ['without a signature', { signature: 'none' as const }, 'not genuine'],
    ['of another issuer', { claims: { iss: 'https://evil.test' } }, 'not for this sign-in'],
    ['for another client', { claims: { aud: 'client-2' } }, 'not for this sign-in'],
    [
      'for several clients, of whom another may use it',
      { claims: { aud: [clientId, 'x'], azp: 'x' } },
      'not',
    ],
    ['that has ended', { claims: { exp: 1 } }, 'not valid now'],
    ['that begins later', { claims: { nbf: 4_102_444_800 } }, 'not valid now'],
    ['without a person', { claims: { sub: undefined } }, 'not'],
    ['without a nonce', { claims: { nonce: undefined } }, 'not'],
    ['of another sign-in', { claims: { nonce: 'x' } }, 'not for this sign-in'],
  ])('for a token %s', (_, wrong, words) => {
    issuer.wrong = wrong;
    return refused(signIn(), words);
  });

  test.each([
    ['answers for another issuer', () => Response.json({ issuer: 'https://evil.test' })],
    ['answers with a failure', () => new Response('', { status: 500 })],
    ['answers with a page', () => new Response('<html>')],
    ['answers in another form', () => Response.json({ issuer: issuer.url })],
  ])('while the issuer %s, and the next sign-in asks again', async (_, instead) => {
    issuer.instead = instead;
    await refused(ask('/console/sign-in/begin'), 'does not answer as expected');

    issuer.instead = undefined;
    expect((await begin()).answer.status).toBe(303);
  });

  test('while the issuer does not answer', async () => {
    const gone = await startIssuer({ clientId, redirectUrl, people });
    await gone.stop();
    const signIn = openIdIssuer({ issuer: gone.url, clientId, redirectUrl });
    const door = issuerDoor({ issuer: signIn, key: KEY, roles: { claim: 'groups', groups } });

    await refused(
      openConsole({ door }).app.request(`${HOST}/console/sign-in/begin`),
      'does not answer as expected',
    );
  });
});
