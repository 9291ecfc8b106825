/** Makes the ports of purchases, of their Pix payments, and of the screening of wallets. */
import { type LimitChanges, limitsFrom } from '../../domain/purchase/charge-limits.ts';
import type { PromiseLimits } from '../../domain/purchase/open-promise.ts';
import type { Explorer } from '../../domain/purchase/receipt.ts';
import type { AddressScreeningSettings } from '../chainalysis/address-screening.ts';
import type { PixCallbackSettings, PixContract } from '../pix/settings.ts';
import { fromJson, part, store } from './parts.ts';

const PIX_PARTS = ['pixContract', 'settings', 'clock', 'log', 'callLimit', 'pixTransport'] as const;

const quotes = store(async () => {
  const { quoteStore } = await import('../dynamodb/quotes.ts');
  return ({ dynamo: client, tables: { promises: table }, random }) => quoteStore({ client, table, random });
});

const charges = store(async () => {
  const { chargeStore } = await import('../dynamodb/charges.ts');
  return ({ dynamo, tables, random }) => chargeStore(dynamo, tables, random);
});

const promises = store(async () => {
  const { promiseStore } = await import('../dynamodb/promises.ts');
  return ({ dynamo: client, tables: { promises: table }, random }) => promiseStore({ client, table, random });
});

const transactions = part(['dynamo', 'tables', 'random', 'log'], async () => {
  const [{ transactionStore }, { countedTransactions }] = await Promise.all([
    import('../dynamodb/transactions.ts'),
    import('../counted-transactions.ts'),
  ]);
  return ({ dynamo, tables, random, log }) =>
    countedTransactions(transactionStore(dynamo, tables, random), log);
});

const unmatchedPayments = store(async () => {
  const { unmatchedPaymentStore } = await import('../dynamodb/unmatched-payments.ts');
  return ({ dynamo, tables, random }) => unmatchedPaymentStore(dynamo, tables, random);
});

export const PURCHASE_MAKERS = {
  quotes,
  quoteOffers: quotes,
  charges,
  promises,
  openPromises: promises,
  promiseLimits: fromJson<PromiseLimits>('promiseLimits'),
  chargeLimits: part(
    ['settings'],
    async () =>
      ({ settings }) =>
        limitsFrom(JSON.parse(settings.require('chargeLimits')) as LimitChanges),
  ),
  explorer: fromJson<Explorer>('explorer'),
  apiUrl: part(
    ['settings'],
    async () =>
      ({ settings }) =>
        settings.require('apiUrl'),
  ),
  transactions,
  newPurchases: transactions,
  purchaseWaits: transactions,
  duePurchases: transactions,
  destinationSealer: part(['destinationCipher', 'chain'], async () => {
    const { destinationSealer } = await import('../chain/payout-seals.ts');
    return ({ destinationCipher, chain }) => destinationSealer(destinationCipher, chain);
  }),
  unitsSealer: part(['unitsCipher'], async () => {
    const { unitsSealer } = await import('../chain/payout-seals.ts');
    return ({ unitsCipher }) => unitsSealer(unitsCipher);
  }),
  usages: store(async () => {
    const { usageStore } = await import('../dynamodb/usages.ts');
    return ({ dynamo, tables, random }) => usageStore(dynamo, tables, random);
  }),
  livenessAttempts: store(async () => {
    const { livenessAttempts } = await import('../dynamodb/liveness-attempts.ts');
    return ({ dynamo, tables, random }) => livenessAttempts(dynamo, tables.transactions, random);
  }),
  openPurchases: store(async () => {
    const { openPurchases } = await import('../dynamodb/open-purchases.ts');
    return ({ dynamo, tables }) => openPurchases(dynamo, tables.transactions);
  }),
  callbacks: store(async () => {
    const { callbackStore } = await import('../dynamodb/records.ts');
    return ({ dynamo, tables }) => callbackStore(dynamo, tables.callbacks);
  }),
  pixContract: part(
    ['secret'],
    async () =>
      ({ secret }) =>
      async (): Promise<PixContract> => ({
        ...(await secret<Omit<PixContract, keyof PixCallbackSettings>>('pixSecret')),
        ...(await secret<PixCallbackSettings>('pixCallbackSecret')),
      }),
  ),
  pix: part([...PIX_PARTS, 'lookup', 'stage'], async () => {
    const { pixProvider } = await import('../pix/provider.ts');
    return ({ pixContract, settings, clock, log, callLimit, pixTransport: transport, lookup, stage }) => {
      const load = async () => ({ ...(await pixContract()), callbackUrl: settings.require('callbackUrl') });
      const proofs = stage === 'production' ? lookup : undefined;
      return pixProvider(load, { clock, log, ...callLimit, transport, proofs });
    };
  }),
  pixCallback: part(['secret'], async () => {
    const { pixCallback } = await import('../pix/callback.ts');
    return ({ secret }) => pixCallback(() => secret<PixCallbackSettings>('pixCallbackSecret'));
  }),
  unmatchedPayments,
  dueReturns: unmatchedPayments,
  purchaseLists: store(async () => {
    const { purchaseLists } = await import('../dynamodb/purchase-lists.ts');
    return ({ dynamo, tables }) => purchaseLists(dynamo, tables.transactions);
  }),
  unmatchedLists: store(async () => {
    const { unmatchedLists } = await import('../dynamodb/unmatched-lists.ts');
    return ({ dynamo, tables }) => unmatchedLists(dynamo, tables.unmatchedPayments);
  }),
  walletVendor: part(['settings', 'secret', 'callLimit'], async () => {
    const { addressScreening } = await import('../chainalysis/address-screening.ts');
    return ({ settings, secret, callLimit }) =>
      settings.find('walletScreeningSecret') === undefined
        ? undefined
        : addressScreening(() => secret<AddressScreeningSettings>('walletScreeningSecret'), callLimit);
  }),
  walletRisk: part(['listedWallets', 'rpc', 'chain', 'walletVendor', 'log'], async () => {
    const [{ walletRisk }, { askOracle }, { askIssuer }, { reservedAddresses }, { readHead }] =
      await Promise.all([
        import('../wallet-risk.ts'),
        import('../chain/sanctions-oracle.ts'),
        import('../chain/token-issuer.ts'),
        import('../chain/chain.ts'),
        import('../chain/rpc.ts'),
      ]);
    return ({ listedWallets: listed, rpc, chain, walletVendor: vendor, log }) =>
      walletRisk({
        listed,
        findHead: () => readHead(rpc),
        askOracle: (asked) => askOracle(rpc, chain, asked),
        askIssuer: (asked) => askIssuer(rpc, chain, asked),
        vendor,
        reserved: reservedAddresses(chain),
        log,
      });
  }),
};
