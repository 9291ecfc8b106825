import type { MoneyCase } from '../functions/domain/books/money-case.ts';
import { type Given, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { onlyOne } from './short-ids.ts';
import { refuseOrder } from './words.ts';

export async function requireMoneyCase(given: Given, { moneyCases }: Desk): Promise<MoneyCase> {
  const [id] = requireWords(given, '<case>');
  const found = (await moneyCases.findCase(id)) ?? onlyOne(id, await moneyCases.listOpen());
  return found ?? onlyOne(id, await moneyCases.listClosed()) ?? refuseOrder(`There is no case ${id}.`);
}
