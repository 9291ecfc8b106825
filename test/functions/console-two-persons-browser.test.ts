/** Two persons in their own browsers: one proposes an act on the console, and the other one decides about it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../sandbox/local-console.ts';
import { DESK, findChromium, openChromium, PHONE, type Screen } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { lowContrasts, SIDEWAYS } from '../support/legible.ts';
import { openCase } from '../support/review-cases.ts';

// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();
const WHY = 'the same birth date and document';

describe.skipIf(chromium === undefined)('two persons in two browsers', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let server: http.Server;
  let url: string;
  const { app, ports } = openConsole();

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      void serve(request, response, (each) => app.fetch(each));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`;
    browser = await openChromium(chromium!);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  type Tab = Awaited<ReturnType<typeof browser.open>>;

  async function signIn(role: string, screen: Screen = DESK) {
    const person = await browser.person();
    const open = () => person.open({ ...screen, script: false });
    const tab = await open();
    await tab.goTo(`${url}/sign-in`);
    await tab.press(`input[value=${role}]`);
    await tab.press('main button');
    await tab.heading('Today');
    return { tab, open };
  }

  const textOf = (tab: Tab, selector = 'main') =>
    tab.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  const buttonsOf = (tab: Tab) =>
    tab.evaluate<string[]>('[...document.querySelectorAll("main button")].map((each) => each.textContent)');

  async function type(tab: Tab, field: string, text: string) {
    await tab.press(field);
    await tab.evaluate(`document.querySelector(${JSON.stringify(field)}).value = ${JSON.stringify(text)}`);
  }

  /** Confirms a listed person with the form of the review’s page. Answers the address of the act. */
  async function propose(tab: Tab, review: string): Promise<string> {
    await tab.goTo(`${url}/reviews/${review}`);
    await tab.press('.acts details:nth-of-type(2) summary');
    expect(await textOf(tab, '.acts details[open] summary')).toBe('Confirm the listed person');
    await type(tab, '.acts details[open] input[name=reason]', WHY);
    await tab.press('.acts details[open] button');
    await tab.heading('Confirm the listed person');
    await tab.press('main form button');
    await tab.heading('Act reviews confirm');
    return tab.evaluate<string>('location.href');
  }

  const statusOf = async (id: string) => (await ports.cases.findCase(id))?.status;

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('one proposes, cannot approve, and the other one approves, on %s', async (_, screen) => {
    const { id } = await openCase(ports);
    const author = (await signIn('compliance', screen)).tab;

    const act = await propose(author, id);

    expect(await textOf(author)).toContain('another person approves it');
    expect(await buttonsOf(author)).toEqual(['Withdraw it']);
    expect(await statusOf(id)).toBe('OPEN');

    const second = (await signIn('admin', screen)).tab;
    await second.goTo(`${url}/reviews/${id}`);
    expect(await textOf(second, '.waits')).toContain('Proposed by demo-compliance');
    expect(await second.evaluate(SIDEWAYS)).toBe(false);
    expect(await second.evaluate(lowContrasts('.none'))).toEqual([]);
    await second.press('.waits li a');
    await second.heading('Act reviews confirm');
    expect(await second.evaluate('location.href')).toBe(act);
    await second.press('.acts form:nth-of-type(1) button');
    await second.heading('Done');

    expect(await textOf(second)).toContain(`The case ${id} is CONFIRMED.`);
    expect(await statusOf(id)).toBe('CONFIRMED');
    await author.goTo(act);
    const shown = await textOf(author);
    for (const each of ['demo-compliance', 'demo-admin', WHY, 'DONE', 'APPROVED'])
      expect(shown).toContain(each);
    expect(await buttonsOf(author)).toEqual([]);
    await author.goTo(`${url}/reviews/${id}`);
    expect(await textOf(author)).toContain('CONFIRMED by demo-compliance with demo-admin');
    expect(await textOf(author, '.waits')).toBe('');
  });

  it('an act that is approved in two tabs is made once, and the second tab says so', async () => {
    const { id } = await openCase(ports);
    const act = await propose((await signIn('compliance')).tab, id);
    const { tab, open } = await signIn('admin');
    const late = await open();
    for (const each of [tab, late]) await each.goTo(act);
    await tab.press('.acts form:nth-of-type(1) button');
    await tab.heading('Done');

    await late.press('.acts form:nth-of-type(1) button');
    await late.heading('Not possible');

    expect(await textOf(late)).toContain('is DONE by demo-admin meanwhile: look again');
    await late.press('main p a');
    await late.heading('Act reviews confirm');
    expect(await buttonsOf(late)).toEqual([]);
  });

  it('an act that was withdrawn cannot be approved, and the page says so', async () => {
    const { id } = await openCase(ports);
    const author = (await signIn('compliance')).tab;
    const act = await propose(author, id);
    const second = (await signIn('admin')).tab;
    await second.goTo(act);
    await type(author, '.acts input[name=reason]', 'a mistake');
    await author.press('.acts button');
    await author.heading('Done');

    await second.press('.acts form:nth-of-type(1) button');
    await second.heading('Not possible');

    expect(await textOf(second)).toContain('is WITHDRAWN by demo-compliance meanwhile: look again');
    expect(await statusOf(id)).toBe('OPEN');
    await second.press('main p a');
    await second.heading('Act reviews confirm');
    expect(await textOf(second)).toContain('a mistake');
  });
});
