import { getAddress } from 'ethers/address';
import { type ChainToken, isSameAddress } from './chain.ts';
import { flag, isRevert, type Node, type Rpc, word } from './rpc.ts';

/**
 * The selectors of the functions that the service calls. They are written down, because the library would compute
 * them, with its parser of signatures, at each cold start.
 */
const SELECTORS = {
  transfer: '0xa9059cbb',
  balanceOf: '0x70a08231',
  decimals: '0x313ce567',
  paused: '0x5c975abb',
  isBlackListed: '0xe47d6060',
  isBlacklisted: '0xfe575a87',
  isBlocked: '0xfbac3951',
} as const;

/** The first topic of every log of an ERC-20 `Transfer` event. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export type ChainLog = { address: string; topics: readonly string[]; data: string };
type TokenTransfer = { token: string; from: string; to: string; units: bigint };

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/i;
const WORD = /^0x[0-9a-f]{64}$/i;

export function encodeTransfer(to: string, units: bigint): string {
  return `${SELECTORS.transfer}${addressWord(to)}${unitsWord(units)}`;
}

/** Encodes an address as one 32-byte word of a call or a log, without `0x`. */
function addressWord(address: string): string {
  if (!ADDRESS.test(address)) throw new Error('not an address');
  return address.slice(2).toLowerCase().padStart(64, '0');
}

/** Encodes an amount as one 32-byte word of a call or a log, without `0x`. */
function unitsWord(units: bigint): string {
  if (units !== BigInt.asUintN(256, units)) throw new Error('not an amount of a token');
  return units.toString(16).padStart(64, '0');
}

/** Decodes a log as a transfer. Undefined if the log belongs to another event or is malformed. */
export function decodeTransfer({ address, topics, data }: ChainLog): TokenTransfer | undefined {
  const [event, ...parties] = topics;
  const [from, to, ...others] = parties.map((topic) => ADDRESS_WORD.exec(topic)?.[1]);
  if (event?.toLowerCase() !== TRANSFER_TOPIC || !from || !to || others.length > 0) return undefined;
  if (!WORD.test(data)) return undefined;
  return { token: address, from: getAddress(`0x${from}`), to: getAddress(`0x${to}`), units: BigInt(data) };
}

/**
 * Whether a log has exactly this token, sender, receiver and amount. The amount is compared too, because USDT
 * may deduct a fee.
 */
export function isTransfer(log: ChainLog, wanted: TokenTransfer): boolean {
  const { from, to, units } = wanted;
  const words = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`, `0x${unitsWord(units)}`];
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
export async function readBalance(
  node: Node,
  token: ChainToken,
  owner: string,
  block?: string,
): Promise<bigint> {
  return word(await view(node, token, { name: 'balanceOf', addresses: [owner], block }));
}

export async function readDecimals(rpc: Rpc, token: ChainToken): Promise<number> {
  return Number(word(await view(rpc, token, { name: 'decimals' })));
}

/**
 * Whether the issuer of the token blocks an address. A token without a block list blocks nobody. Throws
 * `Unavailable` for an unclear answer, and `RpcError` if the contract reverts.
 */
export async function readBlocked(
  node: Node,
  token: ChainToken,
  account: string,
  block?: string,
): Promise<boolean> {
  if (token.blockList === 'none') return false;
  return flag(word(await view(node, token, { name: token.blockList, addresses: [account], block })));
}

/**
 * Whether the token is paused. A token without the function `paused` counts as not paused, because
 * `isTransferable` would find a pause anyway.
 */
export async function readPaused(rpc: Rpc, token: ChainToken): Promise<boolean> {
  try {
    const answer = await view(rpc, token, { name: 'paused' });
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
export async function isTransferable(rpc: Rpc, transfer: TokenTransfer): Promise<boolean> {
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

type View = { name: keyof typeof SELECTORS; addresses?: string[]; block?: string };

function view(
  node: Node,
  token: ChainToken,
  { name, addresses = [], block = 'latest' }: View,
): Promise<unknown> {
  const data = [SELECTORS[name], ...addresses.map(addressWord)].join('');
  return node.call('eth_call', [{ to: token.address, data }, block]);
}
