import type { ListedWallets } from '../../domain/screening/wallet-ports.ts';
import type { Publication } from './publication.ts';
import type { InForce } from './published.ts';

type PublishedWallets = {
  current(): Promise<
    Pick<InForce, 'source'> & { publication: Pick<Publication, 'version' | 'index' | 'wallets'> }
  >;
};

/**
 * Looks up a wallet address among those that OFAC lists. They are in the publication itself, so the large
 * index is not opened. OFAC names a coin next to each address. The coin is ignored, because an address is the
 * same on every EVM chain.
 */
export function listedWallets({ current }: PublishedWallets): ListedWallets {
  return {
    async findWallet(address) {
      const { publication, source } = await current();
      const { version, index, wallets } = publication;
      const entryId = wallets[address.toLowerCase()];
      return { index: { version, digest: index.digest, source }, ...(entryId !== undefined && { entryId }) };
    },
  };
}
