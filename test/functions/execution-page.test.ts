import { expect, test } from 'vitest';
import { STEP_WORDS } from '../../functions/domain/purchase/execution-words.ts';
import { executionPage } from '../../functions/logic/purchase/execution-page.ts';
import definition from '../../statemachines/onramp.asl.json' with { type: 'json' };
import { aRecord } from '../support/archive.ts';
import { aPurchaseIn, START_AT } from '../support/ports.ts';

const purchase = aPurchaseIn('EXPIRED', { id: 'the-purchase', partnerId: '<b>p1</b>' });
const page = executionPage(aRecord('the-purchase'), purchase);

test('a page tells the purchase and each step in words, with the times of São Paulo', () => {
  expect(page).toContain('The time ended without a payment, and the purchase was closed.');
  expect(page).toContain('Wait for the Pix payment');
  expect(page).toContain('It took 3 seconds.');
  expect(page).toContain('Broken');
  expect(page).toContain(`datetime="${new Date(START_AT + 1000).toISOString()}">31/12/2098 21:00:01<`);
  expect(page).toContain('The automatic process came to its regular end.');
});

test('a page shows HTML as text, has no script and loads nothing', () => {
  expect(page).toContain('&lt;b&gt;p1&lt;/b&gt;');
  expect(page).not.toMatch(/<script|<b>p1|src=|href=/);
  expect(page).toContain("default-src 'none'");
});

test('a page never shows the whole wallet', () => {
  expect(page).not.toContain(purchase.walletAddress);
});

test('each step of the state machine has words', () => {
  const steps = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Task');

  expect(Object.keys(STEP_WORDS)).toEqual(steps.map(([name]) => name));
});
