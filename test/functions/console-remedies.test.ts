import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAllCommands } from '../../operations/commands.ts';
import { PLACES, remedyHtml } from '../../operations/console/remedies.ts';
import type { ROLES } from '../../operations/console/roles.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newId, putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';

type Role = (typeof ROLES)[number];
const EVIL = '<script>alert(1)</script>';

let opened: Opened;
beforeEach(() => {
  opened = openConsole();
});
afterEach(() => expect(opened.errors).toEqual([]));

const read = async (path: string, role: Role = 'admin') =>
  (await (await signedIn(opened, role)).read(path)).text;

const shown = async (text: string, role: Role = 'admin') =>
  String(await remedyHtml(text, { role, partnerId: 'acme', transactionId: 'T1' }));

describe('a remedy that names a command', () => {
  test.each([
    ['Run `reviews list`, then go on.', '<a href="/console/reviews"><code>reviews list</code></a>, then'],
    ['Both: reviews show 01AB9. Then', '<a href="/console/reviews/01AB9">reviews show 01AB9</a>. Then'],
    ['See: cases show A_B#01AB', '<a href="/console/cases/case?id=A_B%2301AB">cases show A_B#01AB</a>'],
    ['Look at `partners show`.', '<a href="/console/partners/acme"><code>partners show</code></a>.'],
    ['Then `treasury cancel`', '<a href="/console/purchases/T1"><code>treasury cancel</code></a>'],
    ['Do what `tx show` says', '<a href="/console/purchases/T1"><code>tx show</code></a> says'],
    ['now: deliveries redeliver --event 01A.2', '<a href="/console/deliveries">deliveries redeliver --event'],
    ['x `treasury hold --all`', 'x <a href="/console/treasury"><code>treasury hold --all</code></a>'],
  ])('leads to the page that does the same: %s', async (text, link) => {
    expect(await shown(text)).toContain(link);
  });

  test('stays a text for a role that may not see the page', async () => {
    expect(await shown('Run `reviews list`.', 'operator')).toBe('Run <code>reviews list</code>.');
  });

  test('stays a text if no page does the same', async () => {
    expect(await shown('Use `treasury decide` and `--amount`.')).not.toContain('<a');
  });

  test('can have nothing in it that a browser would run', async () => {
    expect(await shown(`reviews show "1${EVIL}`)).not.toContain('<script');
    expect(await shown(`${EVIL} reviews list`)).not.toContain('<script');
  });

  /** These commands have no form and no page on the console, or their form is on the page itself. */
  const ONLY_COMMANDS = ['cases export', 'reviews clear', 'reviews confirm', 'treasury decide'];

  test('is in the list of pages, unless the console has no page for it', async () => {
    const purchase = ['causes', 'obstacles', 'records', 'parts'].map((name) => `purchase/story-${name}.ts`);
    const domain = [...purchase, 'treasury/doing.ts', 'books/money-case-kinds.ts', 'kyc/kyc-reasons.ts'];
    const files = [...domain.map((name) => `functions/domain/${name}`), 'operations/purchase-facts.ts'];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const strings = texts.flatMap((text) => text.match(/'[^'\n]*'|`(?:[^`\\]|\\.)*`/g) ?? []).join('\n');
    const names = (await readAllCommands()).map(({ name }) => name).filter((name) => name.includes(' '));

    const missing = names.filter((name) => strings.includes(name) && !PLACES[name]);

    expect(missing.sort()).toEqual(ONLY_COMMANDS);
  });
});

describe('the story of a purchase', () => {
  test('leads to the review for which it waits', async () => {
    const purchase = await putPurchaseIn(opened.ports, 'PROCESSING');
    const { id } = await openCase(opened.ports, { clientId: purchase.clientId });

    const text = await read(`/console/purchases/${purchase.id}`);

    expect(text).toContain(`<a href="/console/reviews/${id}">reviews show ${id}</a>`);
  });

  test('leads to its case of money', async () => {
    const { id, clientId } = await putPurchaseIn(opened.ports, 'PROCESSING');
    const found = aMoneyCase('PURCHASE_STUCK', id, { transactionId: id, clientId, openedAt: START_AT });
    await opened.ports.moneyCases.open(found);

    const text = await read(`/console/purchases/${id}`, 'viewer');

    expect(text).toContain(`<a href="/console/cases/case?id=${encodeURIComponent(found.id)}">cases show`);
  });
});

test('a case of money leads to the page on which its remedy is done', async () => {
  const found = aMoneyCase('TRANSFER_UNKNOWN', newId(), { openedAt: START_AT });
  await opened.ports.moneyCases.open(found);

  const text = await read(`/console/cases/case?id=${encodeURIComponent(found.id)}`);

  expect(text).toMatch(/<dt>do<\/dt><dd>.*<a href="\/console\/treasury">/s);
});
