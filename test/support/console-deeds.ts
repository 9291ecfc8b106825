/** Acts on the deployed console, one for each right to write. */
import { expect } from 'vitest';
import { openDelivery } from '../../functions/domain/partners/deliveries.ts';
import type { Desk } from '../../operations/desk.ts';
import type { browserAt } from './console-cloud.ts';
import { formIn } from './console-forms.ts';
import { aMoneyCase, openOwedCase } from './money-cases.ts';

type Browser = ReturnType<typeof browserAt>;
/** The desk of the sandbox, and a purchase that is completed. */
type Of = { desk: Desk; transactionId: string; endToEndId: string };
type Wanted = { page: string; wanted: string; typed?: Record<string, string> };

/** An act for each right of the console to write. */
export async function actsOf(browser: Browser, of: Of): Promise<Wanted[]> {
  const [review] = await of.desk.cases.listOpen();
  const { block, med, owed } = await casesToDecide(of);
  await parkDelivery(of);
  const treasury = '/console/treasury';
  const [wallet = ''] = /0x[0-9a-fA-F]{40}/.exec((await browser.read(treasury)).text) ?? [];
  const caseAt = (id: string) => `/console/cases/case?id=${encodeURIComponent(id)}`;
  const partner = '/console/partners/demo';
  return [
    ...['assign', 'unassign', 'clear', 'confirm', 'undo'].map((word) => ({
      page: `/console/reviews/${encodeURIComponent(review!.id)}`,
      wanted: `"reviews ${word}"`,
    })),
    { page: caseAt(med), wanted: '"cases close"', typed: { 0: 'FRAUD' } },
    { page: caseAt(med), wanted: '"clients unblock"' },
    { page: caseAt(owed), wanted: '"cases close"', typed: { 0: 'RETURNED_OUTSIDE', 1: '250.00' } },
    { page: '/console/blocks', wanted: '"fraud lift"', typed: { 0: block } },
    { page: '/console/deliveries', wanted: '"names":["event"]', typed: { 0: `${of.transactionId}.1` } },
    { page: '/console/deliveries', wanted: '"parked":true' },
    { page: partner, wanted: '"keys create"', typed: { 0: 'console1', 1: 'read,write' } },
    { page: partner, wanted: '"keys revoke"', typed: { 0: 'console1' } },
    { page: partner, wanted: '"partners quota"', typed: { 0: '500' } },
    { page: treasury, wanted: '"treasury hold","names":["word"]', typed: { 0: wallet } },
    { page: treasury, wanted: '"treasury release","names":["word"]', typed: { 0: wallet } },
    { page: treasury, wanted: '"treasury hold","flags":{"all"' },
    { page: treasury, wanted: '"treasury release","flags":{"all"' },
    { page: treasury, wanted: '"treasury pause"', typed: { 0: 'USDT' } },
    { page: treasury, wanted: '"treasury resume"', typed: { 0: 'USDT' } },
    { page: treasury, wanted: '"treasury reprice"', typed: { 0: 'USDT' } },
    { page: treasury, wanted: '"treasury allow"', typed: { 0: 'USDC', 1: '5' } },
  ];
}

/** A MED case that blocks a client, a case of money that is owed, and the block of a person. */
async function casesToDecide({ desk, transactionId, endToEndId }: Of) {
  const { clientId } = (await desk.transactions.findTransaction(transactionId))!;
  const of = {
    transactionId,
    clientId,
    partnerId: 'demo',
    openedAt: Date.now(),
    amountCentavos: 250_00,
    endToEndId,
  };
  const med = aMoneyCase('MED_REFUND', transactionId, { ...of, personId: 'e'.repeat(64) });
  await desk.moneyCases.open(med);
  const owed = await openOwedCase(desk, { now: Date.now(), clientId, partnerId: 'demo' });
  const block = 'f'.repeat(64);
  const ruling = { by: 'ana', at: Date.now(), reason: 'stolen document' };
  await desk.personBlocks.block({ id: block, state: 'ACTIVE', ...ruling });
  return { med: med.id, owed: owed.id, block };
}

async function parkDelivery({ desk, transactionId }: Of): Promise<void> {
  const { webhookEndpoints } = (await desk.partners.findPartner('demo'))!;
  const event = { id: `${transactionId}.99`, partnerId: 'demo', at: Date.now() };
  // A parked delivery has no next attempt. With one it would be due, and would be delivered meanwhile.
  const parked = { status: 'PARKED', parkedAt: Date.now(), attempts: 12, nextAttemptAt: undefined } as const;
  await desk.deliveries.save({ ...openDelivery(event, webhookEndpoints[0]!.id), ...parked });
}

/** Fills in a form of the page, looks at the act, and makes it. Answers the last page. */
export async function act(browser: Browser, { page, wanted, typed = {} }: Wanted): Promise<string> {
  const asked = formIn((await browser.read(page)).text, wanted);
  expect([wanted, asked.action]).toEqual([wanted, '/console/acts/new']);
  const look = await browser.send(asked.action, { ...asked.form, ...typed, reason: 'a test' });
  const { action, form } = formIn(await look.text(), '/acts/make');
  expect([wanted, action]).toEqual([wanted, '/console/acts/make']);
  const made = await browser.send(action, form);
  const to = made.headers.get('location');
  return to ?? made.text();
}
