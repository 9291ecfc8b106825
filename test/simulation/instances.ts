import type { KMSClient } from '@aws-sdk/client-kms';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { machine } from '../../functions/adapters/aws/machine.ts';
import { queue } from '../../functions/adapters/aws/queue.ts';
import { secretLoader } from '../../functions/adapters/aws/secrets.ts';
import { vault } from '../../functions/adapters/aws/vault.ts';
import { reservedAddresses } from '../../functions/adapters/chain/chain.ts';
import { hotWallets } from '../../functions/adapters/chain/hot-wallets.ts';
import { outflows } from '../../functions/adapters/chain/outflows.ts';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { askOracle } from '../../functions/adapters/chain/sanctions-oracle.ts';
import { askIssuer } from '../../functions/adapters/chain/token-issuer.ts';
import { transferWatch } from '../../functions/adapters/chain/transfer-watch.ts';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { holdStore } from '../../functions/adapters/dynamodb/holds.ts';
import { idempotencyStore } from '../../functions/adapters/dynamodb/idempotency.ts';
import { openPurchases } from '../../functions/adapters/dynamodb/open-purchases.ts';
import { priceHistoryStore } from '../../functions/adapters/dynamodb/price-histories.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { partnerTokens } from '../../functions/adapters/partner-tokens.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { walletRisk } from '../../functions/adapters/wallet-risk.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import type { PublicJwk } from '../../functions/domain/partners/partner-token.ts';
import type { WebhookPost } from '../../functions/domain/partners/webhook-ports.ts';
import { walletRegister } from '../../operations/stores/wallet-register.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { fakeDataKeys } from '../support/fake-data-keys.ts';
import { openPorts } from '../support/ports.ts';
import type { Tables } from '../support/tables.ts';
import { type Bank, CALLBACK_URL, PSP_URL } from './bank.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import { awsClient, type openMachine, type openQueues } from './cloud-services.ts';
import type { Kernel } from './kernel.ts';
import type { NamedErrors } from './named-errors.ts';
import { chain, type Node, signersAt } from './node.ts';
import type { Partner } from './partner.ts';

export const CALLBACK_TOKEN = 'a-token-of-the-simulation';
const MACHINE_ARN = 'arn:aws:states:sa-east-1:000000000000:stateMachine:onramp';

const { psp } = defaultSettings;
const PIX_SETTINGS = {
  ...{ baseUrl: `${PSP_URL}/v2`, tokenUrl: `${PSP_URL}/oauth/token`, key: psp.chave },
  ...{ clientId: psp.clientId, clientSecret: psp.clientSecret },
  ...{ merchantName: psp.merchantName, merchantCity: psp.merchantCity },
  ...{ locationHosts: [psp.locationBase.split('/')[0]!], callbackUrl: CALLBACK_URL },
  callbackToken: CALLBACK_TOKEN,
} satisfies PixSettings;
/** What Secrets Manager keeps. */
const secretsOf = ({ urls }: Node): Record<string, string> => ({
  'look-up': 'a look-up secret of simulations',
  chain: JSON.stringify({ rpcUrls: urls }),
  pix: JSON.stringify(PIX_SETTINGS),
});

const LIMITS = perAsset(() => ({ reserve: '0', minimumGas: '0.01', largestPurchase: '1000' }));

export type Outside = {
  kernel: Kernel;
  memory: MemoryDynamoDb;
  tables: Tables;
  bank: Bank;
  node: Node;
  machine: ReturnType<typeof openMachine>;
  queues: ReturnType<typeof openQueues>;
  partner: Partner;
  errors: NamedErrors;
};
export type InstancePorts = ReturnType<typeof openInstance>;

/** What one Lambda instance keeps between its calls: real stores, providers and signer, each call of theirs an effect. */
export function openInstance(outside: Outside, dataKeys: ReturnType<typeof fakeDataKeys>) {
  const { kernel, tables, bank, node, partner } = outside;
  const clock = { now: kernel.now, minuteMs: 60_000 };
  const random = { bytes: kernel.bytes };
  const log = {
    info: () => undefined,
    error: (message: string, error: unknown) => outside.errors.judgeLog(message, kernel.scope(), error),
  };
  const secrets = secretLoader(
    awsClient<SecretsManagerClient>(kernel, 'secrets', {
      about: ({ SecretId }) => String(SecretId),
      perform: ({ input }) => ({ SecretString: secretsOf(node)[input.SecretId as string] }),
    }),
    clock,
  );
  const locked = vault({
    ...{ dataKeyId: 'data-key', lookupSecret: () => secrets.text('look-up'), random, clock },
    load: awsClient<KMSClient>(kernel, 'kms', {
      about: () => 'data key',
      perform: (command) => dataKeys.send(command as never),
    }),
  });
  const loadUrls = async () => (await secrets.json<{ rpcUrls: string[] }>('chain')).rpcUrls;
  const rpc = jsonRpc(loadUrls, { timeoutMs: 60_000, fetch: node.fetch });
  const ports = openPorts(tables);
  const { names, client } = tables;
  const signers = signersAt(kernel);
  const book = settlementBook({
    ...{ client, settlementsTable: names.settlements, transactionsTable: names.transactions },
    ...{ chainId: chain.chainId, random },
  });
  const opened = partnerTokens();
  const floats = floatStore(client, names.floats);
  const holds = holdStore(client, names, random);
  return {
    ...ports,
    clock,
    random,
    log,
    vault: locked,
    partnerTokens: {
      open: (token: string, keys: readonly PublicJwk[]) => kernel.outOfTime(opened.open(token, keys)),
    },
    idempotency: idempotencyStore(tables.client, tables.names.requests, { vault: locked, clock }),
    machine: machine(outside.machine.client, MACHINE_ARN),
    webhookQueue: queue(outside.queues.client, 'webhook'),
    callbackQueue: queue(outside.queues.client, 'callback'),
    pix: pixProvider(() => secrets.json<PixSettings>('pix'), {
      clock,
      log,
      timeoutMs: 4000,
      transport: bank.transport,
    }),
    walletRisk: walletRisk({
      listed: { findWallet: async () => ({ index: ports.sanctions.index }) },
      askOracle: (address) => askOracle(rpc, chain, address),
      askIssuer: (destination) => askIssuer(rpc, chain, destination),
      reserved: reservedAddresses(chain),
      log,
    }),
    treasury: directTreasury({ rpc, signers, chain, clock, random, log, book, findHold: holds.findHold }),
    transfers: transferWatch({
      ...{ rpc, chain, client, clock, random, log },
      tables: { settlements: names.settlements, transactions: names.transactions },
    }),
    outflows: outflows({ rpc, signers, chain, book }),
    hotWallets: hotWallets({ rpc, chain, signers, book }),
    wallets: walletRegister({ rpc, chain, signers, book, client, table: names.settlements, random }),
    floats,
    holds,
    liquidity: floats,
    floatLimits: LIMITS,
    priceHistories: priceHistoryStore(client, names.floats),
    openPurchases: openPurchases(client, names.transactions),
    webhookSender: {
      isAllowed: () => true,
      post: (_url: string, message: WebhookPost) => partner.take(message),
    },
  };
}

/** Instances by function: one serves one call at a time, and one that died in a call is never used again. */
export function openInstances(outside: Outside) {
  const dataKeys = fakeDataKeys();
  const free = new Map<string, InstancePorts[]>();
  return {
    setUp: () => openInstance(outside, dataKeys),
    async use<Output>(name: string, work: (ports: InstancePorts) => Promise<Output>): Promise<Output> {
      const waiting = free.get(name) ?? [];
      free.set(name, waiting);
      const ports = waiting.pop() ?? openInstance(outside, dataKeys);
      try {
        return await work(ports);
      } finally {
        waiting.push(ports);
      }
    },
  };
}
