/** The console in a browser: clicked through, on a phone and at a desk, light and dark. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { OpenReviewCase } from '../../functions/domain/screening/review-case.ts';
import { serve } from '../../sandbox/local-console.ts';
import { DESK, findChromium, openChromium, PHONE, SCREENS, type Screen } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { lowContrasts, SIDEWAYS } from '../support/legible.ts';
import { putPurchaseIn, START_AT } from '../support/ports.ts';
import { CANDIDATE, openCase } from '../support/review-cases.ts';

// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();

/** The ids that several elements of the page have. A label or a link then leads to the wrong one. */
const REPEATED_IDS = `[...document.querySelectorAll('[id]')].map(({ id }) => id)
  .filter((id, at, all) => all.indexOf(id) !== at)`;
const EVIL = '<img src=x onerror="document.title=1">';

describe.skipIf(chromium === undefined)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let server: http.Server;
  let url: string;
  let purchase: Transaction;
  let review: OpenReviewCase;
  const { app, ports, executions, put } = openConsole();

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      void serve(request, response, (each) => app.fetch(each));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`;
    browser = await openChromium(chromium!);
    for (const posting of postingsOf(await putPurchaseIn(ports, 'COMPLETED')))
      await put('ledger', postingRow(posting));
    purchase = await putPurchaseIn(ports, 'PROCESSING', { externalId: `${EVIL}${'x'.repeat(60)}` });
    const at = new Date(START_AT).toISOString();
    const details = { name: 'CheckWalletRisk' };
    const events = [{ id: 1, at, type: 'TaskStateEntered', details }];
    review = await openCase(ports, {
      candidate: { ...CANDIDATE, listed: `${EVIL} ${'LONGNAME'.repeat(8)}` },
    });
    await ports.caseMarks.mark(review.id, { at: START_AT, edition: '2098-12-31T00:00:00.000Z' });
    executions.set(purchase.id, { name: purchase.id, status: 'RUNNING', events });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Opens a tab that runs no script, because no page needs one. */
  const open = (screen: Screen) => browser.open({ ...screen, script: false });

  /** A tab of somebody who is signed in with this role. */
  async function openTab(screen: Screen, role = 'admin') {
    const tab = await open(screen);
    await tab.goTo(`${url}/sign-in`);
    await tab.press(`input[value=${role}]`);
    await tab.press('main button');
    await tab.heading('Today');
    return tab;
  }

  it.each(SCREENS)('each page fits %s and can be read', async (_, screen) => {
    const tab = await openTab(screen);
    const pages = ['', '/sign-in', '/search?q=nothing', '/none', `/partners/${purchase.partnerId}`];
    pages.push(
      '/reviews',
      '/reviews/gone',
      '/reviews/search',
      `/reviews/${review.id}`,
      '/cases',
      '/blocks',
      '/acts',
      '/acts/past',
      '/deliveries',
      '/partners',
      '/treasury',
      '/lists',
      '/books',
      '/books?partners=each',
    );
    for (const page of [...pages, `/purchases/${purchase.id}`]) {
      await tab.goTo(`${url}${page}`);

      expect([page, await tab.evaluate(SIDEWAYS)]).toEqual([page, false]);
      expect(await tab.evaluate(lowContrasts('.none'))).toEqual([]);
      expect(await tab.evaluate('document.styleSheets.length')).toBe(1);
      expect(await tab.evaluate('document.querySelectorAll("h1, main").length')).toBe(2);
      expect(await tab.evaluate(REPEATED_IDS)).toEqual([]);
    }
    expect(await tab.evaluate('[document.title, document.images.length]')).toEqual([
      `Purchase ${purchase.id} – sandbox console`,
      0,
    ]);
  });

  it('the state machine is coloured by the style sheet alone', async () => {
    const tab = await openTab(DESK);
    await tab.goTo(`${url}/purchases/${purchase.id}`);
    const fillOf = (selector: string) =>
      tab.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).fill`);

    expect(await fillOf('.graph .last rect')).not.toBe(await fillOf('.graph .unvisited rect'));
  });

  it('each field has a label, and each button a name', async () => {
    const tab = await openTab(PHONE);
    for (const page of ['/sign-in', '', '/books', '/reviews/search', '/acts/past', `/reviews/${review.id}`]) {
      await tab.goTo(`${url}${page}`);
      const fields = 'document.querySelectorAll("input:not([type=hidden]), select")';
      const nameless = `[...${fields}].filter((each) => !each.labels.length).length`;
      expect(await tab.evaluate(nameless)).toBe(0);
      expect(
        await tab.evaluate('[...document.querySelectorAll("button")].every((each) => each.textContent)'),
      ).toBe(true);
    }
  });

  it.each(SCREENS)('the search of decided cases is filled in and sent on %s', async (_, screen) => {
    const decision = { decidedBy: 'ana', decidedAt: START_AT, reason: EVIL } as const;
    const { id } = await openCase(ports, { candidate: { ...CANDIDATE, listed: EVIL, entryId: '4711' } });
    await ports.cases.decide(id, { status: 'CLEARED', ...decision });
    const tab = await openTab(screen, 'compliance');
    await tab.goTo(`${url}/reviews/search`);

    await tab.evaluate("document.querySelector('#case-entry').value = '4711'");
    await tab.press('.fields button');
    await expect.poll(() => tab.evaluate('document.querySelector("h2")?.textContent')).toBe('Found');

    expect(await tab.evaluate('document.querySelector("tbody").textContent')).toContain(EVIL);
    expect(await tab.evaluate('document.images.length')).toBe(0);
    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    expect(await tab.evaluate(lowContrasts('.none'))).toEqual([]);
  });

  const isShown = (selector: string) =>
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.checkVisibility())`;

  it.each(SCREENS)('the header leaves most of %s to the page', async (_, screen) => {
    const tab = await openTab(screen);
    for (const page of ['', `/purchases/${purchase.id}`, '/treasury']) {
      await tab.goTo(`${url}${page}`);

      expect(
        await tab.evaluate('document.querySelector("header").getBoundingClientRect().height'),
      ).toBeLessThanOrEqual(screen.width < 600 ? 100 : 110);
      expect(await tab.evaluate(isShown('.zone'))).toBe(true);
    }
  });

  it('on a phone the navigation and the sign-out open from a menu, without a script', async () => {
    const tab = await openTab({ ...PHONE, dark: true });
    expect(await tab.evaluate(isShown('header nav a, .person button'))).toBe(false);
    await tab.press('.menu summary');
    expect(await tab.evaluate(isShown('.menu .person button'))).toBe(true);
    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    expect(await tab.evaluate(lowContrasts('.none'))).toEqual([]);

    await tab.press('.menu a[href="/console/treasury"]');
    await tab.heading('Treasury');

    expect(await tab.evaluate(isShown('.menu nav'))).toBe(false);
    expect(await tab.evaluate('document.querySelectorAll(".menu [aria-current=page]").length')).toBe(1);
  });

  it('on a phone the keys open the menu, and go through it', async () => {
    const tab = await openTab(PHONE);
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab']) await tab.key(key);
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Menu');
    await tab.key('Enter');
    for (const key of ['Tab', 'Tab']) await tab.key(key);
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Reviews');
    await tab.key('Enter');

    await tab.heading('Reviews');
  });

  it('the keys alone sign in, search, open a purchase and sign out', async () => {
    const tab = await open(DESK);
    const focused = () => tab.evaluate<string>('document.activeElement.textContent.trim()');
    const press = async (...keys: string[]) => {
      for (const key of keys) await tab.key(key);
    };
    await tab.goTo(`${url}/sign-in`);
    await tab.heading('Sign in');
    await press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await press('Tab', 'Tab', 'Tab', 'Enter');
    await tab.heading('Today');

    await press('Tab', 'Tab', 'Tab');
    expect(await tab.evaluate('document.activeElement.id')).toBe('q');
    await tab.evaluate(`document.activeElement.value = ${JSON.stringify(purchase.id.slice(0, 20))}`);
    await press('Enter');
    await tab.heading(`Purchase ${purchase.id}`);

    await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
    expect(await focused()).toBe('Sign out');
    await press('Enter');
    await tab.heading('Sign in');
    await tab.goTo(url);
    await tab.heading('Sign in');
  });
});
