import { SimpleStateManager } from '@ethereumjs/statemanager';
import {
  Account,
  type Address,
  bytesToHex,
  createAccount,
  createAddressFromString,
  hexToBytes,
  type PrefixedHexString,
} from '@ethereumjs/util';
import { keccak256 } from 'ethers/crypto';
import type { Store } from '../../providers/store.ts';
import type { StoredAccount } from './accounts.ts';
import { accountKey, codeKey, slotKey } from './head.ts';
import { type Versions, valueAt, withValue } from './versions.ts';

export type Row = { key: string; value: unknown };

const NO_BYTES = new Uint8Array(0);
const NO_CODE = bytesToHex(new Account().codeHash);

/**
 * The chain's state after one block, for the EVM. It reads a row when the EVM first needs it. Changes stay in
 * memory, and `changedRows` returns them.
 */
export class BlockState extends SimpleStateManager {
  readonly #store: Store;
  readonly #block: number;
  readonly #rows = new Map<string, Promise<Versions<unknown>>>();
  readonly #deployed = new Map<string, string>();

  constructor(store: Store, block: number) {
    super();
    this.#store = store;
    this.#block = block;
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString();
    if (!this.topAccountStack().has(key)) {
      const account = toAccount(await this.#valueOf<StoredAccount>(accountKey(key)));
      this.topAccountStack().set(key, account);
    }
    return this.topAccountStack().get(key);
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const known = this.topCodeStack().get(address.toString());
    if (known) return known;
    const hash = (await this.getAccount(address))?.codeHash;
    if (!hash || bytesToHex(hash) === NO_CODE) return NO_BYTES;
    const row = await this.#store.get<PrefixedHexString>(codeKey(bytesToHex(hash)));
    const code = row ? hexToBytes(row.value) : NO_BYTES;
    this.topCodeStack().set(address.toString(), code);
    return code;
  }

  override async putCode(address: Address, code: Uint8Array): Promise<void> {
    await super.putCode(address, code);
    // The key of this row is the hash of the code. If the creation of the contract reverts, the row that
    // remains does no harm.
    this.#deployed.set(keccak256(code), bytesToHex(code));
  }

  override async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const key = `${address.toString()}_${bytesToHex(slot)}`;
    const known = this.topStorageStack().get(key);
    if (known) return known;
    const stored = await this.#valueOf<PrefixedHexString>(slotKey(address.toString(), bytesToHex(slot)));
    const value = stored ? hexToBytes(stored) : NO_BYTES;
    this.topStorageStack().set(key, value);
    return value;
  }

  async nonceOf(address: string): Promise<number> {
    return Number((await this.getAccount(createAddressFromString(address)))?.nonce ?? 0);
  }

  /** The most rows that the changes up to now can need. */
  get touched(): number {
    return this.topAccountStack().size + this.topStorageStack().size + this.#deployed.size;
  }

  /** The rows that store the changes as the state after block `number`. */
  async changedRows(number: number): Promise<Row[]> {
    const accounts = [...this.topAccountStack()].map(
      ([address, account]) => [accountKey(address), account && toStored(account)] as const,
    );
    const slots = [...this.topStorageStack()].map(([key, value]) => {
      const [address = '', slot = ''] = key.split('_');
      return [slotKey(address, slot), value.length > 0 ? bytesToHex(value) : undefined] as const;
    });
    const rows: Row[] = [];
    for (const [key, value] of [...accounts, ...slots]) {
      const versions = await this.#versionsOf(key);
      const before = valueAt(versions, this.#block) ?? null;
      if (JSON.stringify(before) === JSON.stringify(value ?? null)) continue;
      rows.push({ key, value: withValue(versions, number, value ?? null) });
    }
    for (const [hash, code] of this.#deployed) rows.push({ key: codeKey(hash), value: code });
    return rows;
  }

  async #valueOf<T>(key: string): Promise<T | undefined> {
    return (valueAt(await this.#versionsOf(key), this.#block) as T | null | undefined) ?? undefined;
  }

  #versionsOf(key: string): Promise<Versions<unknown>> {
    const known = this.#rows.get(key);
    if (known) return known;
    const row = this.#store.get<Versions<unknown>>(key).then((item) => item?.value ?? []);
    this.#rows.set(key, row);
    return row;
  }
}

function toAccount(stored: StoredAccount | undefined): Account | undefined {
  if (!stored) return undefined;
  return createAccount({
    nonce: BigInt(stored.nonce),
    balance: BigInt(stored.balance),
    codeHash: hexToBytes((stored.codeHash ?? NO_CODE) as PrefixedHexString),
  });
}

function toStored({ nonce, balance, codeHash }: Account): StoredAccount {
  const hash = bytesToHex(codeHash);
  const plain = { nonce: Number(nonce), balance: `0x${balance.toString(16)}` };
  return hash === NO_CODE ? plain : { ...plain, codeHash: hash };
}
