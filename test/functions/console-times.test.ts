import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tableHtml } from '../../operations/console/shown-html.ts';
import { timedHtml } from '../../operations/console/times.ts';
import { instant } from '../../operations/words.ts';
import { aBlock } from '../support/blocked-person.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { proposeAt } from '../support/console-forms.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';
import { randomCpf } from '../support/sandbox.ts';

const ZONE = 'Times are in Brasília, UTC-3';

let opened: Opened;
beforeEach(() => {
  opened = openConsole();
});
afterEach(() => expect(opened.errors).toEqual([]));

/** Pages with instants in tables, in sheets, in stories and in sentences. */
async function pagesWithTimes(): Promise<string[]> {
  const { ports } = opened;
  const { id, clientId } = await putPurchaseIn(ports, 'PROCESSING');
  const stuck = aMoneyCase('PURCHASE_STUCK', id, { transactionId: id, clientId, openedAt: START_AT });
  await ports.moneyCases.open(stuck);
  const review = await openCase(ports);
  await ports.cases.assign(review.id, { was: undefined, now: { to: 'rui', by: 'ana', at: START_AT } });
  const block = await ports.personBlocks.block(await aBlock(ports, randomCpf()));
  const author = await signedIn(opened, 'operator');
  const typed = { 0: block.id, reason: 'a good reason' };
  const act = await proposeAt(author, '/console/blocks', { wanted: '"fraud lift"', typed });
  const money = `/console/cases/case?id=${encodeURIComponent(stuck.id)}`;
  const found = [`/console/purchases/${id}`, money, `/console/reviews/${review.id}`, act];
  return [...found, ...['', '/reviews', '/acts', '/acts/past', '/blocks'].map((path) => `/console${path}`)];
}

describe('a time on a page', () => {
  test('has its zone in the header, once', async () => {
    const person = await signedIn(opened, 'admin');
    for (const path of await pagesWithTimes()) {
      const { text } = await person.read(path);

      expect([path, text.split(ZONE).length - 1]).toEqual([path, 1]);
      expect([path, text.split('</header>')[0]!.includes(ZONE)]).toEqual([path, true]);
    }
  });

  test('can be read by programs, with its offset', async () => {
    const person = await signedIn(opened, 'admin');
    for (const path of await pagesWithTimes()) {
      const { text } = await person.read(path);

      const times = [...text.matchAll(/<time datetime="([^"]+)">([^<]+)<\/time>/g)];
      expect([path, times.length > 0]).toEqual([path, true]);
      for (const [, iso = '', shown] of times) {
        expect(iso).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?-03:00$/);
        expect(instant(Date.parse(iso))).toBe(shown);
      }
      const rest = text.replaceAll(/<time .*?<\/time>|value="[^"]*"/gs, '');
      expect([path, /\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.exec(rest)?.[0]]).toEqual([path, undefined]);
    }
  });

  test('in a sentence is all that is marked', async () => {
    const shown = String(await timedHtml('born 1990-02-03, since 2026-11-20 21:00:00: <b>'));

    expect(shown).toBe(
      'born 1990-02-03, since <time datetime="2026-11-20T21:00:00-03:00">2026-11-20 21:00:00</time>: &lt;b&gt;',
    );
  });

  // On a phone a cell is a row of two boxes: the label and the value.
  test('in a sentence stays in one box with the sentence', async () => {
    const told = 'PTAX of 2026-11-20 21:00:00, `accepted`';

    const shown = String(await tableHtml({ head: ['prices'], rows: [[told]], empty: '' }, 'Float'));

    expect(shown).toMatch(/<td [^>]*><span>PTAX of <time .*<\/time>, <code>accepted<\/code><\/span><\/td>/);
  });

  test('is on no page before the sign-in', async () => {
    const page = await opened.app.request('http://console.test/console/sign-in');

    expect(await page.text()).not.toContain(ZONE);
  });
});
