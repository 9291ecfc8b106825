import { getCreateAddress, Interface, id } from 'ethers';
import type { ChainToken } from '../../functions/adapters/chain/chain.ts';
import { ASSET_NAMES, ASSETS, type Asset, type PerAsset, perAsset } from '../../functions/domain/assets.ts';
import { type Contract, readContracts } from './contracts.ts';
import { actAsOwner, CHAIN_ID, confirm, DEPLOYER, sendAsOwner } from './owner.ts';
import { rpc } from './rpc.ts';
import { contractOf, TOKEN_CONTRACTS } from './tokens.ts';

/**
 * The contracts in the order of their deployment: the token of each asset, then the sanctions oracle. The
 * n-th one is deployed with the deployer's nonce n, counted from 0.
 */
const ORDER = [...ASSET_NAMES, 'SanctionsOracle'] as const;
export type Deployed = (typeof ORDER)[number];

// A contract's address follows from its creator and the creator's nonce. The addresses are therefore known
// before the deployment.
const addressOf = (name: Deployed) => getCreateAddress({ from: DEPLOYER, nonce: ORDER.indexOf(name) });

export const localChain = {
  chainId: CHAIN_ID,
  tokens: perAsset(addressOf),
  sanctionsOracle: addressOf('SanctionsOracle'),
} as const;

/** The tokens of the local chain, in the form of the setting `CHAIN`. */
export const localTokens: PerAsset<ChainToken> = perAsset((asset) => ({
  address: localChain.tokens[asset],
  blockList: TOKEN_CONTRACTS[contractOf(asset)].blockList,
}));

/**
 * The only wallet that the local sanctions oracle lists from the start, in lower case. Its private key is
 * unknown.
 */
export const ORACLE_LISTED_WALLET = `0x${id('sandbox oracle wallet').slice(-40)}`;

/**
 * Deploys the contracts that are missing at the addresses of `localChain`. Changes nothing if none is
 * missing. Otherwise it throws for a chain that is not the local one, and if the deployer has already used
 * the nonces.
 */
export async function deploy(rpcUrl: string): Promise<typeof localChain> {
  const missing: Deployed[] = [];
  for (const name of ORDER) if (!(await hasCode(rpcUrl, addressOf(name)))) missing.push(name);
  if (missing.length === 0) return localChain;
  await requireFreshChain(rpcUrl, ORDER.length - missing.length);

  const sent = [];
  for (const name of missing) {
    const nonce = `0x${ORDER.indexOf(name).toString(16)}`;
    sent.push(await sendAsOwner(rpcUrl, { nonce, data: creationOf(name) }));
  }
  for (const hash of sent) await confirm(rpcUrl, hash);
  await asOwner(rpcUrl, 'SanctionsOracle', 'addToSanctionsList', [[ORACLE_LISTED_WALLET]]);
  return localChain;
}

function creationOf(name: Deployed): string {
  const { abi, bytecode } = compiledOf(name);
  const parameters = name === 'SanctionsOracle' ? [] : [name, ASSETS[name].decimals];
  return bytecode + new Interface(abi).encodeDeploy(parameters).slice(2);
}

function compiledOf(name: Deployed): Contract {
  return readContracts()[name === 'SanctionsOracle' ? name : contractOf(name)];
}

/** Calls a contract as its owner, for example to pause it, to mint tokens or to list a sanctioned address. */
export async function asOwner(
  rpcUrl: string,
  name: Deployed,
  method: string,
  args: unknown[] = [],
): Promise<void> {
  await actAsOwner(rpcUrl, ownerCall(name, method, args));
}

/** Makes a call of a contract's method that only the contract's owner may call. */
export function ownerCall(
  name: Deployed,
  method: string,
  args: unknown[] = [],
): { to: string; data: string } {
  const data = new Interface(compiledOf(name).abi).encodeFunctionData(method, args);
  return { to: addressOf(name), data };
}

/** Makes the call that puts a wallet on the block list of the asset's token, as its issuer would. */
export function blockCall(asset: Asset, wallet: string) {
  return ownerCall(asset, TOKEN_CONTRACTS[contractOf(asset)].block, [wallet]);
}

export function unblockCall(asset: Asset, wallet: string) {
  return ownerCall(asset, TOKEN_CONTRACTS[contractOf(asset)].unblock, [wallet]);
}

/**
 * Makes the calls that give a wallet new tokens. Tether's contract issues tokens only to its owner, who then
 * transfers them to the wallet.
 */
export function mintCalls(asset: Asset, wallet: string, units: bigint) {
  if (contractOf(asset) === 'UsdcLike') return [ownerCall(asset, 'mint', [wallet, units])];
  return [ownerCall(asset, 'issue', [units]), ownerCall(asset, 'transfer', [wallet, units])];
}

/** The owner's base units of the asset at the latest block. */
export const balanceOf = (rpcUrl: string, asset: Asset, owner: string): Promise<bigint> =>
  balanceAt(rpcUrl, { asset, owner, block: 'latest' });

type At = { asset: Asset; owner: string; block: string };

export async function balanceAt(rpcUrl: string, { asset, owner, block }: At): Promise<bigint> {
  const abi = new Interface(['function balanceOf(address) view returns (uint256)']);
  const call = { to: localChain.tokens[asset], data: abi.encodeFunctionData('balanceOf', [owner]) };
  return BigInt(await rpc<string>(rpcUrl, 'eth_call', [call, block]));
}

/**
 * The wanted balances of a wallet. `tokenUnits` are base units: one number for all assets, or one number for
 * each asset.
 */
export type Funds = { wei?: bigint; tokenUnits?: bigint | PerAsset<bigint> };
const ENOUGH: Required<Funds> = {
  wei: 10n ** 20n,
  tokenUnits: perAsset((asset) => 10_000_000n * 10n ** BigInt(ASSETS[asset].decimals)),
};

/**
 * Sets the wallet's ether, and mints the tokens that each balance lacks. A balance above the wanted one stays
 * as it is.
 */
export async function fund(rpcUrl: string, wallet: string, funds: Funds = {}): Promise<void> {
  const { wei, tokenUnits } = { ...ENOUGH, ...funds };
  await rpc(rpcUrl, 'anvil_setBalance', [wallet, `0x${wei.toString(16)}`]);
  for (const asset of ASSET_NAMES) {
    const wanted = typeof tokenUnits === 'bigint' ? tokenUnits : tokenUnits[asset];
    const lack = wanted - (await balanceOf(rpcUrl, asset, wallet));
    if (lack <= 0n) continue;
    for (const call of mintCalls(asset, wallet, lack)) await actAsOwner(rpcUrl, call);
  }
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
