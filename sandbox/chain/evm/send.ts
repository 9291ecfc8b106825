import type { TypedTransaction } from '@ethereumjs/tx';
import { CHAIN_ID, DEPLOYER } from '../owner.ts';
import { accountAt } from './accounts.ts';
import { changeHead } from './clock.ts';
import { accountKey, type Chain, type Head } from './head.ts';
import { pendingNonce, withOffer } from './pool.ts';
import { BASE_FEE } from './terms.ts';
import { offerOf, showTransaction } from './transactions.ts';
import { type Versions, withValue } from './versions.ts';
import { type Act, parseTransaction, signAsOwner } from './vm.ts';
import { isSame, NodeError, toHex } from './wire.ts';

const TERMS = { chainId: CHAIN_ID, baseFee: BASE_FEE };

/**
 * Accepts a signed transaction for a later block, and returns its hash. Throws for a transaction of the
 * contracts' owner, because everybody knows the owner's key. The owner acts only through `sendAsOwner`.
 */
export async function sendRaw(chain: Chain, raw: string): Promise<string> {
  const tx = parseTransaction(raw);
  const sender = senderOf(tx);
  if (isSame(sender, DEPLOYER))
    throw new NodeError('the owner of the contracts does not act through this node');
  return changeHead(chain, (head) => pooled(chain, head, tx));
}

function senderOf(tx: TypedTransaction): string {
  try {
    return tx.getSenderAddress().toString();
  } catch {
    throw new NodeError('invalid sender');
  }
}

/**
 * Signs a transaction as the contracts' owner, and accepts it for a later block. Without a nonce it uses the
 * owner's next one.
 */
export async function sendAsOwner(chain: Chain, act: Act & { nonce?: string }): Promise<string> {
  return changeHead(chain, async (head) => {
    const { nonce } = await accountAt(chain.store, DEPLOYER, head.number);
    const next = act.nonce === undefined ? pendingNonce(head.pool, DEPLOYER, nonce) : Number(act.nonce);
    return pooled(chain, head, signAsOwner(act, next));
  });
}

async function pooled({ store }: Chain, head: Head, tx: TypedTransaction) {
  const offer = offerOf(tx);
  const { nonce, balance } = await accountAt(store, offer.from, head.number);
  const pool = withOffer(head.pool, offer, { nonce, balance: BigInt(balance) }, TERMS);
  return { head: { ...head, pool }, answer: offer.hash };
}

/** Sets the ether of an address in the newest block, as anvil's `anvil_setBalance` does. */
export async function setBalance(chain: Chain, address: string, wei: string): Promise<null> {
  const { store } = chain;
  const key = accountKey(address.toLowerCase());
  await changeHead(chain, async (head) => {
    const row = (await store.get<Versions<unknown>>(key))?.value ?? [];
    const account = { ...(await accountAt(store, address, head.number)), balance: toHex(BigInt(wei)) };
    return { head, rows: [{ key, value: withValue(row, head.number, account) }], answer: true };
  });
  return null;
}

/** Shows a transaction that waits for a block, as JSON-RPC does. */
export const showPooled = (raw: string) => showTransaction(parseTransaction(raw));
