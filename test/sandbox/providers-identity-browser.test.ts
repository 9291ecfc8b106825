import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, openChromium } from '../support/chromium.ts';
import { SIDEWAYS } from '../support/legible.ts';
import {
  CHECK,
  CPF,
  createApplicant,
  createLink,
  type Identity,
  listActions,
  openIdentity,
  serve,
} from './providers-identity-support.ts';

// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

describe.skipIf(chromium === undefined)('in a browser, a person', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let identity: Identity;
  let server: Awaited<ReturnType<typeof serve>>;
  let applicantId: string;

  beforeAll(async () => {
    identity = openIdentity();
    applicantId = (await createApplicant(identity, CPF)).applicant.id;
    server = await serve(identity.app);
    browser = await openChromium(chromium!);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  let last = 0;
  const newLink = async (ttlInSecs = 600) => {
    const externalActionId = `${CHECK}${++last}`;
    const { pathname } = new URL(await createLink(identity, { externalActionId, ttlInSecs }));
    return { url: `${server.url}${pathname}`, externalActionId };
  };
  const answerTo = async (externalActionId: string) => {
    const actions = await listActions(identity, applicantId);
    const action = actions.find((each) => each.externalActionId === externalActionId);
    return action?.review.reviewResult?.reviewAnswer;
  };

  it.each([
    ['a phone', PHONE, 'GREEN', 'Verificação aprovada'],
    ['a phone', PHONE, 'RED', 'Verificação reprovada'],
    ['a wide screen', DESK, 'GREEN', 'Verificação aprovada'],
    ['a dark wide screen', { ...DESK, dark: true }, 'RED', 'Verificação reprovada'],
    ['a phone without scripts', { ...PHONE, script: false }, 'GREEN', 'Verificação aprovada'],
  ])('on %s (%o) clicks through to %s', async (_, screen, answer, title) => {
    const { url, externalActionId } = await newLink();
    const tab = await browser.open(screen);

    await tab.goTo(url);
    await tab.heading('Prova de vida');
    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    await tab.press('input[name=consent]');
    await tab.press('form button');
    await tab.heading('Centralize o rosto');
    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    await tab.press(`button[value=${answer}]`);
    await tab.heading(title);

    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    expect(await answerTo(externalActionId)).toBe(answer);
  });

  it('cannot leave the first step before agreeing', async () => {
    const { url } = await newLink();
    const tab = await browser.open(PHONE);
    await tab.goTo(url);

    await tab.press('form button');
    expect(await tab.evaluate('document.activeElement.name')).toBe('consent');
    await tab.heading('Prova de vida');
  });

  it('gets through with the keyboard alone', async () => {
    const { url, externalActionId } = await newLink();
    const tab = await browser.open(DESK);
    await tab.goTo(url);

    for (const key of ['Tab', ' ', 'Tab', 'Enter']) await tab.key(key);
    await tab.heading('Centralize o rosto');
    const focused = () => tab.evaluate<string | undefined>('document.activeElement.value');
    for (let tries = 0; tries < 5 && (await focused()) !== 'GREEN'; tries++) await tab.key('Tab');
    await tab.key('Enter');

    await tab.heading('Verificação aprovada');
    expect(await answerTo(externalActionId)).toBe('GREEN');
  });

  it('who goes back and answers differently sees the first result', async () => {
    const { url, externalActionId } = await newLink();
    const tab = await browser.open(PHONE);
    await tab.goTo(url);
    await tab.press('input[name=consent]');
    await tab.press('form button');
    await tab.heading('Centralize o rosto');
    await tab.press('button[value=GREEN]');
    await tab.heading('Verificação aprovada');
    await tab.evaluate('history.back()');
    await tab.heading('Centralize o rosto');
    await tab.press('button[value=RED]');
    await tab.heading('Verificação aprovada');

    expect(await answerTo(externalActionId)).toBe('GREEN');
  });

  it('sees the time run out, and then no way to pass', async () => {
    const { url } = await newLink(2);
    const tab = await browser.open(PHONE);
    await tab.goTo(url);
    await tab.heading('Prova de vida');
    identity.wait(2_000);

    await tab.heading('Este link expirou');
    expect(await tab.evaluate('document.querySelectorAll("form, button").length')).toBe(0);
  });

  it('may ask for the camera, and can go on without one', async () => {
    const { url } = await newLink();
    const tab = await browser.open(PHONE);
    await tab.goTo(url);
    await tab.press('input[name=consent]');
    await tab.press('form button');
    await tab.heading('Centralize o rosto');
    await tab.press('[data-camera]');

    const said = () => tab.evaluate<string>('document.querySelector("[data-said]").textContent');
    await expect.poll(said).toMatch(/^Sem câmera: continue/);
    await tab.press('button[value=GREEN]');
    await tab.heading('Verificação aprovada');
  });
});
