import type { PerAsset } from '../../functions/domain/assets.ts';
import type { MoneyCase } from '../../functions/domain/books/money-case.ts';
import type { DomainEvent } from '../../functions/domain/partners/events.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { PixRecord } from '../../sandbox/providers/psp/received-pix.ts';
import type { Row } from './cloud/values.ts';
import type { Coins } from './coins.ts';
import type { Log } from './node.ts';
import type { Bought } from './shop.ts';

/** Everything that exists at the end of a simulation, from all its places. */
export type Evidence = {
  now: number;
  /** When the world was at rest, before the books were compared once more. */
  endedAt: number;
  transactions: Transaction[];
  events: DomainEvent[];
  pix: PixRecord[];
  transfers: Log[];
  /** Token units that have left the treasury, by asset. */
  unitsOut: PerAsset<bigint>;
  acceptedEvents: ReadonlySet<string>;
  /** The rows of open promises, and of their sums. */
  promises: readonly Row[];
  /** The rows of the limits: a sum, a number of open charges, or a number of look-ups. */
  usages: readonly { id: string; centavos?: unknown; charges?: unknown; calls?: unknown }[];
  /** Open and closed cases. */
  cases: readonly (Pick<MoneyCase, 'id' | 'kind' | 'status' | 'endToEndId' | 'transactionId' | 'clientId'> & {
    facts?: object;
  })[];
  coins: readonly Coins[];
  /** Centavos that each posting of the ledger moves, by the posting's id. */
  postings: ReadonlyMap<string, bigint>;
  /** The reasons that block a client from buying. */
  blocks: (clientId: string) => ReadonlySet<string>;
  scopeOf: (transactionId: string) => string;
  /** The answers to the partner's request to cancel this purchase. */
  cancelOf: (transactionId: string) => Bought['cancel'];
  /** When the provider closed this charge at our request. */
  closedAt: (txid: string) => number | undefined;
  /** True when the provider has answered a read of this charge with an outdated state. */
  wasOutdated: (txid: string) => boolean;
};
