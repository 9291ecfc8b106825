import type { Pooled } from './head.ts';
import { isSame, NodeError } from './wire.ts';

/**
 * The most transactions that can wait for a block. More would not fit in one row of the simulators' table.
 */
const MOST_POOLED = 256;

/** The data of a signed transaction by which a node decides whether to accept it. Amounts are in wei. */
export type Offer = Pooled & { chainId: bigint; gasLimit: bigint; intrinsicGas: bigint; value: bigint };
type Account = { nonce: number; balance: bigint };
type Terms = { chainId: number; baseFee: bigint };

/**
 * Returns the waiting transactions with the new one. Throws the error that geth would answer, as a
 * `NodeError`. A transaction with a later nonce waits until the earlier nonces are used.
 */
export function withOffer(pool: readonly Pooled[], offer: Offer, account: Account, terms: Terms): Pooled[] {
  requireValid(offer, account, terms);
  if (pool.some(({ hash }) => hash === offer.hash)) throw new NodeError('already known');
  const { hash, raw, from, nonce, maxFeePerGas, maxPriorityFeePerGas } = offer;
  const entry = { hash, raw, from, nonce, maxFeePerGas, maxPriorityFeePerGas };
  const rival = pool.find((each) => isSame(each.from, from) && each.nonce === nonce);
  if (!rival) {
    if (pool.length >= MOST_POOLED) throw new NodeError('txpool is full');
    return [...pool, entry];
  }
  if (!isRaised(rival, entry)) throw new NodeError('replacement transaction underpriced');
  return pool.map((each) => (each === rival ? entry : each));
}

function requireValid(offer: Offer, { nonce, balance }: Account, { chainId, baseFee }: Terms): void {
  if (offer.chainId !== BigInt(chainId))
    throw new NodeError(`invalid chain id for signer: have ${offer.chainId} want ${chainId}`);
  if (offer.gasLimit < offer.intrinsicGas)
    throw new NodeError(`intrinsic gas too low: gas ${offer.gasLimit}, minimum needed ${offer.intrinsicGas}`);
  if (offer.nonce < nonce) throw new NodeError(`nonce too low: next nonce ${nonce}, tx nonce ${offer.nonce}`);
  const cost = offer.gasLimit * BigInt(offer.maxFeePerGas) + offer.value;
  if (cost > balance) {
    const sums = `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
    throw new NodeError(`insufficient funds for gas * price + value: ${sums}`);
  }
  if (BigInt(offer.maxFeePerGas) < baseFee)
    throw new NodeError(
      `max fee per gas less than block base fee: address ${offer.from}, ` +
        `maxFeePerGas: ${BigInt(offer.maxFeePerGas)}, baseFee: ${baseFee}`,
    );
}

const FEES = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const;

/**
 * Checks geth's rule `priceBump`. A replacement must raise each fee, to at least 110 % of the fee in the
 * transaction that it replaces.
 */
function isRaised(from: Pooled, to: Pooled): boolean {
  return FEES.every((fee) => {
    const [before, after] = [BigInt(from[fee]), BigInt(to[fee])];
    return after > before && after >= (before * 110n) / 100n;
  });
}

/** The sender's next nonce after its mined transactions and those that wait with consecutive nonces. */
export function pendingNonce(pool: readonly Pooled[], from: string, mined: number): number {
  const waiting = new Set(pool.filter((each) => isSame(each.from, from)).map(({ nonce }) => nonce));
  let next = mined;
  while (waiting.has(next)) next += 1;
  return next;
}
