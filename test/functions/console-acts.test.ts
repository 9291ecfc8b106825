import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operator } from '../../functions/domain/acts/operator.ts';
import type { PersonBlock } from '../../functions/domain/kyc/person-block.ts';
import { openDelivery, parked } from '../../functions/domain/partners/deliveries.ts';
import type { ROLES } from '../../operations/console/roles.ts';
import { aBlock } from '../support/blocked-person.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { HOST, type Opened, openConsole, post, signedIn } from '../support/console.ts';
import { fill, formIn, type Person } from '../support/console-forms.ts';
import { openOwedCase } from '../support/money-cases.ts';
import { newId, putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';
import { randomCpf } from '../support/sandbox.ts';

type Role = (typeof ROLES)[number];

const EVIL = '<script>alert(1)</script>';
const WHY = 'mistaken identity';
const DAY_MS = 24 * 60 * MINUTE_MS;

let opened: Opened;
beforeEach(() => {
  opened = openConsole();
});
afterEach(() => expect(opened.errors).toEqual([]));

const as = (role: Role) => signedIn(opened, role);

type Typed = Record<string, string>;

async function aBlockedPerson(): Promise<PersonBlock> {
  return opened.ports.personBlocks.block(await aBlock(opened.ports, randomCpf()));
}

/** The page that shows what the act would do. */
async function look(person: Person, { id }: PersonBlock) {
  const { text } = await person.read('/console/blocks');
  return fill(person, text, { wanted: '"fraud lift"', typed: { 0: id, reason: WHY } });
}

/** The address of the act that the person has proposed: to lift the block. */
async function propose(person: Person, block: PersonBlock): Promise<string> {
  const { text } = await look(person, block);
  const { status, to } = await fill(person, text, { wanted: '/acts/make' });
  expect(status).toBe(303);
  return to!;
}

async function decide(person: Person, act: string, decision: 'approve' | 'withdraw') {
  const { text } = await person.read(act);
  return fill(person, text, { wanted: `/${decision}`, typed: { reason: WHY } });
}

const stateOf = async ({ id }: PersonBlock) => (await opened.ports.personBlocks.findBlock(id))?.state;
const kindsOf = async (act: string) =>
  (await opened.ports.acts.findAct(act.split('/').at(-1)!))?.events.map(({ kind }) => kind);

// docs/security.md, "Least privilege"
describe('an act on the console', () => {
  test('is shown before it is made, and the look changes nothing', async () => {
    const block = await aBlockedPerson();

    const { status, text } = await look(await as('operator'), block);

    expect([status, text]).toEqual([200, expect.stringContaining(`let the person ${block.id} buy again`)]);
    expect(text).toContain('once another compliance has approved it, within 24 h');
    expect(await opened.ports.acts.listBetween(0, START_AT + DAY_MS)).toEqual([]);
  });

  test('waits for the second person, with who, why, before, after and the deadline', async () => {
    const block = await aBlockedPerson();
    await propose(await as('operator'), block);

    const { text } = await (await as('compliance')).read('/console/acts');

    expect(await stateOf(block)).toBe('ACTIVE');
    for (const shown of ['fraud lift', block.id, 'demo-operator', WHY, 'state: ACTIVE', 'state: LIFTED'])
      expect(text).toContain(shown);
    expect(text).toMatch(/data-head="until"[^>]*><time/);
  });

  test('is made once the second person approves it', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('operator'), block);

    const { status, text } = await decide(await as('compliance'), act, 'approve');

    expect([status, text]).toEqual([200, expect.stringContaining('is lifted')]);
    expect(await stateOf(block)).toBe('LIFTED');
    expect(await kindsOf(act)).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
    const { text: past } = await (await as('admin')).read(
      `/console/acts/past?who=demo-comp&text=${block.id}`,
    );
    expect(past).toContain('DONE');
  });

  test('is not made if the second person refuses it', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('operator'), block);
    const person = await as('compliance');
    expect((await person.read(act)).text).toContain('Refuse it');

    await decide(person, act, 'withdraw');

    expect(await stateOf(block)).toBe('ACTIVE');
    expect(await kindsOf(act)).toEqual(['PROPOSED', 'WITHDRAWN']);
    expect((await person.read(act)).text).toContain(WHY);
  });

  test('is withdrawn by its author, who cannot approve it', async () => {
    const author = await as('operator');
    const act = await propose(author, await aBlockedPerson());
    const { text } = await author.read(act);
    expect(text).not.toContain('Approve it');

    await decide(author, act, 'withdraw');

    expect(await kindsOf(act)).toEqual(['PROPOSED', 'WITHDRAWN']);
  });

  test('of one person is made at once', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const person = await as('operator');
    const page = await person.read('/console/partners/acme');
    const { text } = await fill(person, page.text, { wanted: '"partners suspend"', typed: { reason: WHY } });

    const { text: done } = await fill(person, text, { wanted: '/acts/make' });

    expect(done).toContain('acme is SUSPENDED.');
    expect(await opened.ports.partners.findPartner('acme')).toMatchObject({ status: 'SUSPENDED' });
  });

  test.each([
    ['"deliveries redeliver"', 'event', 1],
    ['"parked":true', 'all', 2],
  ])('sends parked deliveries again: %s', async (wanted, which, count) => {
    const { ports } = opened;
    const endpoint = {
      id: 'we_1',
      url: 'https://acme.example/',
      secretCipher: 'cipher',
      createdAt: START_AT,
    };
    await ports.register.create(aPartner({ id: 'acme', webhookEndpoints: [endpoint] }));
    const events = [1, 2].map(() => ({ id: `${newId()}.1`, partnerId: 'acme', at: START_AT }));
    for (const event of events) {
      await ports.announcements.announce({ ...event, type: 'transaction.completed', sequence: 1, data: {} });
      await ports.events.assign(event.id, [endpoint.id]);
      await ports.deliveries.save(parked({ ...openDelivery(event, endpoint.id), attempts: 12 }, START_AT));
    }
    const person = await as('operator');
    const { text } = await person.read('/console/deliveries');
    const typed = { reason: WHY, ...(which === 'event' && { 0: events[0]!.id }) };

    const looked = await fill(person, text, { wanted, typed });
    await fill(person, looked.text, { wanted: '/acts/make' });

    const left = (await person.read('/console/deliveries')).text;
    expect(events.filter(({ id }) => !left.includes(id))).toHaveLength(count);
    expect(left.includes(events[0]!.id)).toBe(false);
  });

  test('that a money case wants needs the outcome that decides who may do it', async () => {
    const found = await openOwedCase(opened.ports, { now: START_AT });
    const path = `/console/cases/case?id=${encodeURIComponent(found.id)}`;
    const close = async (role: Role) => {
      const person = await as(role);
      const typed = { 0: 'RETURNED_OUTSIDE', 1: '250.00', reason: WHY };
      return fill(person, (await person.read(path)).text, { wanted: '"cases close"', typed });
    };

    expect(await close('compliance')).toMatchObject({
      status: 409,
      text: expect.stringContaining('cases close RETURNED_OUTSIDE is for operator'),
    });
    expect((await close('operator')).text).toContain('once another operator or compliance has approved it');
  });

  test('shows a new key once, in an answer that no browser keeps', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const author = await as('operator');
    const page = (await author.read('/console/partners/acme')).text;
    const typed = { 0: 'key7', 1: 'read,write', reason: WHY };
    const { text } = await fill(author, page, { wanted: '"keys create"', typed });
    const { to: act } = await fill(author, text, { wanted: '/acts/make' });
    const second = await as('admin');
    const { action, form } = formIn((await second.read(act!)).text, '/approve');

    const answer = await second.send(action, form);

    const [key = ''] = /sk_\w+/.exec(await answer.text()) ?? [];
    expect(key).toMatch(/^sk_sandbox_acme_key7_/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const path of [act!, '/console/acts', '/console/acts/past', '/console/partners/acme'])
      expect((await second.read(path)).text).not.toContain(key);
    expect(await (await second.send(action, form)).text()).not.toContain(key);
  });

  test.each(['%', EVIL, 'x'.repeat(200)])('is not found by “%s”', async (text) => {
    await propose(await as('operator'), await aBlockedPerson());
    const query = new URLSearchParams({ text, who: '', since: '', until: 'x', json: 'x' });

    const page = await (await as('admin')).read(`/console/acts/past?${query}`);

    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('No act is like that.') });
    expect(page.text).not.toContain('<script');
  });

  test('is searched from a day, and not from what is no day', async () => {
    const person = await as('admin');

    expect((await person.read('/console/acts/past?since=2098-01-01')).status).toBe(200);
    expect((await person.read('/console/acts/past?since=x')).status).toBe(404);
  });

  test('has the address of the act alone, and no reason in an address', async () => {
    expect(await propose(await as('operator'), await aBlockedPerson())).toMatch(
      /^\/console\/acts\/[0-9A-Z]{10}$/,
    );
  });
});

describe('a review case', () => {
  const OPEN = ['reviews clear', 'reviews confirm', 'reviews assign', 'reviews assign'];
  const formsOf = (page: string) =>
    [...page.matchAll(/&quot;command&quot;:&quot;([^&]+)&quot;/g)].map(([, command]) => command);
  const decided = (decidedBy: string) => ({ decidedBy, decidedAt: START_AT, reason: WHY });
  const at = ({ id }: { id: string }) => `/console/reviews/${id}`;
  const STATES: [string, string[], (id: string) => Promise<unknown>][] = [
    ['is open', OPEN, async () => undefined],
    [
      'is assigned to another person',
      [...OPEN, 'reviews unassign'],
      (id) => opened.ports.cases.assign(id, { was: undefined, now: { to: 'rui', by: 'ana', at: START_AT } }),
    ],
    [
      'is their own',
      ['reviews clear', 'reviews confirm', 'reviews assign', 'reviews unassign'],
      (id) =>
        opened.ports.cases.assign(id, {
          was: undefined,
          now: { to: 'demo-compliance', by: 'ana', at: START_AT },
        }),
    ],
    [
      'has lost its entry',
      [...OPEN, 'reviews close'],
      (id) => opened.ports.caseMarks.mark(id, { at: START_AT, edition: '2098-12-31T00:00:00.000Z' }),
    ],
    [
      'is cleared',
      ['reviews confirm'],
      (id) => opened.ports.cases.decide(id, { status: 'CLEARED', ...decided('ana') }),
    ],
    [
      'is confirmed',
      ['reviews undo'],
      (id) => opened.ports.cases.decide(id, { status: 'CONFIRMED', ...decided('ana') }),
    ],
  ];

  test.each(STATES)('that %s offers a person only %j', async (_, forms, arrange) => {
    const found = await openCase(opened.ports);
    await arrange(found.id);

    const { text } = await (await as('compliance')).read(at(found));

    expect(formsOf(text)).toEqual(forms);
  });

  test('is read once for its page', async () => {
    const found = await openCase(opened.ports);
    let reads = 0;
    const { findCase } = opened.ports.cases;
    Object.assign(opened.desk.cases, {
      findCase: async (id: string) => {
        reads += 1;
        return findCase(id);
      },
    });

    await (await as('compliance')).read(at(found));

    expect(reads).toBe(1);
  });

  test('is taken by its reader, at once', async () => {
    const found = await openCase(opened.ports);
    const person = await as('compliance');
    const { text } = await fill(person, (await person.read(at(found))).text, {
      wanted: 'demo-compliance',
      typed: { reason: WHY },
    });

    expect((await fill(person, text, { wanted: '/acts/make' })).text).toContain(
      'is assigned to demo-compliance',
    );

    expect(await opened.ports.cases.findCase(found.id)).toMatchObject({
      assigned: { to: 'demo-compliance' },
    });
  });

  test('whose confirmation was wrong is cleared by two persons', async () => {
    const found = await openCase(opened.ports);
    await opened.ports.cases.decide(found.id, { status: 'CONFIRMED', ...decided('ana') });
    const author = await as('compliance');
    const look = await fill(author, (await author.read(at(found))).text, {
      wanted: '"reviews undo"',
      typed: { reason: WHY },
    });
    const { to: act } = await fill(author, look.text, { wanted: '/acts/make' });
    expect(await opened.ports.cases.findCase(found.id)).toMatchObject({ status: 'CONFIRMED' });

    const { text } = await decide(await as('admin'), act!, 'approve');

    expect(text).toContain(`The case ${found.id} is CLEARED.`);
    expect(await opened.ports.cases.findCase(found.id)).toMatchObject({
      status: 'CLEARED',
      decidedBy: 'demo-compliance with demo-admin',
      undone: { status: 'CONFIRMED', decidedBy: 'ana' },
    });
  });

  test('whose entry is gone is closed with all others of its kind', async () => {
    const ids = (await Promise.all([1, 2].map(() => openCase(opened.ports)))).map(({ id }) => id);
    const person = await as('compliance');
    expect((await person.read('/console/reviews/gone')).text).not.toContain('reviews close');
    for (const id of ids)
      await opened.ports.caseMarks.mark(id, { at: START_AT, edition: '2098-12-31T00:00:00.000Z' });

    const page = (await person.read('/console/reviews/gone')).text;
    const { text } = await fill(person, page, { wanted: '"reviews close"', typed: { reason: WHY } });
    const done = await fill(person, text, { wanted: '/acts/make' });

    expect(done.text).toContain('2 of 2 cases are CLOSED.');
    for (const id of ids)
      expect(await opened.ports.cases.findCase(id)).toMatchObject({ status: 'CLOSED', reason: WHY });
  });
});

describe('an act is refused', () => {
  test('when it is approved twice', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('operator'), block);
    const second = await as('compliance');
    const { text } = await second.read(act);
    const twice = () => fill(second, text, { wanted: '/approve' });

    const answers = await Promise.all([twice(), twice(), twice()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await kindsOf(act)).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
    expect((await twice()).text).toContain('is DONE by demo-compliance meanwhile');
  });

  test('when its author approves it, even with the form of another person', async () => {
    const block = await aBlockedPerson();
    const author = await as('compliance');
    const act = await propose(author, block);
    const other = formIn((await (await as('admin')).read(act)).text, '/approve');

    const answer = await author.send(other.action, other.form);

    expect(answer.status).toBe(403);
    expect([await stateOf(block), await kindsOf(act)]).toEqual(['ACTIVE', ['PROPOSED']]);
  });

  /** Until `unmask` the act names another author. */
  async function masked(act: string, who: Partial<Operator>) {
    const { acts } = opened.desk;
    const found = (await acts.findAct(act.split('/').at(-1)!))!;
    const other = { ...found, first: { ...found.first, who: { ...found.first.who, ...who } } };
    Object.assign(opened.desk, { acts: { ...acts, findAct: async () => other } });
    return { unmask: () => void Object.assign(opened.desk, { acts }) };
  }

  test('when its author has the right seal, too', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('compliance'), block);
    const twin = await as('compliance');
    // The author's page has no such form, so the test takes it while the act names another author.
    const { unmask } = await masked(act, { id: 'ana', principal: 'issuer#ana' });
    const { action, form } = formIn((await twin.read(act)).text, '/approve');
    unmask();

    const answer = await twin.send(action, form);

    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('another person must approve'),
    ]);
    expect(await stateOf(block)).toBe('ACTIVE');
  });

  // docs/operations.md, "Two persons"
  test('when its author has got another e-mail address since', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('compliance'), block);
    const author = await as('compliance');
    const stranger = await masked(act, { id: 'ana', principal: 'issuer#ana' });
    const { action, form } = formIn((await author.read(act)).text, '/approve');
    stranger.unmask();
    await masked(act, { id: 'former@example.com' });

    const { text } = await author.read(act);
    const answer = await author.send(action, form);

    expect(text).not.toContain(`${act}/approve`);
    expect(text).toContain('Withdraw it');
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('another person must approve'),
    ]);
    expect(await stateOf(block)).toBe('ACTIVE');
  });

  test('when it is approved after its withdrawal', async () => {
    const block = await aBlockedPerson();
    const author = await as('operator');
    const act = await propose(author, block);
    const second = await as('compliance');
    const { text } = await second.read(act);
    await decide(author, act, 'withdraw');

    const late = await fill(second, text, { wanted: '/approve' });

    expect([late.status, late.text]).toEqual([409, expect.stringContaining('WITHDRAWN by demo-operator')]);
    expect(await stateOf(block)).toBe('ACTIVE');
    expect((await second.read(act)).text).not.toContain('Approve it');
  });

  test('when it is approved after its deadline', async () => {
    const block = await aBlockedPerson();
    const act = await propose(await as('operator'), block);
    opened.ports.clock.advance(DAY_MS);

    const { text } = await (await as('compliance')).read(act);

    expect(text).toContain('EXPIRED');
    expect(text).not.toContain('Approve it');
  });

  test('when the data has changed since it was shown', async () => {
    const block = await aBlockedPerson();
    const person = await as('operator');
    const { text } = await look(person, block);
    const { personBlocks } = opened.ports;
    await personBlocks.lift(block.id, { by: 'rui', at: opened.ports.clock.now(), reason: 'x' });

    const { status } = await fill(person, text, { wanted: '/acts/make' });

    expect(status).toBe(409);
    expect(await opened.ports.acts.listBetween(0, START_AT + DAY_MS)).toEqual([]);
  });

  test('but not because a row has its fields in another order', async () => {
    const block = await aBlockedPerson();
    const person = await as('operator');
    const { text } = await look(person, block);
    const turned = Object.fromEntries(Object.entries(block).toReversed());
    Object.assign(opened.desk.personBlocks, { findBlock: async () => turned });

    expect((await fill(person, text, { wanted: '/acts/make' })).status).toBe(303);
  });

  test('when its form is sent twice', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const person = await as('operator');
    const page = (await person.read('/console/partners/acme')).text;
    const { text } = await fill(person, page, {
      wanted: '"partners quota"',
      typed: { 0: '50', reason: WHY },
    });

    const sent = await Promise.all([1, 2, 3].map(() => fill(person, text, { wanted: '/acts/make' })));

    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test.each(['viewer', 'operator', 'compliance'] as const)(
    'where the role %s may not do it',
    async (role) => {
      await opened.ports.register.create(aPartner({ id: 'acme' }));
      const page = (await (await as('admin')).read('/console/partners/acme')).text;
      const own = (await (await as(role)).read('/console/partners/acme')).text;
      const mayMakeKeys = role === 'operator';

      expect(page).toContain('"keys create"'.replaceAll('"', '&quot;'));
      expect(own.includes('keys create')).toBe(mayMakeKeys);
    },
  );

  test('where its person has another role since the form was made', async () => {
    const block = await aBlockedPerson();
    const person = await as('operator');
    const { text } = await look(person, block);
    const { policy } = opened.desk;
    const findRule = async () => ({ by: ['admin'] as const });
    Object.assign(opened.desk, { policy: { ...policy, findRule } });

    const { status, text: said } = await fill(person, text, { wanted: '/acts/make' });

    expect([status, said]).toEqual([409, expect.stringContaining('fraud lift is for admin')]);
  });

  test.each(['operator', 'viewer'] as const)(
    'to the eyes of the role %s, if it is about a review',
    async (role) => {
      const purchase = await putPurchaseIn(opened.ports, 'PROCESSING');
      const who = { id: 'cora', via: 'OIDC', principal: 'x#cora', roles: ['compliance'] } as const;
      const first = { kind: 'PROPOSED', name: 'reviews clear', expiresAt: START_AT + DAY_MS } as const;
      const call = { command: 'reviews clear', words: [purchase.id], flags: {} };
      await opened.ports.acts.add({
        act: 'A'.repeat(10),
        place: 1,
        subject: 'x',
        at: START_AT,
        who,
        call,
        ...first,
      });

      const person = await as(role);

      expect((await person.read('/console/acts')).text).not.toContain('reviews clear');
      expect((await person.read(`/console/acts/${'A'.repeat(10)}`)).text).not.toContain('reviews clear');
    },
  );

  test.each([
    ['no reason', ''],
    ['a reason that names a CPF', 'as 529.982.247-25 said'],
    ['a reason of 10 kB', 'x'.repeat(10_000)],
    ['a reason of two lines', 'a\nb'],
  ])('for %s', async (_, reason) => {
    const person = await as('operator');
    const { id } = await aBlockedPerson();
    const { text } = await person.read('/console/blocks');

    const refused = await fill(person, text, { wanted: '"fraud lift"', typed: { 0: id, reason } });

    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`<option selected>${id}</option>`);
    expect(refused.text).toMatch(/<strong class="fault">[^<]+<\/strong>\s*<input name="reason"/);
    expect(refused.text).not.toContain('529.982.247-25');
    const again = await fill(person, refused.text, { wanted: '"fraud lift"', typed: { 0: id, reason: WHY } });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Nothing is changed yet.')]);
  });

  test('for one field, and shows what was typed into the others', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const person = await as('operator');
    const { text } = await person.read('/console/partners/acme');
    const typed = { 0: `"${EVIL}`, 1: 'read', reason: `${WHY} ${EVIL}` };

    const refused = await fill(person, text, { wanted: '"keys create"', typed });

    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') });
    expect(refused.text).toContain('A key’s id is 1 to 32 of a-z and 0-9.');
    expect(refused.text).toContain('<input name="0" value="&quot;&lt;script&gt;');
    expect(refused.text).toContain('<option selected>read</option>');
    expect(refused.text).toContain(`value="${WHY} &lt;script&gt;`);
    expect(refused.text).not.toContain('<script');
    expect(await opened.ports.acts.listBetween(0, START_AT + DAY_MS)).toEqual([]);
  });

  test('for its only field, at which the page says why', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const person = await as('operator');
    const { text } = await person.read('/console/partners/acme');

    const refused = await fill(person, text, {
      wanted: '"partners quota"',
      typed: { 0: 'many', reason: WHY },
    });

    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/<strong class="fault">[^<]+<\/strong>\s*<input name="0" value="many"/);
    expect(refused.text).toContain(`value="${WHY}"`);
  });

  test('for its state, and leads to the act', async () => {
    const act = await propose(await as('operator'), await aBlockedPerson());
    const second = await as('compliance');
    const { text } = await second.read(act);
    await fill(second, text, { wanted: '/approve' });

    const late = await fill(second, text, { wanted: '/approve' });

    expect([late.status, late.text]).toEqual([409, expect.stringContaining(`<a href="${act}">The act`)]);
  });

  test('for the reason of a withdrawal, and the page of the act says why', async () => {
    const act = await propose(await as('operator'), await aBlockedPerson());
    const person = await as('compliance');
    const typed = { reason: 'as 529.982.247-25 said' };

    const refused = await fill(person, (await person.read(act)).text, { wanted: '/withdraw', typed });

    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('<small>Act</small>')]);
    expect(refused.text).toContain('A reason names no CPF');
    expect(refused.text).toContain('value="as CPF said"');
    expect(await kindsOf(act)).toEqual(['PROPOSED']);
  });

  test.each(['%', EVIL, 'x'.repeat(10_000), newId()])('for a subject such as “%s”', async (subject) => {
    await aBlockedPerson();
    const person = await as('operator');
    const { text } = await person.read('/console/blocks');

    const answer = await fill(person, text, { wanted: '"fraud lift"', typed: { 0: subject, reason: WHY } });

    expect([answer.status, answer.text]).toEqual([409, expect.not.stringContaining('<script')]);
  });
});

describe('a form of an act', () => {
  /** The form that would make the act, as this person’s page has it. */
  async function ready(role: Role = 'operator') {
    const person = await as(role);
    const { text } = await look(person, await aBlockedPerson());
    return { person, ...formIn(text, '/acts/make') };
  }
  const nothing = async () => expect(await opened.ports.acts.listBetween(0, START_AT + DAY_MS)).toEqual([]);

  test('of another session is refused, even of the same person', async () => {
    const { action, form } = await ready();

    expect((await (await as('operator')).send(action, form)).status).toBe(403);
    await nothing();
  });

  test('without its seal, or with another content or address, is refused', async () => {
    const { person, action, form } = await ready();
    const other = form.content!.replace('fraud lift', 'cases close');
    const { content = '' } = form;
    const wrong: Typed[] = [{ content }, { ...form, content: other }, { ...form, seal: '' }, {}];
    for (const changed of wrong) expect((await person.send(action, changed)).status).toBe(403);
    expect((await person.send('/console/acts/new', form)).status).toBe(403);
    await nothing();
  });

  test('of another site is refused', async () => {
    const { person, action, form } = await ready();

    const answer = await post(opened, action, { form, cookie: person.cookie(), origin: 'https://evil.test' });

    expect(answer.status).toBe(403);
    await nothing();
  });

  test('is sent by POST alone', async () => {
    const { person, action, form } = await ready();

    expect((await person.ask(`${action}?${new URLSearchParams(form)}`)).status).toBe(404);
    await nothing();
  });

  test('of a session that has expired leads to the sign-in', async () => {
    const { person, action, form } = await ready();
    opened.ports.clock.advance(15 * MINUTE_MS);

    const answer = await person.send(action, form);

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in']);
    await nothing();
  });

  test('with a stolen session counts no more after the sign-out', async () => {
    const { person, action, form } = await ready();
    const cookie = person.cookie();
    await person.send('/console/sign-out', {});

    const answer = await post(opened, action, { form, cookie });

    expect(answer.headers.get('location')).toBe('/console/sign-in');
    await nothing();
  });

  test('of a viewer is refused', async () => {
    const { action, form } = await ready();

    const answer = await (await as('viewer')).send(action, form);

    expect(answer.status).toBe(403);
    expect((await opened.app.request(`${HOST}${action}`, { method: 'POST' })).status).not.toBe(200);
    await nothing();
  });
});
