/** Why a wallet gives out no nonces: somebody else used one that a payment owned, or an operator wants it so. */
export type Quarantine = { reason: 'NONCE_USED_ELSEWHERE' | 'OPERATOR'; at: number; nonce?: number };

/** One wallet of the treasury, as the books and the chain have it. */
export type HotWallet = {
  address: string;
  /** The nonce that the books give out next. */
  next: number;
  quarantine?: Quarantine;
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
  const usable = wallets.filter(canPay);
  if (usable.length === 0) {
    return { hold: wallets.some(isUsedElsewhere) ? 'wallet is used elsewhere' : 'wallet is in quarantine' };
  }
  const first = transactionId.charCodeAt(transactionId.length - 1) % wallets.length;
  const turnOf = (wallet: HotWallet) => (wallets.indexOf(wallet) - first + wallets.length) % wallets.length;
  const [best] = usable
    .filter((wallet) => inFlight(wallet) < maxInFlight)
    .sort((one, other) => inFlight(one) - inFlight(other) || turnOf(one) - turnOf(other));
  return best ? { wallet: best.address, nonce: best.next } : { wait: 'wallet is busy' };
}

/** Whether it may give out nonces. */
export function canPay(wallet: HotWallet): boolean {
  return !wallet.quarantine && !isUsedElsewhere(wallet);
}

/** What an operator must look at; one that an operator has put aside needs nobody. */
export function troubleOf(wallet: HotWallet): string | undefined {
  if (wallet.quarantine?.reason === 'OPERATOR') return undefined;
  if (wallet.quarantine) return 'wallet is in quarantine';
  return isUsedElsewhere(wallet) ? 'wallet is used elsewhere' : undefined;
}

/** The account is ahead of its books: its key signed for somebody else, and the next nonce could never be mined. */
function isUsedElsewhere({ next, latest }: HotWallet): boolean {
  return next < latest;
}

function inFlight({ next, latest }: HotWallet): number {
  return next - latest;
}
