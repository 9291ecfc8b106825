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

/** Somebody else who has the hot wallets' keys, and the operator who lets a wallet pay again after that. */
export function openForeignUse({ kernel, seed, node, memory, names, happens, isQuiet, call }: Options) {
  const counts = { used: 0, released: 0 };

  /** Now and then: the nonce of a payment that is on its way, or the one that is given out next. */
  async function useKeys(): Promise<void> {
    for (let round = 0; !isQuiet(kernel.now()); round++) {
      const dice = diceOf(seed, 'foreign use', round);
      await kernel.wait(dice.within(3, 30) * MINUTE_MS);
      if (isQuiet(kernel.now()) || !happens(0.6, 'foreign use', String(round))) continue;
      const found = dice.isBelow(0.7) ? await findOwned() : findNext(dice);
      if (found && (await node.useKey(found.wallet, found.nonce))) counts.used++;
    }
  }

  /** A nonce that a payment owns and nobody has used; some are only owned for seconds. */
  async function findOwned(): Promise<{ wallet: string; nonce: number } | undefined> {
    const until = kernel.now() + 10 * MINUTE_MS;
    while (kernel.now() < until) {
      await kernel.wait(SECOND_MS);
      for (const row of memory.rows(names.settlements!)) {
        const { wallet, nonce } = row as { wallet?: string; nonce?: number };
        // A transfer that was confirmed and dropped again is lost where somebody takes its nonce: a person's, by design.
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

  /** Looks at the wallets now and then. In some worlds a wallet stays as it is for as long as another one pays. */
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
