/**
 * Makes the ports of the treasury: chain, signing wallets, settlements, holds, liquidity, prices, ledger and money
 * cases.
 */

import type { PerAsset } from '../../domain/assets.ts';
import type { FloatLimits } from '../../domain/treasury/liquidity.ts';
import type { Chain } from '../chain/chain.ts';
import { cachedFor } from '../once.ts';
import type { PriceUrls } from '../price/exchanges.ts';
import { fromJson, part, store } from './parts.ts';

/**
 * While all money is held, no payment takes a nonce and nothing goes back: `domain/treasury/hold.ts`. Each process that
 * pays reads the hold at most this many times a minute, so it may see a new hold some seconds late. The replay of lost
 * transfers therefore runs only if the hold is at least a minute old.
 */
const HOLDS_A_MINUTE = 12;

const floats = store(async () => {
  const { floatStore } = await import('../dynamodb/floats.ts');
  return ({ dynamo, tables, random }) => floatStore(dynamo, tables, random);
});

const moneyCases = store(async () => {
  const { moneyCaseStore } = await import('../dynamodb/money-cases.ts');
  return ({ dynamo, tables, random }) => moneyCaseStore(dynamo, tables, random);
});

export const TREASURY_MAKERS = {
  chain: fromJson<Chain>('chain'),
  nodePost: part([], async () => {
    const { postJson } = await import('../chain/post.ts');
    return () => postJson;
  }),
  rpc: part(['secret', 'nodePost', 'callLimit'], async () => {
    const { jsonRpc } = await import('../chain/rpc.ts');
    return ({ secret, nodePost: post, callLimit }) => {
      const loadUrls = async () => (await secret<{ rpcUrls: string[] }>('chainSecret')).rpcUrls;
      return jsonRpc(loadUrls, { ...callLimit, post });
    };
  }),
  /**
   * The signers of the hot wallets, which use keys in KMS. A function that needs only the wallets' addresses
   * has no permission to sign.
   */
  signers: part(['kms', 'settings'], async () => {
    const { kmsSigner } = await import('../chain/kms-signer.ts');
    return ({ kms, settings }) =>
      settings
        .require('signingKeyIds')
        .split(',')
        .map((keyId) => kmsSigner(kms, keyId));
  }),
  settlementBook: part(['dynamo', 'tables', 'chain', 'random'], async () => {
    const { settlementBook } = await import('../dynamodb/settlement-book.ts');
    return ({ dynamo: client, tables, chain: { chainId }, random }) =>
      settlementBook({
        client,
        settlementsTable: tables.settlements,
        // These are getters, because a function that only reads settlements does not have the settings with
        // the names of these tables.
        get transactionsTable() {
          return tables.transactions;
        },
        get ledgerTable() {
          return tables.ledger;
        },
        chainId,
        random,
      });
  }),
  holds: store(async () => {
    const { holdStore } = await import('../dynamodb/holds.ts');
    return ({ dynamo, tables, random }) => holdStore(dynamo, tables, random);
  }),
  /**
   * Whether all money is held (`domain/treasury/hold.ts`), with a cache of some seconds. Without the cache each payment
   * would read three more rows.
   */
  findHold: part(
    ['holds', 'clock'],
    async () =>
      ({ holds, clock }) =>
        cachedFor(holds.findHold, clock.minuteMs / HOLDS_A_MINUTE, clock.now),
  ),
  payoutSeals: part(['destinationCipher', 'unitsCipher', 'chain'], async () => {
    const { payoutSeals } = await import('../chain/payout-seals.ts');
    return ({ destinationCipher: destinationOpener, unitsCipher: unitsOpener, chain }) =>
      payoutSeals({ destinationOpener, unitsOpener, chain });
  }),
  treasury: part(
    [
      ...(['rpc', 'chain', 'signers', 'settlementBook', 'payoutSeals'] as const),
      ...(['floatLimits', 'findHold', 'clock', 'random', 'log'] as const),
    ],
    async () => {
      const { directTreasury } = await import('../chain/treasury.ts');
      return ({ settlementBook: book, payoutSeals: seals, ...parts }) =>
        directTreasury({ ...parts, book, seals });
    },
  ),
  outflows: part(['rpc', 'chain', 'signers', 'settlementBook'], async () => {
    const { outflows } = await import('../chain/outflows.ts');
    return ({ settlementBook: book, ...parts }) => outflows({ ...parts, book });
  }),
  hotWallets: part(['rpc', 'chain', 'signers', 'settlementBook'], async () => {
    const { hotWallets } = await import('../chain/hot-wallets.ts');
    return ({ settlementBook: book, ...parts }) => hotWallets({ ...parts, book });
  }),
  transfers: part(['rpc', 'chain', 'dynamo', 'tables', 'clock', 'random', 'log'], async () => {
    const { transferWatch } = await import('../chain/transfer-watch.ts');
    return ({ dynamo: client, ...parts }) => transferWatch({ ...parts, client });
  }),
  cancellations: store(async () => {
    const { cancellations } = await import('../dynamodb/cancellations.ts');
    return ({ dynamo, tables, random }) => cancellations(dynamo, tables.settlements, random);
  }),
  floats,
  liquidity: floats,
  refundCover: floats,
  payerWatch: floats,
  payerProofDays: fromJson<number>('payerProofDays'),
  floatLimits: fromJson<PerAsset<FloatLimits>>('floatLimits'),
  prices: part(['settings', 'callLimit', 'clock', 'log'], async () => {
    const { exchanges } = await import('../price/exchanges.ts');
    return ({ settings, callLimit, clock, log }) =>
      exchanges(JSON.parse(settings.require('priceUrls')) as PriceUrls, { ...callLimit, clock, log });
  }),
  ptax: part(['settings', 'callLimit', 'clock'], async () => {
    const { ptaxFeed } = await import('../price/ptax.ts');
    return ({ settings, callLimit, clock }) => ptaxFeed(settings.require('ptaxUrl'), { ...callLimit, clock });
  }),
  priceHistories: store(async () => {
    const { priceHistoryStore } = await import('../dynamodb/price-histories.ts');
    return ({ dynamo, tables }) => priceHistoryStore(dynamo, tables.floats);
  }),
  priceBounds: part(['settings'], async () => {
    const { unpackBounds } = await import('../../domain/treasury/packed-bounds.ts');
    return ({ settings }) => unpackBounds(JSON.parse(settings.require('priceBounds')));
  }),
  ledger: store(async () => {
    const { ledgerStore } = await import('../dynamodb/ledger.ts');
    return ({ dynamo, tables }) => ledgerStore(dynamo, tables.ledger);
  }),
  partnerLedger: store(async () => {
    const { partnerLedger } = await import('../dynamodb/partner-ledger.ts');
    return ({ dynamo, tables }) => partnerLedger(dynamo, tables.ledger);
  }),
  archiveRegister: store(async () => {
    const { archiveRegister } = await import('../dynamodb/archive.ts');
    return ({ dynamo, tables }) => archiveRegister(dynamo, tables.archive);
  }),
  evidenceLists: store(async () => {
    const { evidenceLists } = await import('../dynamodb/evidence-lists.ts');
    return ({ dynamo, tables }) => evidenceLists(dynamo, tables.evidence);
  }),
  actLists: store(async () => {
    const { actLists } = await import('../dynamodb/acts.ts');
    return ({ dynamo, tables }) => actLists(dynamo, tables.acts);
  }),
  unarchived: store(async () => {
    const { unarchivedPurchases } = await import('../dynamodb/archive.ts');
    return ({ dynamo, tables, random }) => unarchivedPurchases(dynamo, tables.transactions, random);
  }),
  daySums: store(async () => {
    const { daySumStore } = await import('../dynamodb/day-sums.ts');
    return ({ dynamo, tables }) => daySumStore(dynamo, tables);
  }),
  coinBooks: store(async () => {
    const { coinBookStore } = await import('../dynamodb/coin-books.ts');
    return ({ dynamo, tables, random }) => coinBookStore(dynamo, tables, random);
  }),
  moneyCases,
  openCases: moneyCases,
};
