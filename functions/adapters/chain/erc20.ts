import { Interface, toBeHex } from 'ethers';
import { getDefined } from '../../domain/get.ts';
import { isSameAddress, type Token } from './chain.ts';
import { flag, isRevert, type Node, type Rpc, word } from './rpc.ts';

const ERC20 = new Interface([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function paused() view returns (bool)',
  'function isBlackListed(address account) view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
  'function isBlocked(address account) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** The first topic of every log of an ERC-20 `Transfer` event. */
export const TRANSFER_TOPIC = getDefined(ERC20.getEvent('Transfer') ?? undefined, 'event Transfer').topicHash;

export type Log = { address: string; topics: readonly string[]; data: string };
export type Transfer = { token: string; from: string; to: string; units: bigint };

/** The selector of each function, computed once. The library's encoder would compute it at every call. */
const SELECTORS = new Map<string, string>();
ERC20.forEachFunction(({ name, selector }) => SELECTORS.set(name, selector));

const ADDRESS = /^0x[0-9a-f]{40}$/i;

export function encodeTransfer(to: string, units: bigint): string {
  return `${SELECTORS.get('transfer')}${addressWord(to)}${toBeHex(units, 32).slice(2)}`;
}

/** Encodes an address as one 32-byte word of a call or a log, without `0x`. */
function addressWord(address: string): string {
  if (!ADDRESS.test(address)) throw new Error('not an address');
  return address.slice(2).toLowerCase().padStart(64, '0');
}

/** Decodes a log as a transfer. Undefined if the log belongs to another event or is malformed. */
export function decodeTransfer(log: Log): Transfer | undefined {
  try {
    const parsed = ERC20.parseLog(log);
    if (parsed?.name !== 'Transfer') return undefined;
    return { token: log.address, from: parsed.args.from, to: parsed.args.to, units: parsed.args.value };
  } catch {
    return undefined;
  }
}

/**
 * Whether a log has exactly this token, sender, receiver and amount. The amount is compared too, because USDT
 * may deduct a fee.
 */
export function isTransfer(log: Log, wanted: Transfer): boolean {
  const { from, to, units } = wanted;
  const words = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`, toBeHex(units, 32)];
  const found = [...log.topics, log.data];
  return (
    isSameAddress(log.address, wanted.token) &&
    found.length === words.length &&
    words.every((word, at) => found[at]?.toLowerCase() === word)
  );
}

/**
 * Reads the owner's balance of the token in base units. `block` is a block's number in hexadecimal form. The
 * default is the latest block.
 */
export async function readBalance(node: Node, token: Token, owner: string, block?: string): Promise<bigint> {
  return word(await view(node, token, 'balanceOf', [owner], block));
}

export async function readDecimals(rpc: Rpc, token: Token): Promise<number> {
  return Number(word(await view(rpc, token, 'decimals', [])));
}

/**
 * Whether the issuer of the token blocks an address. A token without a block list blocks nobody. Throws
 * `Unavailable` for an unclear answer, and `RpcError` if the contract reverts.
 */
export async function readBlocked(
  node: Node,
  token: Token,
  account: string,
  block?: string,
): Promise<boolean> {
  if (token.blockList === 'none') return false;
  return flag(word(await view(node, token, token.blockList, [account], block)));
}

/**
 * Whether the token is paused. A token without the function `paused` counts as not paused, because
 * `isTransferable` would find a pause anyway.
 */
export async function readPaused(rpc: Rpc, token: Token): Promise<boolean> {
  try {
    const answer = await view(rpc, token, 'paused', []);
    return answer !== '0x' && flag(word(answer));
  } catch (error) {
    if (isRevert(error)) return false;
    throw error;
  }
}

/**
 * Tries the transfer in a call that sends nothing. False if the contract refuses it. USDT answers nothing on success,
 * other tokens answer true.
 */
export async function isTransferable(rpc: Rpc, transfer: Transfer): Promise<boolean> {
  const { token, from, to, units } = transfer;
  try {
    const call = { from, to: token, data: encodeTransfer(to, units) };
    const answer = await rpc.call('eth_call', [call, 'latest']);
    return answer === '0x' || flag(word(answer));
  } catch (error) {
    if (isRevert(error)) return false;
    throw error;
  }
}

function view(
  node: Node,
  token: Token,
  name: string,
  addresses: string[],
  block = 'latest',
): Promise<unknown> {
  const data = [SELECTORS.get(name), ...addresses.map(addressWord)].join('');
  return node.call('eth_call', [{ to: token.address, data }, block]);
}
