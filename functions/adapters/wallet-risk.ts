import type { Asset } from '../domain/assets.ts';
import { begun } from '../domain/begun.ts';
import type { Log } from '../domain/ports.ts';
import type { ListedWallets, WalletRisk } from '../domain/screening/wallet-ports.ts';
import {
  decideWallet,
  type IssuerFinding,
  type OracleFinding,
  type WalletSource,
} from '../domain/screening/wallet-risk.ts';
import type { AddressScreening } from './chainalysis/address-screening.ts';

type Sources = {
  listed: ListedWallets;
  /** Reads the number of the newest block. The oracle and the token's issuer are asked about this block. */
  findHead: () => Promise<bigint>;
  askOracle: (asked: { address: string; head: Promise<bigint> }) => Promise<OracleFinding>;
  /**
   * Asks the contract of the token whether its issuer has blocked the address. Undefined for an asset whose
   * issuer blocks no addresses.
   */
  askIssuer: (asked: {
    asset: Asset;
    address: string;
    head: Promise<bigint>;
  }) => Promise<IssuerFinding | undefined>;
  /** The vendor that screens wallets. Absent on a stage that has none. */
  vendor?: AddressScreening;
  /**
   * The contracts of the tokens and of the sanctions oracle. A client's wallet must not have one of these
   * addresses.
   */
  reserved: readonly string[];
  log: Pick<Log, 'raise'>;
};

/**
 * Asks all sources about an address at once. If OFAC or the oracle lists the address, it is refused even if
 * another source does not answer. Otherwise, if a source does not answer, its error is thrown:
 * docs/compliance.md, "Effect of a hit".
 */
export function walletRisk(sources: Sources): WalletRisk {
  const { listed, findHead, askOracle, askIssuer, vendor, reserved, log } = sources;
  return {
    listReserved: () => reserved,
    findHead: () => begun(findHead()),
    async check(address, asset, head = begun(findHead())) {
      const errors = new Map<WalletSource, unknown>();
      const ask = <Answer>(source: WalletSource, answer: Promise<Answer>) =>
        answer.catch((error: unknown) => void errors.set(source, error));
      const [listedBy, onChain, issuer, assessed] = await Promise.all([
        ask('OFAC_LIST', listed.findWallet(address)),
        ask('SANCTIONS_ORACLE', askOracle({ address, head })),
        asset && ask('TOKEN_ISSUER', askIssuer({ asset, address, head })),
        vendor && ask('WALLET_VENDOR', vendor.assess(address)),
      ]);
      const unavailable = [...errors.keys()];
      const facts = { listed: listedBy, oracle: onChain, issuer, vendor: assessed, unavailable };
      const decision = decideWallet(facts);
      if (!decision) throw [...errors.values()][0];
      // The other sources already decide. A person must still learn that these sources do not answer.
      for (const [source, error] of errors) log.raise('WalletSourceSilent', error, { source });
      return { ...decision, facts };
    },
  };
}
