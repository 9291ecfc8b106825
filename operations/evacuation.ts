/**
 * Moves the treasury's tokens to another address, without any table or function: docs/operations.md, "A region that is
 * lost". Only nodes of the chain and replicas of the signing keys are used. A nonce is mined once, so an older payment
 * and a move at the same nonce exclude each other. No second region sells, because replicated tables lag behind.
 */
import { type Chain, reservedAddresses } from '../functions/adapters/chain/chain.ts';
import { readBalance } from '../functions/adapters/chain/erc20.ts';
import type { Signer } from '../functions/adapters/chain/kms-signer.ts';
import { buildPayment, type Fees, GAS_LIMIT, readFees } from '../functions/adapters/chain/payment.ts';
import { leastNonce, readGas, readNonce, requireChain } from '../functions/adapters/chain/preflight.ts';
import { asSilence, type Rpc } from '../functions/adapters/chain/rpc.ts';
import { findSigner, listAddresses } from '../functions/adapters/chain/signers.ts';
import { ASSET_NAMES, type Asset, loadPerAsset } from '../functions/domain/assets.ts';
import { requireWalletAddress } from '../functions/domain/purchase/wallet-address.ts';
import { refuseOrder } from './words.ts';

export type EvacuatedTreasury = { rpc: Rpc; chain: Chain; signers: readonly Signer[] };

type EvacuationOrder = {
  to: string;
  /**
   * The fee for a unit of gas, by which transactions that wait for a block are replaced. Without it their wallet moves
   * nothing.
   */
  outbidWei?: bigint;
  /** The only wallet to empty. If it is undefined, all wallets are emptied. */
  only?: string;
};

/** The transfer of all units of one asset out of one wallet. */
export type WalletMove = { signer: Signer; wallet: string; nonce: number; asset: Asset; units: bigint };

export type Evacuation = Pick<EvacuationOrder, 'to'> & {
  moves: WalletMove[];
  fees: Fees;
  /** Why a wallet moves nothing now, though it may have tokens: a sentence for each such wallet. */
  troubles: string[];
};

/** Plans the transfers. Refuses an `only` that is no wallet of the treasury. */
export async function planEvacuation(
  treasury: EvacuatedTreasury,
  { to, outbidWei, only }: EvacuationOrder,
): Promise<Evacuation> {
  const { rpc, chain } = treasury;
  await requireChain(rpc, chain);
  requireWalletAddress(to, [...reservedAddresses(chain), ...(await listAddresses(treasury.signers))]);
  const signers = only === undefined ? treasury.signers : [await signerOf(only, treasury)];
  const fees = feesFor(await readFees(rpc, chain), outbidWei);
  const isOutbid = outbidWei !== undefined;
  const found = await Promise.all(
    signers.map((signer) => lookAtWallet(signer, { treasury, isOutbid, fees })),
  );
  return {
    to,
    fees,
    moves: found.flatMap(({ moves = [] }) => moves),
    troubles: found.flatMap(({ trouble = [] }) => trouble),
  };
}

async function signerOf(wallet: string, { signers }: EvacuatedTreasury): Promise<Signer> {
  return (await findSigner(signers, wallet)) ?? refuseOrder(`${wallet} is no wallet of the treasury.`);
}

/** Nodes replace a transaction only if both of its fees rise. */
const feesFor = (fees: Fees, outbidWei: bigint | undefined): Fees =>
  outbidWei === undefined ? fees : { ...fees, maxFeePerGas: outbidWei, maxPriorityFeePerGas: outbidWei };

type WalletLook = { moves?: WalletMove[]; trouble?: string };
type EvacuationAsked = { treasury: EvacuatedTreasury; fees: Fees; isOutbid: boolean };

async function lookAtWallet(
  signer: Signer,
  { treasury, fees, isOutbid }: EvacuationAsked,
): Promise<WalletLook> {
  const { rpc, chain } = treasury;
  const wallet = await signer.address().catch(asSilence);
  if (wallet === undefined) return { trouble: 'A key does not answer in this region.' };
  // A transaction that waits may be a client's payment. Its nonce is left to it, and so are its tokens.
  const nonce = await leastNonce(rpc, chain, wallet);
  const waiting = (await mostPending(rpc, wallet)) - nonce;
  if (waiting > 0 && !isOutbid)
    return { trouble: `${wallet} has transactions that wait for a block: ${waiting}. Run it again later.` };
  const moves = await walletMoves(signer, { treasury, wallet, nonce });
  const cost = BigInt(moves.length) * GAS_LIMIT * fees.maxFeePerGas;
  const isShort = moves.length > 0 && (await readGas(rpc, wallet)) < cost;
  return isShort ? { trouble: `${wallet} lacks gas for ${moves.length} transfers: send it gas.` } : { moves };
}

type From = { treasury: EvacuatedTreasury; wallet: string; nonce: number };

async function walletMoves(signer: Signer, { treasury, wallet, nonce }: From): Promise<WalletMove[]> {
  const { rpc, chain } = treasury;
  const units = await loadPerAsset((asset) => readBalance(rpc, chain.tokens[asset], wallet));
  return ASSET_NAMES.filter((asset) => units[asset] > 0n).map((asset, index) => ({
    signer,
    wallet,
    nonce: nonce + index,
    asset,
    units: units[asset],
  }));
}

/** The highest count that any node reports with the transactions that wait for a block. */
async function mostPending(rpc: Rpc, wallet: string): Promise<number> {
  const nodes = await rpc.nodes();
  const counts = await Promise.all(nodes.map((node) => readNonce(node, wallet, 'pending').catch(asSilence)));
  return Math.max(0, ...counts.filter((count) => count !== undefined));
}

export type SentMove = { move: WalletMove; hash: string; said: string };

/** Signs and sends each move, in the order of the nonces. `said` is a node's answer, which proves nothing. */
export async function sendMoves(
  { moves, to, fees }: Evacuation,
  { rpc, chain }: EvacuatedTreasury,
): Promise<SentMove[]> {
  const sent: SentMove[] = [];
  for (const move of moves) {
    const { raw, hash } = await move.signer.sign(buildPayment({ ...move, to }, chain, fees));
    sent.push({ move, hash, said: await rpc.broadcast(raw) });
  }
  return sent;
}

/** Tells how the transaction ended in its block. Undefined while it waits for one. */
export async function endOfMove({ hash }: SentMove, rpc: Rpc): Promise<'moved' | 'reverted' | undefined> {
  const receipt = await rpc.call('eth_getTransactionReceipt', [hash]).catch(asSilence);
  if (typeof receipt !== 'object' || receipt === null) return undefined;
  return (receipt as { status?: unknown }).status === '0x1' ? 'moved' : 'reverted';
}
