import { afterEach, describe, expect, test } from 'vitest';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { MACHINE } from '../../operations/console/machine.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { cookieOf, HOST, type Opened, openConsole, post, signedIn } from '../support/console.ts';
import { FOREIGN } from '../support/console-addresses.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newEndToEndId, newId, putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';

const HASH = `0x${'cd'.repeat(32)}`;
const EVIL = '<script>alert(1)</script><img src=x onerror=alert(2)>';
const MOST_BYTES = 50_000;

let opened: Opened;
const open = (...given: Parameters<typeof openConsole>) => {
  opened = openConsole(...given);
  return opened;
};
afterEach(() => expect(opened.errors).toEqual([]));

async function withPurchase(changes: Partial<Transaction> = {}) {
  const found = open();
  const purchase = await putPurchaseIn(found.ports, 'PROCESSING', changes);
  return { ...found, purchase, person: await signedIn(found) };
}

/** Events of an execution, a second apart. */
const historyOf = (...events: [type: string, details: object][]) =>
  events.map(([type, details], index) => ({
    id: index + 1,
    at: new Date(START_AT + index * 1000).toISOString(),
    type,
    details,
  }));
const stay = (name: string, ...between: [string, object][]): [string, object][] => [
  ['TaskStateEntered', { name }],
  ...between,
  ['TaskStateExited', { name }],
];
const tried: [string, object] = ['LambdaFunctionScheduled', {}];
const failed = (error: string): [string, object] => ['LambdaFunctionFailed', { error, cause: EVIL }];

describe('the sign-in', () => {
  const PAGES = ['', '/search?q=x', '/purchases/01M83SXXA3JVCY5BC678JJPNEX', '/partners/demo', '/nothing'];

  const signInTo = (path: string) => `/console/sign-in?to=${encodeURIComponent(path)}`;

  test.each(PAGES)('comes before the page “%s”', async (page) => {
    const answer = await open().app.request(`${HOST}/console${page}`);

    const to = page === '' ? '/console/sign-in' : signInTo(`/console${page}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, to]);
    expect(cookieOf(answer)).toBe('');
  });

  test('does not name the first page, to which API Gateway adds a slash', async () => {
    const answer = await open().app.request(`${HOST}/console/`);

    expect(answer.headers.get('location')).toBe('/console/sign-in');
  });

  test.each(PAGES)('leads to the page that was asked for: “%s”', async (page) => {
    const { app } = open();
    const asked = await app.request(`${HOST}/console${page}`);
    const form = await (await app.request(`${HOST}${asked.headers.get('location')}`)).text();
    const [, action = ''] = /<form class="sign-in" method="post" action="([^"]+)"/.exec(form) ?? [];

    const answer = await post(opened, action, { form: { role: 'viewer' } });

    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/console${page}`]);
  });

  test.each(FOREIGN)('leads to no other place: %j', async (to) => {
    const path = `/console/sign-in?to=${encodeURIComponent(to)}`;
    const page = await (await open().app.request(`${HOST}${path}`)).text();

    const answer = await post(opened, path, { form: { role: 'viewer' } });

    expect(page).toContain('action="/console/sign-in"');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
  });

  test('comes before a search', async () => {
    const answer = await post(open(), '/console/search', { form: { q: 'demo' } });

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in']);
  });

  test('takes no other role', async () => {
    const answer = await post(open(), '/console/sign-in', { form: { role: 'root' } });

    expect([answer.status, cookieOf(answer)]).toEqual([400, '']);
  });

  test('names the person and the role on each page', async () => {
    const { text } = await (await signedIn(open(), 'compliance')).read('/console');

    expect(text).toContain('<bdi>demo-compliance</bdi> · compliance');
  });

  test('ends with the sign-out', async () => {
    const person = await signedIn(open());

    const answer = await person.send('/console/sign-out', {});

    expect(answer.headers.get('set-cookie')).toMatch(/^console=; Max-Age=0; Path=\/;/);
  });
});

// docs/security.md, "Least privilege"
describe('a session', () => {
  test('is a cookie that no script reads, and that no other site sends', async () => {
    const answer = await post(open(), '/console/sign-in', { form: { role: 'viewer' } });

    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('is for HTTPS alone where the console is', async () => {
    const body = new URLSearchParams({ role: 'viewer' });
    const headers = { origin: 'https://console.test' };
    const answer = await open().app.request('https://console.test/console/sign-in', {
      method: 'POST',
      headers,
      body,
    });

    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-console=.*; Secure/);
  });

  test('is over 15 minutes after the last page', async () => {
    const person = await signedIn(open());
    opened.ports.clock.advance(14 * MINUTE_MS);
    expect((await person.read('/console')).status).toBe(200);
    opened.ports.clock.advance(14 * MINUTE_MS);
    expect((await person.read('/console')).status).toBe(200);

    opened.ports.clock.advance(15 * MINUTE_MS);

    expect((await person.ask('/console')).headers.get('location')).toBe('/console/sign-in');
  });

  test('is over eight hours after the sign-in, however busy the person is', async () => {
    const person = await signedIn(open());
    for (let spent = 0; spent < 8 * 60 - 10; spent += 10) {
      opened.ports.clock.advance(10 * MINUTE_MS);
      await person.read('/console');
    }
    expect((await person.ask('/console')).status).toBe(200);

    opened.ports.clock.advance(10 * MINUTE_MS);

    expect((await person.ask('/console')).status).toBe(303);
  });

  test.each([
    ['of another key', () => openConsole({ key: new Uint8Array(32).fill(8) })],
    ['of another stage', () => openConsole({ stage: 'production' })],
  ])('%s is none', async (_, other) => {
    const cookie = (await signedIn(other())).cookie();

    const answer = await open().app.request(`${HOST}/console`, { headers: { cookie } });

    expect(answer.status).toBe(303);
  });

  test('without a signature, or with a changed role, is none', async () => {
    const cookie = (await signedIn(open())).cookie();
    const [, claims = ''] = cookie.split('.');
    const admin = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('viewer', 'admin'));
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      cookie.replace(claims, admin.toString('base64url')),
      `console=${unsigned}.${claims}.`,
      'console=',
      'console=a.b.c',
    ];
    for (const each of forged) {
      const answer = await opened.app.request(`${HOST}/console`, { headers: { cookie: each } });
      expect(answer.status).toBe(303);
    }
  });
});

describe('each answer', () => {
  test('stands in no frame, runs no script, and is kept nowhere', async () => {
    const { ask } = await signedIn(open());
    for (const path of ['', '/search?q=x', '/partners/nobody', '/sign-in', '/nothing']) {
      const { headers } = await ask(`/console${path}`);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script|unsafe/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['/console/sign-in', '/console/sign-out', '/console/search'])(
    'to a form of another site at %s is a refusal',
    async (path) => {
      const cookie = (await signedIn(open())).cookie();

      const form = { role: 'admin', q: 'demo' };
      const answer = await post(opened, path, { form, cookie, origin: 'https://evil.test' });

      expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
    },
  );

  test('to a page that is not there is a page', async () => {
    const { status, text } = await (await signedIn(open())).read('/console/nothing');

    expect([status, text]).toEqual([404, expect.stringContaining('<h1>Not found</h1>')]);
  });

  test('to a form beyond all limits is a refusal', async () => {
    const answer = await (await signedIn(open())).send('/console/search', { q: 'x'.repeat(20_000) });

    expect(answer.status).toBe(413);
  });

  test('after a failure tells nothing of it', async () => {
    const person = await signedIn(open());
    Object.assign(opened.ports.register, {
      listPartners: async () => Promise.reject(new Error('secret of the table')),
    });

    const { status, text } = await person.read('/console');

    expect([status, text]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(opened.errors.splice(0).map(({ message }) => message)).toEqual(['secret of the table']);
  });
});

describe('the search', () => {
  const BY: [string, (purchase: Transaction) => string][] = [
    ['its id', ({ id }) => id],
    ['its id in small letters', ({ id }) => ` ${id.toLowerCase()} `],
    ['the id of its event', ({ id }) => `${id}.2`],
    ['the name of its execution', ({ id }) => `${id}-r1`],
    ['the beginning of its id', ({ id }) => id.slice(0, 20)],
    ['its end-to-end id', ({ payment }) => payment!.endToEndId],
    ['its externalId', () => 'order #1 / 50%'],
    ['its wallet', ({ walletAddress }) => walletAddress],
    ['its KYC token', ({ kycToken }) => kycToken],
  ];

  test.each(BY)('finds a purchase by %s', async (_, textOf) => {
    const { purchase, person } = await withPurchase({ externalId: 'order #1 / 50%' });
    for (const posting of postingsOf(purchase)) await opened.put('ledger', postingRow(posting));

    const answer = await person.send('/console/search', { q: textOf(purchase) });
    const to = answer.headers.get('location');
    const found = to ? await person.read(to) : { text: await answer.text() };

    expect(found.text).toContain(purchase.id);
  });

  test('finds a purchase by the hash of its transfer, which may not be mined yet', async () => {
    const { purchase, person, put } = await withPurchase({ nextCheckAt: START_AT });
    const attempts = [{ kind: 'pay', hash: HASH, raw: '0xraw', at: START_AT }];
    await put('settlements', { id: `PAY#${purchase.id}`, transactionId: purchase.id, attempts, tries: [] });

    expect((await person.read(`/console/search?q=${HASH}`)).path).toBe(`/console/purchases/${purchase.id}`);
  });

  test('shows the newest of very many purchases of one wallet', async () => {
    const { purchase, person, put } = await withPurchase();
    const older = Array.from({ length: 120 }, (_, at) => ({
      ...purchase,
      id: newId(),
      createdAt: purchase.createdAt - 1 - at,
    }));
    for (const each of older) await put('transactions', each);

    const { text } = await person.read(`/console/search?q=${purchase.walletAddress}`);

    expect(text.match(/\/console\/purchases\//g)).toHaveLength(100);
    expect(text.indexOf(purchase.id)).toBeGreaterThan(0);
    expect(text).toContain('and 21 older ones');
  });

  test('finds acts and cases by their ids, as far as the person may read them', async () => {
    const { ports } = open();
    const review = await openCase(ports);
    const money = aMoneyCase('REFUND_FAILED', newId(), { openedAt: START_AT });
    await ports.moneyCases.open(money);
    const who = { id: 'rui', via: 'OIDC', principal: 'x#rui', roles: ['operator'] } as const;
    const act = 'A'.repeat(10);
    const first = { kind: 'ORDERED', name: 'treasury pause', reason: 'a test' } as const;
    await ports.acts.add({ act, place: 1, subject: 'USDC', at: START_AT, who, ...first });
    const pathsFor = async (role: string) => {
      const person = await signedIn(opened, role);
      const found = [act.toLowerCase(), money.id, review.id].map((id) =>
        person.read(`/console/search?q=${encodeURIComponent(id)}`),
      );
      return (await Promise.all(found)).map(({ path }) => path.replace(/\?.*/, ''));
    };

    const [ofAct, ofMoney, ofReview] = [
      `/console/acts/${act}`,
      '/console/cases/case',
      `/console/reviews/${review.id}`,
    ];
    const none = '/console/search';
    expect(await pathsFor('admin')).toEqual([ofAct, ofMoney, ofReview]);
    expect(await pathsFor('operator')).toEqual([ofAct, ofMoney, none]);
    expect(await pathsFor('viewer')).toEqual([none, ofMoney, none]);
  });

  test('finds a partner by its id or a part of its name', async () => {
    const person = await signedIn(open());
    await opened.ports.register.create(aPartner({ id: 'acme', name: 'Acme Exchange' }));

    for (const text of ['acme', 'EXCHANGE'])
      expect((await person.read(`/console/search?q=${text}`)).path).toBe('/console/partners/acme');
  });

  test.each([
    '%',
    '',
    '*',
    '0x',
    '\u0000',
    "' OR 1=1",
    EVIL,
    'x'.repeat(10_000),
    '01M83SXXA3JVCY5BC678JJPNEX',
  ])('finds nothing for “%s”, and says so', async (q) => {
    const { person } = await withPurchase({ partnerId: 'acme' });

    const answer = await person.send('/console/search', { q });
    const to = answer.headers.get('location');
    const { status, text } = to ? await person.read(to) : { status: 200, text: await answer.text() };

    expect(status).toBe(200);
    expect(text).toMatch(/Nothing of this stage|too long/);
    expect(text).not.toContain('<script');
  });

  test('keeps a KYC token out of the address', async () => {
    const q = 'kyc_01M83SXXA3JVCY5BC678JJPNEX';
    const answer = await (await signedIn(open())).send('/console/search', { q });

    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
  });

  test.each(['529.982.247-25', '52998224725'])(
    'finds by the CPF %s the purchases at all partners, and repeats it nowhere',
    async (q) => {
      const { purchase, ports } = await withPurchase();
      const recorded: object[] = [];
      const { record } = ports.evidence;
      Object.assign(opened.desk.evidence, {
        record: async (each: never) => {
          recorded.push(each);
          return record(each);
        },
      });
      for (const partnerId of ['acme', 'other']) {
        await ports.register.create(aPartner({ id: partnerId }));
        const clientId = await clientIdOf({ partnerId, cpf: '52998224725' }, ports.lookup);
        await opened.put('transactions', { ...purchase, id: newId(), partnerId, clientId });
      }

      const answer = await (await signedIn(opened, 'operator')).send('/console/search', { q });

      const text = await answer.text();
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
      expect(text.match(/\/console\/purchases\//g)).toHaveLength(2);
      expect(`${text}${JSON.stringify(recorded)}`).not.toMatch(/529\.?982\.?247/);
      expect(recorded).toMatchObject([{ decidedBy: 'demo-operator', inputs: { command: 'tx find' } }]);
    },
  );

  test('finds by a CPF for compliance also records, cases, blocks and holds, each with its page', async () => {
    const { ports } = open();
    await ports.register.create(aPartner({ id: 'acme' }));
    const [clientId, personId] = await Promise.all([
      clientIdOf({ partnerId: 'acme', cpf: '52998224725' }, ports.lookup),
      personIdOf('52998224725', ports.lookup),
    ]);
    const review = await openCase(ports, { clientId, partnerId: 'acme' });
    const about = { clientId, partnerId: 'acme', openedAt: START_AT };
    const money = aMoneyCase('REFUND_FAILED', newEndToEndId(), about);
    await ports.moneyCases.open(money);
    const purchase = await putPurchaseIn(ports, 'PROCESSING', { clientId, partnerId: 'acme' });
    const order = { by: 'rui', at: START_AT, reason: EVIL };
    await ports.personBlocks.block({ id: personId, state: 'ACTIVE', ...order });
    await ports.litigationHolds.hold({ personId, clientIds: [clientId], state: 'HELD', ...order });

    const person = await signedIn(opened, 'compliance');
    const answer = await person.send('/console/search', { q: '529.982.247-25' });

    const text = await answer.text();
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    for (const path of [
      `/purchases/${purchase.id}`,
      `/reviews/${encodeURIComponent(review.id)}`,
      `/cases/case?id=${encodeURIComponent(money.id)}`,
    ])
      expect(text).toContain(`href="/console${path}"`);
    for (const title of ['KYC records', 'Block of the person', 'Litigation hold'])
      expect(text).toContain(`<h2>${title}</h2>`);
    expect(text.match(/&lt;script&gt;alert/g)).toHaveLength(2);
    expect(text).not.toMatch(/<script|529\.?982\.?247/);
    const events = await ports.acts.listOfSubject(personId);
    expect(events).toMatchObject([
      { name: 'subject show', who: { id: 'demo-compliance' } },
      { kind: 'DONE' },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/529\.?982\.?247/);
  });

  test('finds by a CPF nothing for a viewer, nor in an address', async () => {
    const person = await signedIn(open());

    const answer = await person.send('/console/search', { q: '529.982.247-25' });
    const { text } = await person.read('/console/search?q=52998224725');

    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('tx find is for')]);
    expect(text).toContain('A CPF may not be in an address.');
  });
});

test.each([
  [50_00, 'R$50.00'],
  [1_034_56, 'R$1,034.56'],
  [5_000_00, 'R$5,000.00'],
  [50_000_00, 'R$50,000.00'],
])('an amount of %i centavos is %s in the list of the newest purchases', async (amountCentavos, words) => {
  const { person } = await withPurchase({ amountCentavos });

  const { text } = await person.read('/console');

  expect(text.match(/R\$[\d.,]+\d/g)).toEqual([words]);
});

describe('the page of a purchase', () => {
  test('tells its story, with its parts', async () => {
    const { purchase, person } = await withPurchase();

    const { text } = await person.read(`/console/purchases/${purchase.id}`);

    expect(text).toContain('PROCESSING since ');
    expect(text).toContain('The Pix of R$250.00 was received.');
    expect(text).toContain(`${purchase.payment?.endToEndId}`);
  });

  test('shows what others wrote as text', async () => {
    const { purchase, person, executions, ports } = await withPurchase({ externalId: EVIL });
    await ports.register.create(aPartner({ id: 'evil', name: EVIL }));
    const events = historyOf(...stay('CheckWalletRisk', tried, failed(EVIL)));
    executions.set(purchase.id, { name: purchase.id, status: EVIL, events });
    const obstacle = { step: 'CheckWalletRisk', error: EVIL, message: EVIL, since: START_AT, times: 1 };
    const visit = { name: purchase.id, status: 'RUNNING', step: 'CheckWalletRisk', obstacle };
    Object.assign(opened.desk.visits, { findVisit: async () => visit });

    for (const path of [`/purchases/${purchase.id}`, '', '/search?q=evil', '/partners/evil']) {
      const { text } = await person.read(`/console${path}`);
      expect(text).not.toMatch(/<script|<img/);
    }
    expect((await person.read(`/console/purchases/${purchase.id}`)).text).toContain(
      'CheckWalletRisk fails: &lt;script&gt;',
    );
  });

  // docs/security.md, "Least privilege"
  test('draws each state and each move of the definition', async () => {
    const { purchase, person } = await withPurchase();

    const { text } = await person.read(`/console/purchases/${purchase.id}`);

    const names = [...text.matchAll(/<text class="name"[^>]*>(\w+)</g)].map(([, name]) => name);
    expect(names).toEqual(MACHINE.states.map(({ name }) => name));
    expect(text.match(/<path class="move /g)).toHaveLength(MACHINE.moves.length);
    expect(text).toContain('no longer keeps it');
  });

  test('draws the way that was taken, with times, tries and errors', async () => {
    const { purchase, person, executions } = await withPurchase();
    const events = historyOf(
      ['ExecutionStarted', {}],
      ['ChoiceStateEntered', { name: 'WhatNow' }],
      ['ChoiceStateExited', { name: 'WhatNow' }],
      ...stay('CheckWalletRisk', tried, failed('Unavailable'), tried, failed('Unavailable'), tried),
      ...stay('ConfirmPixPayment', tried),
      ['TaskStateEntered', { name: 'SettleStablecoin' }],
    );
    executions.set(purchase.id, { name: purchase.id, status: 'RUNNING', events });
    opened.ports.clock.advance(MINUTE_MS);

    const { text } = await person.read(`/console/purchases/${purchase.id}`);

    expect(text.match(/<path class="move taken/g)).toHaveLength(3);
    expect(text).toMatch(
      /class="state visited troubled">.*\n.*\n.*CheckWalletRisk<\/text>\n.*3 tries · 6 s</,
    );
    expect(text).toMatch(/class="state visited last">.*\n.*\n.*SettleStablecoin</);
    expect(text).toContain('Unavailable, 2 times');
    expect(text).toContain('47 s so far');
  });

  test('stays small after a thousand stays', async () => {
    const { purchase, person, executions } = await withPurchase();
    const busy = Array.from({ length: 1000 }, () => stay('CheckWalletRisk', tried, failed('Unavailable')));
    executions.set(purchase.id, { name: purchase.id, status: 'RUNNING', events: historyOf(...busy.flat()) });

    const { text } = await person.read(`/console/purchases/${purchase.id}`);

    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
    expect(text).toContain('950 earlier stays are left out.');
  });

  test('asks the newest execution', async () => {
    const { purchase, person, executions } = await withPurchase({ executions: 2 });
    executions.set(`${purchase.id}-r2`, { name: `${purchase.id}-r2`, status: 'RUNNING', events: [] });

    const { text } = await person.read(`/console/purchases/${purchase.id}`);

    expect(text).toContain(`<bdi>${purchase.id}-r2</bdi>: RUNNING`);
  });
});

test('the first page lists the newest purchases of all partners', async () => {
  const { person, purchase, ports } = await withPurchase();
  const other = await putPurchaseIn(ports, 'COMPLETED', {
    createdAt: START_AT + 1,
    payment: { endToEndId: newEndToEndId(), paidAt: START_AT, amountCentavos: 250_00 },
  });

  const { text } = await person.read('/console');

  const listed = [...text.matchAll(/purchases\/(\w+)"/g)].map(([, id]) => id);
  expect(listed).toEqual([other.id, purchase.id]);
});

test('the page of a partner lists its newest purchases', async () => {
  const { person, purchase } = await withPurchase();

  const { text } = await person.read(`/console/partners/${purchase.partnerId}`);

  expect(text).toContain(`/console/purchases/${purchase.id}`);
});
