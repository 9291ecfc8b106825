/** The generated section about the limits of a client, in the guide for partners. */
import type { Caps } from '../functions/domain/partners/caps.ts';
import { DEFAULT_LIMITS } from '../functions/domain/purchase/charge-limits.ts';
import { tableOf, wrapped } from './markdown.ts';

/** Writes an amount in reais as the English pages do, such as 50,000. */
export const brl = (amount = 0) => amount.toLocaleString('en-US');

const { tiers, firstDays, afterMed } = DEFAULT_LIMITS;

/**
 * Makes the section with the amount limits of each tier. It also gives the lower limits of new clients, and
 * of clients after a MED (a Pix that the bank took back).
 */
export function limitsSection(): string[] {
  const { openCharges } = tiers.STANDARD;
  const head = ['Clients', 'A purchase', 'A day', 'A month', 'A year'];
  const rows = [rowOf('`STANDARD`', tiers.STANDARD), rowOf('`HIGH`, `PEP`', tiers.HIGH)];
  return [
    `The defaults in BRL, by days in Brasília. A client has ${openCharges} open charge at a time.`,
    '',
    ...tableOf([head, ...rows]),
    '',
    ...[firstDaysText(), medText()].flatMap((line) => wrapped(`- ${line}`)),
  ];
}

const rowOf = (name: string, caps: Caps) => [
  name,
  ...[caps.purchaseBrl, caps.dailyBrl, caps.monthlyBrl, caps.yearlyBrl].map(brl),
];

const firstDaysText = () =>
  `A new client has ${brl(firstDays.monthlyBrl)} a month. That ends ${firstDays.days} days after the first ` +
  'submission at you.';

const medText = () =>
  `After a MED a client has ${brl(afterMed.purchaseBrl)} a purchase, ${brl(afterMed.dailyBrl)} a day and ` +
  `${brl(afterMed.monthlyBrl)} a month, for ${afterMed.days} days.`;
