import type { Bank } from './bank.ts';
import { payCharge } from './buyer.ts';
import { chance, type Dice } from './dice.ts';
import { receiveCallback } from './functions.ts';
import type { openGuards } from './guards.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Facts } from './ledger-of-facts.ts';
import type { Shop } from './shop.ts';
import type { Ended } from './tasks.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

type Options = {
  kernel: Kernel;
  seed: string;
  dice: Dice;
  facts: Facts;
  guards: ReturnType<typeof openGuards>;
  bank: () => Bank;
  shop: () => Shop;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
  call: (
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<unknown>,
    limits: { seconds: number },
  ) => Promise<Ended<unknown>>;
};

/**
 * The events at the payment provider: faults that a request brings about, the provider's callbacks, and forged ones.
 */
export function openBankLife(options: Options) {
  const { kernel, seed, dice, facts, guards, bank, shop, happens, isQuiet, call } = options;
  const refused = new Map<string, boolean>();
  const closing = new Set<string>();
  let posts = 0;

  async function onRequest(request: { method: string; path: string; body: unknown }): Promise<void> {
    const [, kind, id = '', , refundId = ''] = request.path.split('?')[0]!.split('/');
    if (kind === 'cob') await onCharge(request, id);
    if (kind !== 'pix' || request.method !== 'PUT') return;
    await guards.onRefund(id);
    if (!refused.has(refundId)) {
      const before = [...refused.keys()].filter((each) => each.includes(refundId.split('R')[0]!)).length;
      refused.set(refundId, before < (facts.ofPix(id)?.plan.refusals ?? 0));
    }
    await bank().setOutcome(refused.get(refundId) ? 'NAO_REALIZADO' : 'DEVOLVIDO');
  }

  /**
   * Pays a charge while our service closes it. The Pix arrives before the closing, or between the closing and the
   * next read of the charge.
   */
  async function onCharge({ method, body }: { method: string; body: unknown }, txid: string): Promise<void> {
    const each = facts.byTransaction.get(txid);
    if (each?.plan.kind !== 'paid during the closing' || each.isPaid) return;
    // This buyer never got an answer, so the buyer knows of no charge to pay.
    if (each.transactionId === undefined) return;
    const isClosing = method === 'PATCH' && (body as { status?: string }).status !== undefined;
    const isAfter = each.plan.index % 2 === 1;
    if (isClosing && isAfter) closing.add(txid);
    else if (isClosing || closing.has(txid)) await payCharge(each, shop());
  }

  /** Posts a callback of the provider. Callbacks can be lost, late, repeated and out of order. */
  function callBack(body: string, isForged = false): void {
    const id = `callback-${++posts}`;
    if (!isForged && happens(0.1, id, 'lost')) return;
    const copies = happens(0.1, id, 'twice') ? [1, 2] : [1];
    for (const copy of copies) {
      kernel.act('provider posts', id, async () => {
        await kernel.wait(chance(seed, id, copy) ** 3 * 40 * SECOND_MS);
        await call('PixReceived', `${id}.${copy}`, (own) => receiveCallback(body, own), { seconds: 10 });
      });
    }
  }

  /**
   * Posts forged callbacks, because anybody who knows our address can write to it. They name purchases that are
   * unpaid or do not exist.
   */
  async function forge(): Promise<void> {
    while (!isQuiet(kernel.now())) {
      await kernel.wait(dice.within(30, 300) * SECOND_MS);
      const known = [...facts.byTransaction.keys()];
      const txid = known[dice.within(0, known.length)] ?? '01FORGED00000000000000000000';
      const endToEndId = `E${'99999'}${String(dice.within(1e9, 9e9)).padEnd(26, '0')}`.slice(0, 32);
      const pix = [{ endToEndId, txid, valor: '500.00', horario: new Date(kernel.now()).toISOString() }];
      callBack(JSON.stringify({ pix }), true);
    }
  }

  /** For some minutes the account holds nearly nothing, as after a transfer to the company's bank. */
  async function empty(): Promise<void> {
    if (dice.isBelow(0.4)) return;
    await kernel.wait(dice.within(5, 100) * MINUTE_MS);
    await bank().setBalance(dice.within(0, 1_000));
    await kernel.wait(dice.within(8, 16) * MINUTE_MS);
    await bank().setBalance();
  }

  return { onRequest, callBack, forge, empty };
}
