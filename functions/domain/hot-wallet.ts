/** One wallet of the treasury, as the books and the chain have it. */
export type HotWallet = {
  address: string;
  /** The nonce that the books give out next. */
  next: number;
  /** Its transactions that are in the chain. */
  latest: number;
};

/** `wait`: soon. `hold`: a person must act. */
export type WalletChoice = { wallet: string; nonce: number } | { wait: string } | { hold: string };

/**
 * The wallet with the fewest payments on their way, below `maxInFlight`. Of equals the purchase's id decides, so that
 * visits of several purchases at once do not all meet at the same wallet's row.
 */
export function chooseWallet(
  wallets: readonly HotWallet[],
  { transactionId, maxInFlight }: { transactionId: string; maxInFlight: number },
): WalletChoice {
  const usable = wallets.filter((wallet) => !isUsedElsewhere(wallet));
  if (usable.length === 0) return { hold: 'wallet is used elsewhere' };
  const first = transactionId.charCodeAt(transactionId.length - 1) % wallets.length;
  const turnOf = (wallet: HotWallet) => (wallets.indexOf(wallet) - first + wallets.length) % wallets.length;
  const [best] = usable
    .filter((wallet) => inFlight(wallet) < maxInFlight)
    .sort((one, other) => inFlight(one) - inFlight(other) || turnOf(one) - turnOf(other));
  return best ? { wallet: best.address, nonce: best.next } : { wait: 'wallet is busy' };
}

/** The account is ahead of its books: its key signed for somebody else, and the next nonce could never be mined. */
export function isUsedElsewhere({ next, latest }: HotWallet): boolean {
  return next < latest;
}

function inFlight({ next, latest }: HotWallet): number {
  return next - latest;
}
