import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACT_RULES } from '../../functions/domain/acts/act-rules.ts';
import { subjectPath } from '../../operations/console/act-subjects.ts';
import type { ROLES } from '../../operations/console/roles.ts';
import { aBlock } from '../support/blocked-person.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { proposeAt } from '../support/console-forms.ts';
import { openOwedCase } from '../support/money-cases.ts';
import { putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';
import { randomCpf } from '../support/sandbox.ts';

type Role = (typeof ROLES)[number];

const WHY = 'a good reason';
const DAY_MS = 24 * 60 * MINUTE_MS;

let opened: Opened;
beforeEach(() => {
  opened = openConsole();
});
afterEach(() => expect(opened.errors).toEqual([]));

const as = (role: Role) => signedIn(opened, role);

/** An act that its author proposes with a form of the page. `queue` is the page that lists such subjects. */
type Case = {
  role: Role;
  wanted: string;
  typed?: Record<string, string>;
  page: string;
  queue: string;
  subject: string;
};

const SUBJECTS: Record<string, () => Promise<Case>> = {
  async 'a review'() {
    const { id: subject } = await openCase(opened.ports);
    const page = `/console/reviews/${subject}`;
    const wanted = '"reviews confirm"';
    return { role: 'compliance', wanted, page, queue: '/console/reviews', subject };
  },
  async 'a money case'() {
    const found = await openOwedCase(opened.ports, { now: START_AT });
    const page = `/console/cases/case?id=${encodeURIComponent(found.id)}`;
    const typed = { 0: 'RETURNED_OUTSIDE', 1: '250.00' };
    const wanted = '"cases close"';
    return { role: 'operator', wanted, typed, page, queue: '/console/cases', subject: found.id };
  },
  async 'a partner'() {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const typed = { 0: 'key7', 1: 'read,write' };
    const [page, queue] = ['/console/partners/acme', '/console/partners'];
    return { role: 'operator', wanted: '"keys create"', typed, page, queue, subject: 'acme' };
  },
  async 'a person'() {
    const { id } = await opened.ports.personBlocks.block(await aBlock(opened.ports, randomCpf()));
    const page = '/console/blocks';
    return { role: 'operator', wanted: '"fraud lift"', typed: { 0: id }, page, queue: page, subject: id };
  },
  async 'an asset'() {
    const page = '/console/treasury';
    const typed = { 0: 'USDC', 1: '5' };
    return { role: 'operator', wanted: '"treasury allow"', typed, page, queue: page, subject: 'USDC' };
  },
};

async function propose({ role, page, wanted, typed }: Case) {
  const author = await as(role);
  return { author, act: await proposeAt(author, page, { wanted, typed: { ...typed, reason: WHY } }) };
}

/** The proposal to cancel the transfer of a purchase. */
async function proposeCancel() {
  const { id } = await putPurchaseIn(opened.ports, 'PROCESSING');
  const who = { id: 'ana', via: 'OIDC', principal: 'x#ana', roles: ['operator'] } as const;
  const call = { command: 'treasury cancel', words: [id], flags: {} };
  const act = 'C'.repeat(10);
  const asked = { kind: 'PROPOSED', name: 'treasury cancel', expiresAt: START_AT + DAY_MS, call } as const;
  await opened.ports.acts.add({ act, place: 1, subject: id, at: START_AT, who, ...asked });
  return { id, act };
}

const waiting = (page: string) =>
  page.match(/<section class="waits".*?<\/section>/s)?.[0].replaceAll(/\s+/g, ' ');

// docs/security.md, "Least privilege"
describe('an act that waits for a second person', () => {
  test.each(Object.keys(SUBJECTS))('is on the page of its subject, with its author: %s', async (kind) => {
    const about = await SUBJECTS[kind]!();
    const { author, act } = await propose(about);

    const shown = waiting((await author.read(about.page)).text);

    expect(shown).toContain(`Proposed by <bdi>demo-${about.role}</bdi> at <time`);
    expect(shown).toContain('waits for a second person until <time');
    expect(shown).toContain(`<a href="${act}">Look at it</a>`);
    const second = waiting((await (await as('admin')).read(about.page)).text);
    expect(second).toContain(`<a href="${act}">Look at it, and decide</a>`);
  });

  test.each(Object.keys(SUBJECTS))('marks its subject in the queue: %s', async (kind) => {
    const about = await SUBJECTS[kind]!();
    const marked = new RegExp(`<td[^>]*>(?:(?!</td>).)*${about.subject}(?:(?!</td>).)*class="mark"`, 's');
    expect((await (await as(about.role)).read(about.queue)).text).not.toContain('class="mark"');
    const { author, act } = await propose(about);

    const { text } = await author.read(about.queue);

    expect(text).toMatch(marked);
    expect(text).toContain(`class="mark" href="${act}"`);
  });

  test('is on the page of a purchase, and in the list of the newest ones', async () => {
    const { id, act } = await proposeCancel();
    const person = await as('operator');

    const { text } = await person.read(`/console/purchases/${id}`);

    expect(waiting(text)).toContain('Proposed by <bdi>ana</bdi>');
    expect((await person.read('/console')).text).toContain(`class="mark" href="/console/acts/${act}"`);
  });

  test.each(['viewer', 'compliance'] as const)(
    'is not shown to the role %s, which may neither do nor approve it',
    async (role) => {
      const { id } = await proposeCancel();
      const person = await as(role);

      for (const path of [`/console/purchases/${id}`, '/console'])
        expect((await person.read(path)).text).not.toContain('treasury cancel');
    },
  );

  test('is no longer on the page once it is over', async () => {
    const { id } = await proposeCancel();
    opened.ports.clock.advance(DAY_MS);

    const { text } = await (await as('operator')).read(`/console/purchases/${id}`);

    expect(text).not.toContain('class="waits"');
  });

  test('is not on the page of another subject', async () => {
    await proposeCancel();
    const { id } = await putPurchaseIn(opened.ports, 'PROCESSING');

    const { text } = await (await as('operator')).read(`/console/purchases/${id}`);

    expect(text).not.toContain('class="waits"');
  });
});

describe('the page of an act', () => {
  test.each(Object.keys(SUBJECTS))('leads to the page of its subject, as the lists do: %s', async (kind) => {
    const about = await SUBJECTS[kind]!();
    const { author, act } = await propose(about);

    for (const path of [act, '/console/acts', '/console/acts/past'])
      expect((await author.read(path)).text).toContain(`<a href="${about.page}">`);
    expect((await author.read(about.page)).status).toBe(200);
  });

  test('has no link that finds nothing', async () => {
    const { author, act } = await propose(await SUBJECTS['a review']!());

    const { text } = await author.read(act);

    for (const [, link = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (link.startsWith('#')) continue;
      const page = await author.read(link);
      expect([link, page.status, page.text.includes('Nothing of this stage')]).toEqual([link, 200, false]);
    }
    expect(text).not.toContain('/console/search?q=PROPOSED');
  });

  // These subjects are keyed hashes of a CPF, hosts, instants or the beginnings of a client's id.
  const WITHOUT_PAGE = [
    ...['tx find', 'clients limits', 'psp verify', 'reviews search', 'evidence export'],
    ...[
      'subject show',
      'subject export',
      'subject hold',
      'subject correct',
      'subject erase',
      'subject release',
    ],
  ];

  test('knows a page for the subject of each act that has one', () => {
    const missing = Object.keys(ACT_RULES).filter((name) => !subjectPath(name, 'x'));

    expect(missing.sort()).toEqual(WITHOUT_PAGE.sort());
    expect(subjectPath('evidence export', 'A'.repeat(26))).toBe(`/purchases/${'A'.repeat(26)}`);
    expect(subjectPath('treasury cancel', 'A'.repeat(26))).toBe(`/purchases/${'A'.repeat(26)}`);
    expect(subjectPath('reviews close', 'ENTRY_GONE')).toBe('/reviews/gone');
  });
});
