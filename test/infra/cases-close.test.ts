import { describe, expect, it } from 'vitest';
import type { MoneyCase, MoneyCaseClosing } from '../../functions/domain/books/money-case.ts';
import { moneyCaseCommands } from '../../operations/cases.ts';
import type { Flags } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { run } from '../../operations/run.ts';
import { dice as random } from '../support/dice.ts';
import { aMoneyCase, type CASE_FACTS } from '../support/money-cases.ts';
import { signedIn } from '../support/operators.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const aCase = (kind: keyof typeof CASE_FACTS = 'REFUND_FAILED', changes: Partial<MoneyCase> = {}) =>
  ({
    ...aMoneyCase(kind, 'T1', {
      openedAt: AT,
      amountCentavos: 250_00,
      transactionId: 'T1',
      endToEndId: 'E1',
    }),
    ...changes,
  }) as MoneyCase;

/** Closes a case as an operator does. The answer is the output and the writes. `refunds` are the read row's states. */
async function close(flags: Flags, found = aCase(), refunds: (string | undefined | Error)[] = ['FAILED']) {
  const states = [...refunds];
  const [said, closings]: [string[], MoneyCaseClosing[]] = [[], []];
  const desk = {
    clock: { now: () => AT },
    random,
    ...signedIn('ana'),
    evidence: { record: async () => {} },
    dossier: {
      listRows: async () => {
        const status = states.length > 1 ? states.shift() : states[0];
        if (status instanceof Error) throw status;
        return status === undefined ? [] : [{ id: 'T1', status: 'FAILED', refund: { status } }];
      },
    },
    moneyCases: {
      findCase: async () => found,
      close: async (_: string, closed: MoneyCaseClosing) => {
        closings.push(closed);
        return { ...found, status: 'CLOSED', closed };
      },
    },
  } as unknown as Desk;
  const note = (line: string) => said.push(line);
  const terminal = { say: note, tell: note, ask: async () => found.id };
  const call = { reason: 'TED 4711', isSure: true };
  const given = { words: [found.id], flags: { reason: 'TED 4711', ...flags }, ask: terminal.ask };
  const command = moneyCaseCommands.find(({ name }) => name === 'cases close')!;
  await run(command, given, { desk, terminal, call });
  return { said: said.join('\n'), closings };
}

const OUTSIDE = { outcome: 'RETURNED_OUTSIDE' };

describe('cases close', () => {
  it.each([
    ['250.00', 250_00],
    ['0.01', 1],
    ['100', 100_00],
  ])('posts R$ %s that were returned by hand', async (amount, amountCentavos) => {
    const { said, closings } = await close({ ...OUTSIDE, amount });

    expect(closings).toMatchObject([{ outcome: 'RETURNED_OUTSIDE', amountCentavos, by: 'ana', at: AT }]);
    const part = amountCentavos < 250_00 ? ' of R$250.00' : '';
    expect(said).toContain(`post R$${(amountCentavos / 100).toFixed(2)}${part} as RETURNED_OUTSIDE`);
  });

  it.each([
    ['without an amount', OUTSIDE, '--amount is missing'],
    ['of nothing', { ...OUTSIDE, amount: '0.00' }, '--amount is an amount'],
    ['of less than nothing', { ...OUTSIDE, amount: '-1' }, '--amount is an amount'],
    ['of a fraction of a centavo', { ...OUTSIDE, amount: '1.001' }, '--amount is an amount'],
    ['of more than the case is about', { ...OUTSIDE, amount: '250.01' }, 'more than the case is about'],
    ['with an amount that nothing is posted for', { outcome: 'LOST', amount: '1' }, '--amount goes with'],
  ])('is refused %s', async (_, flags, words) => {
    await expect(close(flags)).rejects.toThrow(words);
  });

  it.each(['PURCHASE_STUCK', 'RETURN_STUCK', 'MED_REFUND', 'PAYMENT_IGNORED'] as const)(
    'refuses a return by hand for %s: a return may still happen by itself, or no money is owed',
    async (kind) => {
      await expect(close({ ...OUTSIDE, amount: '1' }, aCase(kind))).rejects.toThrow('nothing is owed');
    },
  );

  it.each([
    ['REFUND_FAILED', ['PENDING'], 'may still return the money itself'],
    ['REFUND_FAILED', [undefined], 'may still return the money itself'],
    ['REFUND_FAILED', ['REFUNDED'], 'has returned the money itself'],
    ['UNMATCHED_LEFT', ['PENDING'], 'may still return the money itself'],
    ['UNMATCHED_LEFT', ['REFUNDED'], 'has returned the money itself'],
    ['UNMATCHED_LEFT', ['FAILED', 'REFUNDED'], 'has returned the money itself'],
  ] as const)('refuses a return by hand for %s with the returns %j', async (kind, refunds, words) => {
    const closing = close({ ...OUTSIDE, amount: '250.00' }, aCase(kind), [...refunds]);

    await expect(closing).rejects.toThrow(words);
  });

  it('closes a case as explained whatever its row says', async () => {
    const { closings } = await close({ outcome: 'EXPLAINED' }, aCase(), ['REFUNDED']);

    expect(closings).toMatchObject([{ outcome: 'EXPLAINED' }]);
  });

  it.each(['EXPLAINED', 'CORRECTED', 'LOST'])(
    'closes a case as %s although its row cannot be read',
    async (outcome) => {
      const facts = { returnId: 'D1', nature: 'MED_FRAUDE', at: AT, from: 'clients' };
      const found = aCase('MED_REFUND', { facts } as Partial<MoneyCase>);

      const { closings } = await close({ outcome }, found, [new Error('the row cannot be read')]);

      expect(closings).toMatchObject([{ outcome }]);
    },
  );

  it('says before a part is posted how much stays owed, and of the whole amount nothing', async () => {
    const part = await close({ ...OUTSIDE, amount: '200.00' });
    const whole = await close({ ...OUTSIDE, amount: '250.00' });

    expect(part.said).toContain('leave R$50.00 owed to the payer in the ledger');
    expect(whole.said).not.toContain('owed to the payer');
  });

  it('names the whole amount beside a part', async () => {
    const { said } = await close({ outcome: 'RECOVERED', amount: '200.00' }, aCase('MED_REFUND'));

    expect(said).toContain('post R$200.00 of R$250.00 as RECOVERED');
  });

  it('takes no amount for what was recovered of a loss that is not in the ledger', async () => {
    const twice = aCase('TRANSFER_UNKNOWN');

    await expect(close({ outcome: 'RECOVERED', amount: '1' }, twice)).rejects.toThrow('leave out --amount');
    expect((await close({ outcome: 'RECOVERED' }, twice)).closings[0]).not.toHaveProperty('amountCentavos');
  });

  it('posts nothing for any other outcome', async () => {
    const { closings } = await close({ outcome: 'RETURNED' });

    expect(closings[0]).not.toHaveProperty('amountCentavos');
  });
});
