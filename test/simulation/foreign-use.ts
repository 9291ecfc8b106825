import { canPay, troubleOf } from '../../functions/domain/treasury/hot-wallet.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import type { Row } from './cloud/values.ts';
import { type Dice, diceOf } from './dice.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Node } from './node.ts';
import type { Ended } from './tasks.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

type Options = {
  kernel: Kernel;
  seed: string;
  node: Node;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
  call: (
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<unknown>,
  ) => Promise<Ended<unknown>>;
};

/** A stranger who has the hot wallets' keys, and the operator who later lets such a wallet pay again. */
export function openForeignUse({ kernel, seed, node, memory, names, happens, isQuiet, call }: Options) {
  const counts = { used: 0, released: 0 };

  /** Uses a nonce now and then: that of a payment under way, or the next one of a wallet. */
  async function useKeys(): Promise<void> {
    for (let round = 0; !isQuiet(kernel.now()); round++) {
      const dice = diceOf(seed, 'foreign use', round);
      await kernel.wait(dice.within(3, 30) * MINUTE_MS);
      if (isQuiet(kernel.now()) || !happens(0.6, 'foreign use', String(round))) continue;
      const found = dice.isBelow(0.7) ? await findOwned() : findNext(dice);
      if (found && (await node.useKey(found.wallet, found.nonce))) counts.used++;
    }
  }

  /**
   * Finds an unused nonce that a payment owns. It looks every second, because some payments own a nonce only for
   * seconds.
   */
  async function findOwned(): Promise<{ wallet: string; nonce: number } | undefined> {
    const until = kernel.now() + 10 * MINUTE_MS;
    while (kernel.now() < until) {
      await kernel.wait(SECOND_MS);
      for (const row of memory.rows(names.settlements!)) {
        const { wallet, nonce } = row as { wallet?: string; nonce?: number };
        // A confirmed transfer that a reorganisation drops is lost when a stranger takes its nonce. By design it
        // becomes a person's case, so the stranger spares it.
        if (!wallet || nonce === undefined || !UNDER_WAY.includes(String(row.state))) continue;
        if ((await node.countOf(wallet)) <= nonce) return { wallet, nonce };
      }
    }
    return undefined;
  }

  function findNext(dice: Dice): { wallet: string; nonce: number } | undefined {
    const wallet = node.wallets[dice.within(0, node.wallets.length - 1)]!;
    const isRowOfWallet = ({ id }: Row) =>
      String(id).startsWith('WALLET#') && String(id).endsWith(wallet.toLowerCase());
    const row = memory.rows(names.settlements!).find(isRowOfWallet);
    return row && { wallet, nonce: row.next as number };
  }

  /** Releases wallets now and then. In some worlds the operator waits for as long as another wallet can pay. */
  async function operate(): Promise<void> {
    const dice = diceOf(seed, 'operator');
    const isPatient = dice.isBelow(0.3);
    for (let round = 0; ; round++) {
      await kernel.wait(dice.within(5, 60) * MINUTE_MS);
      await call('ReleaseWallets', `operator/${round}`, async ({ wallets }) => {
        const found = await wallets.listWallets();
        if (isPatient && found.some(canPay)) return;
        for (const wallet of found)
          if (troubleOf(wallet) && (await wallets.release(wallet))) counts.released++;
      });
    }
  }

  return { counts, useKeys, operate };
}

const UNDER_WAY: readonly string[] = ['ASSIGNED', 'SIGNED', 'BROADCAST'];
