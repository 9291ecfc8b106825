import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asset } from '../../functions/domain/assets.ts';
import { openDelivery, parked } from '../../functions/domain/partners/deliveries.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { DESK_PAGES } from '../../operations/console/desk-pages.ts';
import { ROLES } from '../../operations/console/roles.ts';
import { SECTIONS } from '../../operations/console/sections.ts';
import { aPartner } from '../support/builders.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newId, putPurchaseIn, START_AT } from '../support/ports.ts';
import { anEntry, CANDIDATE, openCase } from '../support/review-cases.ts';

const EVIL = '<script>alert(1)</script>';
let opened: Opened;
beforeEach(() => {
  opened = openConsole();
});
afterEach(() => expect(opened.errors).toEqual([]));

const read = async (path: string, role: (typeof ROLES)[number] = 'admin') =>
  (await signedIn(opened, role)).read(`/console${path}`);

const openReview = (changes: Parameters<typeof openCase>[1] = {}) =>
  openCase(opened.ports, { candidate: { ...CANDIDATE, listed: EVIL }, ...changes });

describe('the page of each command', () => {
  const PAGES = [...DESK_PAGES.map(({ path }) => path), '/deliveries', '/books'];

  test.each(PAGES)('%s says so where there is nothing', async (path) => {
    const { status, text } = await read(path);

    expect([status, text]).toEqual([200, expect.stringMatching(/<h1>[\w ]+<\/h1>/)]);
  });

  test.each(ROLES)('is in the navigation of the role %s as far as that may read it', async (role) => {
    const person = await signedIn(opened, role);
    const { text } = await person.read('/console');

    for (const { path, label } of SECTIONS.filter((section) => section.label)) {
      const { status } = await person.read(`/console${path}`);
      expect([label, status]).toEqual([label, text.includes(`>${label}</a>`) ? 200 : 403]);
    }
    expect(text.includes('>Reviews</a>')).toBe(['compliance', 'admin'].includes(role));
  });
});

describe('a review case', () => {
  test('shows the client beside the listed person, with all names and births', async () => {
    const { id } = await openReview();
    const names = [
      { text: `SOUZA, Ana ${EVIL}`, isWeak: false },
      { text: 'A PROFESSORA', isWeak: true },
    ];
    opened.listed.push(anEntry({ names, births: [{ from: '1989-01-01', to: '1989-12-31' }] }));

    const { text } = await read(`/reviews/${id}`, 'compliance');

    const plain = text.replaceAll(/<\/?mark>/g, '');
    const cells = [...plain.matchAll(/<td[^>]*data-head="(The client|Listed)">(.*?)<\/td>/gs)];
    const side = (name: string) => cells.filter(([, head]) => head === name).map(([, , cell]) => cell);
    const [client, listed] = [side('The client').join(), side('Listed').join()];
    expect(client).toContain('ANA DE SOUZA');
    expect(client).toContain('1990-02-03');
    expect(listed).toContain('SOUZA, Ana &lt;script&gt;');
    expect(listed).toContain('A PROFESSORA (weak alias)');
    expect(listed).toContain('1989-01-01 to 1989-12-31');
    expect(text).toContain('name equal, birth date differs');
    expect(text).not.toContain('<script');
  });

  test('says that the entry has left the list', async () => {
    const { id } = await openReview();

    expect((await read(`/reviews/${id}`)).text).toContain('no: the entry has left the list');
  });

  test('is read under the person’s name', async () => {
    const { id } = await openReview();
    const recorded: object[] = [];
    const { record } = opened.ports.evidence;
    Object.assign(opened.desk.evidence, {
      record: async (each: never) => {
        recorded.push(each);
        return record(each);
      },
    });

    await read(`/reviews/${id}`, 'compliance');

    expect(recorded).toMatchObject([
      { kind: 'operation', decidedBy: 'demo-compliance', inputs: { command: 'reviews show', case: id } },
    ]);
  });

  test('shows no KYC token, because a token opens purchases', async () => {
    const { id, token } = await openReview();

    const { text } = await read(`/reviews/${id}`);

    expect(text).toContain('kyc_…: ');
    expect(text).not.toContain(token);
  });

  test.each(['viewer', 'operator'] as const)(
    'is no page for the role %s, and nothing is read',
    async (role) => {
      const { id } = await openReview();
      Object.assign(opened.desk.cases, { findCase: async () => Promise.reject(new Error('it was read')) });

      for (const path of ['/reviews', `/reviews/${id}`]) {
        const { status, text } = await read(path, role);
        expect([status, text]).toEqual([403, expect.not.stringContaining('ANA')]);
      }
    },
  );

  test('that is not there says so', async () => {
    const { status, text } = await read(`/reviews/${encodeURIComponent(EVIL)}`);

    expect([status, text]).toEqual([404, expect.stringContaining('There is no case &lt;script&gt;')]);
  });
});

describe('the search of decided cases', () => {
  /** Sends the form of the search. Its other fields are empty, as a browser sends them. */
  async function search(fields: Record<string, string>, role: (typeof ROLES)[number] = 'compliance') {
    const person = await signedIn(opened, role);
    const answer = await person.send('/console/reviews/search', { cpf: '', name: '', list: '', ...fields });
    return { status: answer.status, text: await answer.text() };
  }
  const decide = ({ id }: { id: string }) =>
    opened.ports.cases.decide(id, {
      status: 'CLEARED',
      decidedBy: 'ana',
      decidedAt: START_AT,
      reason: `${EVIL} born in another year`,
    });

  // docs/operations.md, "Review cases"
  test('finds a case by the CPF of its client, which is in no address and not on the page', async () => {
    await opened.ports.register.create(aPartner({ id: 'acme' }));
    const { lookup } = opened.ports;
    const clientId = await clientIdOf({ partnerId: 'acme', cpf: '52998224725' }, lookup);
    const found = await openReview({ clientId, partnerId: 'acme' });
    const other = await openReview();
    for (const each of [found, other]) await decide(each);

    const { status, text } = await search({ cpf: '529.982.247-25' });

    expect(status).toBe(200);
    expect(text).toContain(`href="/console/reviews/${found.id}"`);
    expect(text).not.toContain(other.id);
    expect(text).not.toMatch(/529\.?982/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; born in another year');
    expect(text).not.toContain('<script');
  });

  test('shows what was searched for, and escapes it', async () => {
    const { text } = await search({ name: `"${EVIL}`, list: 'UN_SC' });

    expect(text).toContain('value="&quot;&lt;script&gt;');
    expect(text).toContain('<option selected>UN_SC</option>');
    expect(text).toContain('No decided case is such a one.');
  });

  test.each([
    [{ cpf: '11111111111' }, 'That is no CPF'],
    [{ list: EVIL }, '--list is one of OFAC_SDN'],
    [{ since: 'never' }, 'never is no instant'],
    [{ partner: 'nobody' }, 'There is no partner nobody'],
  ])('refuses %j', async (fields, words) => {
    const { status, text } = await search(fields as Record<string, string>);

    expect([status, text]).toEqual([404, expect.stringContaining(words)]);
  });

  test('is only for those who may read reviews', async () => {
    expect(await search({}, 'operator')).toMatchObject({ status: 403 });
    expect((await read('/reviews/search', 'viewer')).status).toBe(403);
  });
});

describe('a case whose entry has left its list', () => {
  test('comes last among the waiting ones, and has a page of its own', async () => {
    const gone = await openReview();
    const waiting = await openReview({ openedAt: START_AT + 1 });
    await opened.ports.caseMarks.mark(gone.id, { at: START_AT, edition: '2098-12-31T00:00:00.000Z' });

    const { text } = await read('/reviews', 'compliance');
    const own = (await read('/reviews/gone', 'compliance')).text;

    expect(text.indexOf(gone.id)).toBeGreaterThan(text.indexOf(waiting.id));
    expect(text).toContain('ENTRY_GONE');
    expect([own.includes(gone.id), own.includes(waiting.id)]).toEqual([true, false]);
    expect((await read(`/reviews/${gone.id}`, 'compliance')).text).toContain('ENTRY_GONE, since');
  });
});

describe('the other pages', () => {
  test('list a money case, which leads to what it means', async () => {
    const { moneyCases } = opened.ports;
    const found = aMoneyCase('REFUND_FAILED', newId(), { openedAt: START_AT, amountCentavos: 250_00 });
    await moneyCases.open(found);

    const { text } = await read('/cases', 'viewer');
    const path = `/cases/case?id=${encodeURIComponent(found.id)}`;

    expect(text).toContain(`href="/console${path}"`);
    expect((await read(path, 'viewer')).text).toContain('all tries of the transfer failed');
  });

  test('list the parked deliveries of each partner', async () => {
    const { ports } = opened;
    await ports.register.create(aPartner({ id: 'acme' }));
    const event = { id: `${newId()}.1`, partnerId: 'acme', at: START_AT };
    await ports.deliveries.save(parked({ ...openDelivery(event, 'we_1'), attempts: 12 }, START_AT));

    const { text } = await read('/deliveries', 'viewer');

    expect(text).toContain('<h2>acme</h2>');
    expect(text).toContain(`href="/console/search?q=${event.id}"`);
    expect((await read('/deliveries', 'operator')).text).toContain(`<option>${event.id}</option>`);
    expect(text).toContain(event.id);
  });

  test('say how old each list is, and its last change', async () => {
    const { text } = await read('/lists', 'viewer');

    expect(text).toContain('3 added, 2 removed, 1 changed');
    expect(text).toContain('OLD');
  });

  test('count on the first page what waits for a person', async () => {
    await openReview();
    await opened.ports.moneyCases.open(aMoneyCase('REFUND_FAILED', newId(), { openedAt: START_AT }));

    const { text } = await read('', 'compliance');

    expect(text).toContain('<strong>1</strong>\nclient to review');
    expect(text).toContain('<strong>1</strong>\nopen money case');
    expect(text).toContain('<strong>0</strong>\nparked deliveries');
    expect(text).toContain('<strong>0</strong>\nacts to approve');
    expect((await read('', 'viewer')).text).not.toContain('to review');
  });

  test('say on the first page that all money is held', async () => {
    opened.ports.holds.hold = 'RESTORED';
    Object.assign(opened.desk.holds, { findHold: opened.ports.holds.findHold });

    expect((await read('', 'viewer')).text).toContain('no payment takes a nonce, and nothing goes back');
  });

  test('say on the first page, and in the state of the asset, that an exchange is missing', async () => {
    const { findHistory } = opened.desk.priceHistories;
    const distrusted = async (asset: Asset) => ({ ...(await findHistory(asset)), distrust: 'FEW_VENUES' });
    Object.assign(opened.desk.priceHistories, { findHistory: distrusted });

    const { text } = await read('', 'viewer');

    expect(text).toContain('USDC is not sold: fewer than two exchanges give a price.');
    expect((await read('/treasury', 'viewer')).text).toContain('NO PRICE');
  });

  test('have no CPF of a client', async () => {
    const { id } = await openReview();
    await putPurchaseIn(opened.ports, 'PROCESSING');

    const person = await signedIn(opened, 'viewer');
    for (const path of [...SECTIONS.map((section) => section.path), `/reviews/${id}`])
      expect((await person.read(`/console${path}`)).text).not.toMatch(/529\.?982\.?247/);
  });
});
