/**
 * The outside as it really is: the only reader of the environment, the clock and the dice. Every adapter is
 * imported when a function first needs it, so a cold start loads only its own: docs/decisions.md,
 * "The needs list".
 */
import { randomBytes } from 'node:crypto';
import type { PerAsset } from '../domain/assets.ts';
import type { Clock, Need, Needs, Ports, Random } from '../domain/ports.ts';
import type { ChargeLimits } from '../domain/purchase/charge-limits.ts';
import type { ListEffects } from '../domain/screening/lists.ts';
import type { FloatLimits } from '../domain/treasury/liquidity.ts';
import type { PriceBounds } from '../domain/treasury/price.ts';
import { awsClients } from './aws/clients.ts';
import type { Chain } from './chain/chain.ts';
import type { AddressScreeningSettings } from './chainalysis/address-screening.ts';
import type { IdentitySettings } from './identity/settings.ts';
import { listMakers } from './lists/makers.ts';
import type { ListSources } from './lists/publishers.ts';
import { cachedFor, once } from './once.ts';
import type { PixSettings } from './pix/settings.ts';
import type { SerproSettings } from './serpro.ts';

function env(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`the environment lacks ${name}`);
  return value;
}

const MS_PER_SECOND = 1000;
const clock: Clock = {
  now: () => Date.now(),
  get minuteMs() {
    return Number(env('MINUTE_SECONDS')) * MS_PER_SECOND;
  },
};
const random: Random = { bytes: (length) => randomBytes(length) };

/** docs/decisions.md, "The sandbox's patience". */
const patience = () => Number(process.env.PATIENCE ?? 1);
const { dynamo, kms, s3, secretsManager, sfn, slowS3, sqs } = awsClients(patience);

/** Of one call to a provider. */
const callLimit = () => ({ timeoutMs: 4000 * patience() });

const secrets = once(async () => (await import('./aws/secrets.ts')).secretLoader(secretsManager, clock));

/** The settings in the secret that the variable `name` points to. */
async function secret<Settings>(name: string): Promise<Settings> {
  return (await secrets()).json<Settings>(env(name));
}

const chain = () => JSON.parse(env('CHAIN')) as Chain;
const rpc = once(async () => {
  const { jsonRpc } = await import('./chain/rpc.ts');
  const loadUrls = async () => (await secret<{ rpcUrls: string[] }>('CHAIN_SECRET')).rpcUrls;
  return jsonRpc(loadUrls, { ...callLimit(), fetch });
});

/** The treasury's wallets; who only reads their addresses needs no leave to sign. */
const signers = once(async () => {
  const { kmsSigner } = await import('./chain/kms-signer.ts');
  return env('SIGNING_KEY_IDS')
    .split(',')
    .map((keyId) => kmsSigner(kms, keyId));
});

/** The treasury's books. Who only reads them has no other table. */
const settlements = once(async () => {
  const { settlementBook } = await import('./dynamodb/settlement-book.ts');
  const tables = {
    settlementsTable: env('SETTLEMENTS_TABLE'),
    transactionsTable: process.env.TRANSACTIONS_TABLE ?? '',
  };
  return settlementBook({ client: await dynamo(), ...tables, chainId: chain().chainId, random });
});

const onChain = async () => ({ rpc: await rpc(), chain: chain(), clock, random, log: await port('log') });
const ownWallets = async () => {
  const [node, keys, book] = await Promise.all([rpc(), signers(), settlements()]);
  return { rpc: node, chain: chain(), signers: keys, book };
};

const lists = listMakers({
  ...{ clock, log: () => port('log'), s3, slowS3 },
  bucket: () => env('LISTS_BUCKET'),
  codeFolder: () => env('LAMBDA_TASK_ROOT'),
  sources: () => JSON.parse(env('LIST_SOURCES')) as ListSources,
});

/** Where a deployment has one: docs/decisions.md, "Wallet risk". */
async function walletVendor() {
  if (!process.env.WALLET_SCREENING_SECRET) return undefined;
  const { addressScreening } = await import('./chainalysis/address-screening.ts');
  return addressScreening(() => secret<AddressScreeningSettings>('WALLET_SCREENING_SECRET'), callLimit());
}

const kycTables = () => ({
  ...{ kycRecords: env('KYC_RECORDS_TABLE'), evidence: env('EVIDENCE_TABLE') },
  ...{ cases: env('CASES_TABLE'), events: env('EVENTS_TABLE') },
});

const records = () => import('./dynamodb/records.ts');
const floatRows = once(async () =>
  (await import('./dynamodb/floats.ts')).floatStore(await dynamo(), env('FLOATS_TABLE')),
);

type Makers = { [Name in keyof Ports]: () => Promise<Ports[Name]> | Ports[Name] };

const makers: Makers = {
  stage: () => env('STAGE'),
  clock: () => clock,
  random: () => random,
  log: once(async () => (await import('./aws/log.ts')).log(env('STAGE'))),
  partners: once(async () =>
    (await import('./dynamodb/partners.ts')).partnerStore(await dynamo(), env('PARTNERS_TABLE'), random),
  ),
  rateLimiter: once(async () =>
    (await import('./dynamodb/rate-limiter.ts')).rateLimiter(await dynamo(), env('REQUESTS_TABLE')),
  ),
  idempotency: once(async () => {
    const { idempotencyStore } = await import('./dynamodb/idempotency.ts');
    return idempotencyStore(await dynamo(), env('REQUESTS_TABLE'), { vault: await port('vault'), clock });
  }),
  vault: once(async () => {
    const { vault } = await import('./aws/vault.ts');
    const lookupSecret = async () => (await secrets()).text(env('LOOKUP_SECRET'));
    return vault({ load: kms, dataKeyId: env('DATA_KEY_ID'), lookupSecret, random, clock });
  }),
  kycRecords: once(async () => {
    const { kycRecordStore } = await import('./dynamodb/kyc-records.ts');
    // Only the writer needs the others; a function that only reads has neither variable nor grant.
    const { EVIDENCE_TABLE: evidence = '', CASES_TABLE: cases = '' } = process.env;
    return kycRecordStore(await dynamo(), { kycRecords: env('KYC_RECORDS_TABLE'), evidence, cases }, random);
  }),
  kycReviews: once(async () =>
    (await import('./dynamodb/kyc-records.ts')).kycReviewStore(await dynamo(), kycTables(), random),
  ),
  overrulings: once(async () => {
    const { overrulingStore } = await import('./dynamodb/overrulings.ts');
    const tables = { clients: env('CLIENTS_TABLE'), kycRecords: env('KYC_RECORDS_TABLE') };
    return overrulingStore(await dynamo(), tables, random);
  }),
  rescreenings: once(async () =>
    (await import('./dynamodb/rescreenings.ts')).rescreeningStore(await dynamo(), kycTables(), random),
  ),
  staleRecords: once(async () => {
    const { staleRecordStore } = await import('./dynamodb/rescreenings.ts');
    return staleRecordStore(await dynamo(), env('KYC_RECORDS_TABLE'), random);
  }),
  partnerTokens: once(async () => (await import('./partner-tokens.ts')).partnerTokens()),
  evidence: once(async () => (await records()).evidenceStore(await dynamo(), env('EVIDENCE_TABLE'))),
  clients: once(async () =>
    (await import('./dynamodb/clients.ts')).clientStore(await dynamo(), env('CLIENTS_TABLE'), random),
  ),
  chargeLimits: () => JSON.parse(env('CHARGE_LIMITS')) as ChargeLimits,
  transactions: once(async () => {
    const { transactionStore } = await import('./dynamodb/transactions.ts');
    // Only writers need these; a function that only reads has neither variable nor grant.
    const { EVENTS_TABLE: events = '', LEDGER_TABLE: ledger = '', SETTLEMENTS_TABLE = '' } = process.env;
    const transactions = env('TRANSACTIONS_TABLE');
    const tables = { transactions, events, ledger, settlements: SETTLEMENTS_TABLE };
    return transactionStore(await dynamo(), tables, random);
  }),
  unmatchedPayments: once(async () => {
    const { unmatchedPaymentStore } = await import('./dynamodb/unmatched-payments.ts');
    const tables = {
      ...{ strays: env('STRAYS_TABLE'), transactions: env('TRANSACTIONS_TABLE') },
      ...{ events: env('EVENTS_TABLE'), ledger: env('LEDGER_TABLE') },
    };
    return unmatchedPaymentStore(await dynamo(), tables, random);
  }),
  holds: once(async () => {
    const { holdStore } = await import('./dynamodb/holds.ts');
    const paid = { settlements: env('SETTLEMENTS_TABLE'), transactions: env('TRANSACTIONS_TABLE') };
    return holdStore(await dynamo(), { ...paid, witness: env('WITNESS_TABLE') }, random);
  }),
  moneyCases: once(async () => {
    const { moneyCaseStore } = await import('./dynamodb/money-cases.ts');
    const [moneyCases, clients] = [env('MONEY_CASES_TABLE'), env('CLIENTS_TABLE')];
    const tables = { moneyCases, clients, ledger: env('LEDGER_TABLE') };
    return moneyCaseStore(await dynamo(), tables, random);
  }),
  ledger: once(async () =>
    (await import('./dynamodb/ledger.ts')).ledgerStore(await dynamo(), env('LEDGER_TABLE')),
  ),
  livenessAttempts: once(async () => {
    const { livenessAttempts } = await import('./dynamodb/liveness-attempts.ts');
    return livenessAttempts(await dynamo(), env('TRANSACTIONS_TABLE'), random);
  }),
  events: once(async () => (await records()).eventStore(await dynamo(), env('EVENTS_TABLE'))),
  deliveries: once(async () => (await records()).deliveryStore(await dynamo(), env('DELIVERIES_TABLE'))),
  callbacks: once(async () => (await records()).callbackStore(await dynamo(), env('CALLBACKS_TABLE'))),
  machine: once(async () => (await import('./aws/machine.ts')).machine(sfn, env('STATE_MACHINE_ARN'))),
  webhookQueue: once(async () => (await import('./aws/queue.ts')).queue(sqs, env('WEBHOOK_QUEUE_URL'))),
  callbackQueue: once(async () => (await import('./aws/queue.ts')).queue(sqs, env('CALLBACK_QUEUE_URL'))),
  pix: once(async () => {
    const { pixProvider } = await import('./pix/provider.ts');
    const settings = async () => ({
      ...(await secret<Omit<PixSettings, 'callbackUrl'>>('PIX_SECRET')),
      callbackUrl: env('CALLBACK_URL'),
    });
    return pixProvider(settings, { clock, log: await port('log'), ...callLimit() });
  }),
  identity: once(async () => {
    const { identityProvider } = await import('./identity/sumsub.ts');
    return identityProvider(() => secret<IdentitySettings>('IDENTITY_SECRET'), { clock, ...callLimit() });
  }),
  cpfRegistry: once(async () => {
    const { cpfRegistry } = await import('./cpf-registry/serpro.ts');
    return cpfRegistry(() => secret<SerproSettings>('CPF_REGISTRY_SECRET'), { clock, ...callLimit() });
  }),
  companyRegistry: once(async () => {
    const { companyRegistry } = await import('./company-registry/serpro.ts');
    return companyRegistry(() => secret<SerproSettings>('COMPANY_REGISTRY_SECRET'), {
      clock,
      ...callLimit(),
    });
  }),
  ...lists,
  listEffects: () => JSON.parse(env('LIST_EFFECTS')) as ListEffects,
  walletRisk: once(async () => {
    const [{ walletRisk }, { askOracle }, { askIssuer }, { reservedAddresses }, node] = await Promise.all([
      import('./wallet-risk.ts'),
      import('./chain/sanctions-oracle.ts'),
      import('./chain/token-issuer.ts'),
      import('./chain/chain.ts'),
      rpc(),
    ]);
    return walletRisk({
      listed: await port('listedWallets'),
      askOracle: (address) => askOracle(node, chain(), address),
      askIssuer: (destination) => askIssuer(node, chain(), destination),
      vendor: await walletVendor(),
      reserved: reservedAddresses(chain()),
      log: await port('log'),
    });
  }),
  prices: once(async () =>
    (await import('./price/binance.ts')).priceFeed({ baseUrl: env('PRICE_URL') }, callLimit()),
  ),
  priceHistories: once(async () => {
    const { priceHistoryStore } = await import('./dynamodb/price-histories.ts');
    return priceHistoryStore(await dynamo(), env('FLOATS_TABLE'));
  }),
  priceBounds: () => JSON.parse(env('PRICE_BOUNDS')) as PerAsset<PriceBounds>,
  treasury: once(async () => {
    const { directTreasury } = await import('./chain/treasury.ts');
    // Three reads for each payment otherwise; what a hold is for begins a minute after it.
    const findHold = cachedFor((await port('holds')).findHold, clock.minuteMs / 12, clock.now);
    return directTreasury({ ...(await onChain()), ...(await ownWallets()), findHold });
  }),
  cancellations: once(async () => {
    const { cancellations } = await import('./dynamodb/cancellations.ts');
    return cancellations(await dynamo(), env('SETTLEMENTS_TABLE'), random);
  }),
  transfers: once(async () => {
    const { transferWatch } = await import('./chain/transfer-watch.ts');
    const tables = { settlements: env('SETTLEMENTS_TABLE'), transactions: env('TRANSACTIONS_TABLE') };
    return transferWatch({ ...(await onChain()), client: await dynamo(), tables });
  }),
  outflows: once(async () => (await import('./chain/outflows.ts')).outflows(await ownWallets())),
  floats: floatRows,
  liquidity: floatRows,
  floatLimits: () => JSON.parse(env('FLOAT_LIMITS')) as PerAsset<FloatLimits>,
  openPurchases: once(async () => {
    const { openPurchases } = await import('./dynamodb/open-purchases.ts');
    return openPurchases(await dynamo(), env('TRANSACTIONS_TABLE'));
  }),
  hotWallets: once(async () => (await import('./chain/hot-wallets.ts')).hotWallets(await ownWallets())),
  webhookSender: once(async () => {
    const allowLoopback = process.env.WEBHOOKS_ALLOW_LOOPBACK === 'true';
    return (await import('./webhook-sender.ts')).webhookSender({ allowLoopback }, { clock });
  }),
};

/** One port, made on first use and kept for the life of the instance. */
async function port<Name extends keyof Ports>(name: Name): Promise<Ports[Name]> {
  return makers[name]();
}

/** The ports that a function declares; a need `x:read` gets the port, narrowed by its type and by its grant. */
export async function live<const List extends readonly Need[]>(needs: List): Promise<Needs<List>> {
  const names = [...new Set(needs.map((need) => need.replace(/:read$/, '') as keyof Ports))];
  const entries = await Promise.all(names.map(async (name) => [name, await port(name)] as const));
  return Object.fromEntries(entries) as Needs<List>;
}
