import { decimalOf } from '../../functions/domain/money.ts';
import type { Transaction } from '../../functions/domain/transaction.ts';
import { centavos } from '../../sandbox/providers/psp/received-pix.ts';
import type { Bank } from './bank.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import { diceOf } from './dice.ts';
import type { Kernel } from './kernel.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

type Options = {
  kernel: Kernel;
  seed: string;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  bank: () => Bank;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
};

/** Of all Pix that the provider takes. */
const SHARE = 0.2;
/** When the payer's bank asks for it. */
const MOMENTS = [
  ['before settlement', 30],
  ['during settlement', 25],
  ['once COMPLETED', 30],
  ['while a refund is pending', 15],
] as const;

/** The payer's bank takes payments back by the special mechanism (MED), whole or in part, and tells nobody. */
export function openMed({ kernel, seed, memory, names, bank, happens, isQuiet }: Options) {
  const counts: Record<string, number> = {};

  /** For a Pix that the provider has just taken. */
  function onPix(endToEndId: string, scope: string): void {
    if (!happens(SHARE, scope, 'med', endToEndId.slice(-11))) return;
    kernel.act('MED', scope, async () => {
      const dice = diceOf(seed, scope, 'med', endToEndId);
      const moment = dice.pick(MOMENTS);
      const isThere = await reach(moment, endToEndId, dice.next());
      if (!isThere || isQuiet(kernel.now())) return;
      const pix = (await bank().listPix()).find((each) => each.endToEndId === endToEndId);
      if (!pix) return;
      const valor = centavos(pix.valor);
      const isWhole = dice.isBelow(0.6);
      const part = 1n + BigInt(Math.floor(dice.next() * Number(valor - 1n)));
      const isDone = await bank().takeBack(endToEndId, {
        amountBrl: decimalOf(Number(isWhole ? valor : part), 2),
        nature: dice.isBelow(0.7) ? 'MED_FRAUDE' : 'MED_OPERACIONAL',
        // The account may be empty then.
        endsAs: dice.isBelow(0.9) ? 'DEVOLVIDO' : 'NAO_REALIZADO',
      });
      const what = isDone ? `${isWhole ? 'whole' : 'in part'}, ${moment}` : 'refused, nothing is left';
      kernel.note(`MED of ${endToEndId}: ${what}`);
      counts[what] = (counts[what] ?? 0) + 1;
    });
  }

  /** Whether it came to that before nothing goes wrong any more. */
  async function reach(
    moment: (typeof MOMENTS)[number][0],
    endToEndId: string,
    late: number,
  ): Promise<boolean> {
    if (moment === 'before settlement') await kernel.wait(late ** 2 * MINUTE_MS);
    else if (moment === 'during settlement') await until(({ disposition }) => disposition === 'SETTLE');
    else if (moment === 'once COMPLETED') await until(({ status }) => status === 'COMPLETED');
    else await until(({ refund }) => refund?.status === 'PENDING');
    if (moment === 'during settlement') await kernel.wait(late ** 2 * MINUTE_MS);
    if (moment === 'once COMPLETED') await kernel.wait(late * 60 * MINUTE_MS);
    return !isQuiet(kernel.now());

    async function until(isSo: (purchase: Transaction) => boolean): Promise<void> {
      while (!isQuiet(kernel.now())) {
        const rows = memory.rows(names.transactions!) as unknown as Transaction[];
        const purchase = rows.find(({ payment }) => payment?.endToEndId === endToEndId);
        if (purchase && isSo(purchase)) return;
        await kernel.wait(5 * SECOND_MS);
      }
    }
  }

  return { counts, onPix };
}
