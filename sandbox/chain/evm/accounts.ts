import type { Store } from '../../providers/store.ts';
import { accountKey } from './head.ts';
import { type Versions, valueAt } from './versions.ts';

/**
 * An account as the simulators' table stores it. The balance is in wei, in hex. An account that is not a
 * contract has no `codeHash`.
 */
export type StoredAccount = { nonce: number; balance: string; codeHash?: string };

const UNUSED: StoredAccount = { nonce: 0, balance: '0x0' };

/** Reads the account as it is after this block. An address that was never used has nonce 0 and balance 0. */
export async function accountAt(store: Store, address: string, block: number): Promise<StoredAccount> {
  const row = await store.get<Versions<StoredAccount | null>>(accountKey(address.toLowerCase()));
  return valueAt(row?.value ?? [], block) ?? UNUSED;
}
