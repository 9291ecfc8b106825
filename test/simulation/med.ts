import { decimalOf } from '../../functions/domain/money.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { centavos } from '../../sandbox/providers/psp/received-pix.ts';
import type { Bank } from './bank.ts';
import { diceOf } from './dice.ts';
import type { Kernel } from './kernel.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './times.ts';

type Options = {
  kernel: Kernel;
  seed: string;
  bank: () => Bank;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
};

/** The share of all Pix that the bank tries to take back. */
const SHARE = 0.2;
/** The moments at which the payer's bank takes a payment back, with their weights. */
const MOMENTS = [
  ['before settlement', 30],
  ['during settlement', 20],
  ['once COMPLETED', 25],
  ['while a refund is pending', 25],
] as const;

type Moment = (typeof MOMENTS)[number][0];
type IsSo = (purchase: Transaction) => boolean;

/** The state of the purchase that the bank waits for. It then waits for at most `LATEST_MS` more. */
const AWAITED: Partial<Record<Moment, IsSo>> = {
  'during settlement': ({ disposition }) => disposition === 'SETTLE',
  'once COMPLETED': ({ status }) => status === 'COMPLETED',
  'while a refund is pending': ({ refund }) => refund?.status === 'PENDING',
};
const LATEST_MS: Record<Moment, number> = {
  'before settlement': MINUTE_MS,
  'during settlement': MINUTE_MS,
  'once COMPLETED': HOUR_MS,
  'while a refund is pending': 2 * SECOND_MS,
};

/** The payer's bank takes payments back by the special mechanism (MED), whole or in part. It sends no callback. */
export function openMed({ kernel, seed, bank, happens, isQuiet }: Options) {
  const counts: Record<string, number> = {};
  const waiting = new Map<string, { isSo: IsSo; resolve: () => void }>();

  /** Called with each Pix that the provider has just accepted. */
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
        // Ten percent fail, as when the account is empty.
        endsAs: dice.isBelow(0.9) ? 'DEVOLVIDO' : 'NAO_REALIZADO',
      });
      const extent = isWhole ? 'whole' : 'in part';
      kernel.note(`MED of ${endToEndId}: ${isDone ? `${extent}, ${moment}` : 'nothing is left'}`);
      for (const what of isDone ? [extent, moment] : ['refused, nothing is left'])
        counts[what] = (counts[what] ?? 0) + 1;
    });
  }

  /** Waits for the moment. Returns false when the time of the faults is over by then. */
  async function reach(moment: Moment, endToEndId: string, late: number): Promise<boolean> {
    const isSo = AWAITED[moment];
    if (isSo)
      await kernel.blocked(new Promise<void>((resolve) => waiting.set(endToEndId, { isSo, resolve })));
    await kernel.wait(late ** 2 * LATEST_MS[moment]);
    return !isQuiet(kernel.now());
  }

  function onPurchase(purchase: Transaction): void {
    const { endToEndId = '' } = purchase.payment ?? {};
    const found = waiting.get(endToEndId);
    if (!found?.isSo(purchase)) return;
    waiting.delete(endToEndId);
    found.resolve();
  }

  return { counts, onPix, onPurchase };
}
