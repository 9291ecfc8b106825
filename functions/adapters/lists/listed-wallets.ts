import type { ListedWallets } from '../../domain/screening/wallet-ports.ts';
import type { Publication } from './publication.ts';
import type { InForce } from './published.ts';

type Published = {
  current(): Promise<
    Pick<InForce, 'source'> & { publication: Pick<Publication, 'version' | 'index' | 'wallets'> }
  >;
};

/**
 * Looks up an address among those that OFAC lists. It reads only the publication, and does not open the large
 * index. It ignores the coin that OFAC names next to an address, because an address is the same on every EVM
 * chain.
 */
export function listedWallets({ current }: Published): ListedWallets {
  return {
    async findWallet(address) {
      const { publication, source } = await current();
      const { version, index, wallets } = publication;
      const entryId = wallets[address.toLowerCase()];
      return { index: { version, digest: index.digest, source }, ...(entryId !== undefined && { entryId }) };
    },
  };
}
