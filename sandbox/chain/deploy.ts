import { getCreateAddress, Interface, id } from 'ethers';
import { compileContracts } from './compile.ts';
import { actAsOwner, confirm, DEPLOYER, sendAsOwner } from './owner.ts';
import { rpc } from './rpc.ts';

const ORDER = ['UsdtLike', 'UsdcLike', 'SanctionsOracle'] as const;
type Name = (typeof ORDER)[number];

// An address follows from its creator and the creator's nonce, so it is known before anything is deployed.
const addressOf = (name: Name) => getCreateAddress({ from: DEPLOYER, nonce: ORDER.indexOf(name) });

export const localChain = {
  chainId: 31337,
  tokens: { USDT: addressOf('UsdtLike'), USDC: addressOf('UsdcLike') },
  sanctionsOracle: addressOf('SanctionsOracle'),
} as const;

/** The one wallet that the local oracle calls sanctioned from the start (all lower case, no key known). */
export const ORACLE_LISTED_WALLET = `0x${id('sandbox oracle wallet').slice(-40)}`;

const addresses: Record<Name, string> = {
  UsdtLike: localChain.tokens.USDT,
  UsdcLike: localChain.tokens.USDC,
  SanctionsOracle: localChain.sanctionsOracle,
};

/** Puts the three contracts where `localChain` says; harmless when they are there already. */
export async function deploy(rpcUrl: string): Promise<typeof localChain> {
  const contracts = compileContracts();
  const missing: Name[] = [];
  for (const name of ORDER) if (!(await hasCode(rpcUrl, addresses[name]))) missing.push(name);
  if (missing.length === 0) return localChain;
  await requireFreshChain(rpcUrl, ORDER.length - missing.length);

  const sent = [];
  for (const name of missing) {
    const nonce = `0x${ORDER.indexOf(name).toString(16)}`;
    sent.push(await sendAsOwner(rpcUrl, { nonce, data: contracts[name].bytecode }));
  }
  for (const hash of sent) await confirm(rpcUrl, hash);
  await asOwner(rpcUrl, 'SanctionsOracle', 'addToSanctionsList', [[ORACLE_LISTED_WALLET]]);
  return localChain;
}

/** Calls a contract as its owner: blacklist, pause, mint, list a sanctioned address … */
export async function asOwner(
  rpcUrl: string,
  name: Name,
  method: string,
  args: unknown[] = [],
): Promise<void> {
  const data = new Interface(compileContracts()[name].abi).encodeFunctionData(method, args);
  await actAsOwner(rpcUrl, { to: addresses[name], data });
}

export async function balanceOf(rpcUrl: string, asset: 'USDT' | 'USDC', owner: string): Promise<bigint> {
  const abi = new Interface(['function balanceOf(address) view returns (uint256)']);
  const call = { to: localChain.tokens[asset], data: abi.encodeFunctionData('balanceOf', [owner]) };
  return BigInt(await rpc<string>(rpcUrl, 'eth_call', [call, 'latest']));
}

type Funds = { wei?: bigint; tokenUnits?: bigint };
const ENOUGH: Required<Funds> = { wei: 10n ** 20n, tokenUnits: 10_000_000n * 10n ** 6n };

/** Gives the treasury ether and tops both tokens up to the amount; a second call changes nothing. */
export async function fund(rpcUrl: string, treasury: string, funds: Funds = {}): Promise<void> {
  const { wei, tokenUnits } = { ...ENOUGH, ...funds };
  await rpc(rpcUrl, 'anvil_setBalance', [treasury, `0x${wei.toString(16)}`]);
  const lackOf = async (asset: 'USDT' | 'USDC') => tokenUnits - (await balanceOf(rpcUrl, asset, treasury));
  const usdc = await lackOf('USDC');
  if (usdc > 0n) await asOwner(rpcUrl, 'UsdcLike', 'mint', [treasury, usdc]);
  const usdt = await lackOf('USDT');
  if (usdt <= 0n) return;
  await asOwner(rpcUrl, 'UsdtLike', 'issue', [usdt]);
  await asOwner(rpcUrl, 'UsdtLike', 'transfer', [treasury, usdt]);
}

const hasCode = async (rpcUrl: string, address: string) =>
  (await rpc<string>(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x';

async function requireFreshChain(rpcUrl: string, deployed: number): Promise<void> {
  const chainId = Number(await rpc<string>(rpcUrl, 'eth_chainId'));
  if (chainId !== localChain.chainId) throw new Error(`chain ${chainId} is not the local chain`);
  const nonce = Number(await rpc<string>(rpcUrl, 'eth_getTransactionCount', [DEPLOYER, 'pending']));
  if (nonce > deployed)
    throw new Error('the deployer has been used: the addresses would differ, restart anvil');
}
