import type { ListedWallets } from '../../domain/screening/wallet-ports.ts';
import type { Publication } from './publication.ts';
import type { InForce } from './published.ts';

type Published = {
  current(): Promise<
    Pick<InForce, 'source'> & { publication: Pick<Publication, 'version' | 'index' | 'wallets'> }
  >;
};

/**
 * OFAC's addresses, as the publication of the lists names them: the index of names is not needed. A coin's name beside an
 * address says where it was seen, not where it is valid, so it counts for nothing.
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
