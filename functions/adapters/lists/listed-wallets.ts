import type { ListedWallets } from '../../domain/screening/wallet-ports.ts';
import type { Publication } from './publication.ts';
import type { InForce } from './published.ts';

type Published = {
  current(): Promise<
    Pick<InForce, 'source'> & { publication: Pick<Publication, 'version' | 'index' | 'wallets'> }
  >;
};

/**
 * OFAC's addresses from the publication of the lists. The index of names is not needed. The coin's name beside an
 * address is ignored, because it does not limit the address.
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
