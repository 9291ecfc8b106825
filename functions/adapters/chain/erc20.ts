import { Interface } from 'ethers';
import { isSameAddress, type Token } from './chain.ts';
import { flag, type Node, type Rpc, RpcError, word } from './rpc.ts';

const ERC20 = new Interface([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function paused() view returns (bool)',
  'function isBlackListed(address account) view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** The first topic of every `Transfer` log. */
export const TRANSFER_TOPIC = ERC20.getEvent('Transfer')!.topicHash;

export type Log = { address: string; topics: readonly string[]; data: string };
export type Transfer = { token: string; from: string; to: string; units: bigint };

export function encodeTransfer(to: string, units: bigint): string {
  return ERC20.encodeFunctionData('transfer', [to, units]);
}

/** The transfer that a log tells of; undefined where it is another event. */
export function decodeTransfer(log: Log): Transfer | undefined {
  try {
    const parsed = ERC20.parseLog(log);
    if (parsed?.name !== 'Transfer') return undefined;
    return { token: log.address, from: parsed.args.from, to: parsed.args.to, units: parsed.args.value };
  } catch {
    return undefined;
  }
}

/** Whether a log says exactly this: right token, parties and amount (USDT can take a fee of the amount). */
export function isTransfer(log: Log, wanted: Transfer): boolean {
  const found = decodeTransfer(log);
  return (
    found !== undefined &&
    found.units === wanted.units &&
    isSameAddress(found.token, wanted.token) &&
    isSameAddress(found.from, wanted.from) &&
    isSameAddress(found.to, wanted.to)
  );
}

/** At a block's number in hex, or at the latest. */
export async function readBalance(node: Node, token: Token, owner: string, block?: string): Promise<bigint> {
  return word(await view(node, token, 'balanceOf', [owner], block));
}

export async function readDecimals(rpc: Rpc, token: Token): Promise<number> {
  return Number(word(await view(rpc, token, 'decimals', [])));
}

/** The token's own opinion of an address. No clear answer is no answer. */
export async function readBlacklisted(rpc: Rpc, token: Token, account: string): Promise<boolean> {
  if (!token.blacklist) return false;
  return flag(word(await view(rpc, token, token.blacklist, [account])));
}

/** Tokens without the switch are never paused; what else stops them shows in the trial call of the transfer. */
export async function readPaused(rpc: Rpc, token: Token): Promise<boolean> {
  try {
    const answer = await view(rpc, token, 'paused', []);
    return answer !== '0x' && flag(word(answer));
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

/** Tries the transfer without sending it. USDT answers nothing, others true; false is a refusal. */
export async function isTransferable(rpc: Rpc, transfer: Transfer): Promise<boolean> {
  const { token, from, to, units } = transfer;
  try {
    const call = { from, to: token, data: encodeTransfer(to, units) };
    const answer = await rpc.call('eth_call', [call, 'latest']);
    return answer === '0x' || flag(word(answer));
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

function view(node: Node, token: Token, name: string, values: string[], block = 'latest'): Promise<unknown> {
  const data = ERC20.encodeFunctionData(name, values);
  return node.call('eth_call', [{ to: token.address, data }, block]);
}
