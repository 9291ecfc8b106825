import type { KMSClient } from '@aws-sdk/client-kms';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import type { PixCallbackSettings, PixSettings } from '../../functions/adapters/pix/settings.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import type { PublicJwk } from '../../functions/domain/partners/partner-token.ts';
import type { WebhookPost } from '../../functions/domain/partners/webhook-ports.ts';
import type { Log } from '../../functions/domain/ports.ts';
import type { Holds } from '../../functions/domain/treasury/hold-ports.ts';
import type { Setting } from '../../functions/settings.ts';
import { DESK_MAKERS } from '../../operations/makers.ts';
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
import type { openRisk } from './risk/risk.ts';

export const CALLBACK_TOKEN = 'a-token-of-the-simulation';

const { psp } = defaultSettings;
const PIX_SETTINGS = {
  baseUrl: `${PSP_URL}/v2`,
  tokenUrl: `${PSP_URL}/oauth/token`,
  clientId: psp.clientId,
  clientSecret: psp.clientSecret,
  merchantName: psp.merchantName,
  merchantCity: psp.merchantCity,
  locationHosts: [psp.locationBase.split('/')[0]!],
  // A provider with this profile shows the balance of the account.
  profile: 'efi',
  callbackUrl: CALLBACK_URL,
} satisfies Omit<PixSettings, keyof PixCallbackSettings>;
const PIX_CALLBACK = { key: psp.chave, callbackToken: CALLBACK_TOKEN } satisfies PixCallbackSettings;
const SETTINGS: Partial<Record<Setting, string>> = {
  dataKeyId: 'data-key',
  lookupSecret: 'look-up',
  chainSecret: 'chain',
  pixSecret: 'pix',
  pixCallbackSecret: 'pix-callback',
  callbackUrl: CALLBACK_URL,
  stateMachineArn: 'arn:aws:states:sa-east-1:000000000000:stateMachine:onramp',
  webhookQueueUrl: 'webhook',
  callbackQueueUrl: 'callback',
};
/** The secrets in Secrets Manager. */
const secretsOf = ({ urls }: Node): Record<string, string> => ({
  'look-up': 'a look-up secret of simulations',
  chain: JSON.stringify({ rpcUrls: urls }),
  pix: JSON.stringify(PIX_SETTINGS),
  'pix-callback': JSON.stringify(PIX_CALLBACK),
});

export const LIMITS = perAsset(() => ({
  reserve: '0',
  minimumGas: '0.01',
  largestPurchase: '1000',
  // The ceiling is so low that payments wait for it in most worlds.
  hourlyPayout: '1000',
  walletCeiling: '1000000000',
}));

/** The parts that an instance makes with the service's own makers. The stores come from `openPorts`. */
const MADE = [
  'vault',
  'lookup',
  'totpSealer',
  'totpOpener',
  'webhookSealer',
  'webhookOpener',
  'destinationSealer',
  'unitsSealer',
  'idempotency',
  'machine',
  'webhookQueue',
  'callbackQueue',
  'pix',
  'pixCallback',
  'walletRisk',
  'treasury',
  'transfers',
  'outflows',
  'hotWallets',
  'wallets',
  'floats',
  'holds',
  'liquidity',
  'refundCover',
  'payerWatch',
  'priceHistories',
  'openPurchases',
] as const;

await load(DESK_MAKERS, [...MADE, 'partnerTokens']);

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
  risk: ReturnType<typeof openRisk>;
};
export type InstancePorts = ReturnType<typeof openInstance>;

/**
 * The ports that one Lambda instance keeps between its calls. Stores, providers and signers are real, and each of
 * their calls is an effect.
 */
export function openInstance(outside: Outside, dataKeys: ReturnType<typeof fakeDataKeys>) {
  const { kernel, tables, bank, node, partner, risk } = outside;
  const clock = { now: kernel.now, minuteMs: 60_000 };
  const random = { bytes: kernel.bytes };
  const judge = (message: string, error: unknown) => outside.errors.judgeLog(message, kernel.scope(), error);
  const raise: Log['raise'] = (condition, error) => {
    risk.cover.onRaise(condition, kernel.scope());
    judge(condition, error);
  };
  const log: Log = { info: () => undefined, warn: judge, raise, measure: () => undefined };
  const fixed = {
    stage: 'sandbox',
    clock,
    random,
    log,
    floatLimits: LIMITS,
    payerProofDays: 90,
    ...risk.settings,
  };
  const ports = openPorts(tables);
  const parts = assemble(DESK_MAKERS, {
    ...fixed,
    dynamo: tables.client,
    tables: tables.names,
    kms: awsClient<KMSClient>(kernel, 'kms', {
      about: () => 'data key',
      perform: (command) => dataKeys.send(command as never),
    }),
    secretsManager: awsClient<SecretsManagerClient>(kernel, 'secrets', {
      about: ({ SecretId }) => String(SecretId),
      perform: ({ input }) => ({ SecretString: secretsOf(node)[input.SecretId as string] }),
    }),
    sfn: outside.machine.client,
    sqs: outside.queues.client,
    settings: { find: (name) => SETTINGS[name], require: (name) => SETTINGS[name]! },
    callLimit: { timeoutMs: 4000 },
    nodePost: node.post,
    pixTransport: bank.transport,
    chain,
    signers: signersAt(kernel),
    // Reads without the cache, so that each visit sees a hold at once.
    findHold: (): ReturnType<Holds['findHold']> => parts.get('holds').findHold(),
    listedWallets: { findWallet: async () => ({ index: ports.sanctions.index }) },
    walletVendor: undefined,
  });
  const made = parts.pick(MADE);
  const opened = parts.get('partnerTokens');
  return {
    ...ports,
    ...made,
    ...fixed,
    partnerTokens: {
      ...opened,
      open: (token: string, keys: readonly PublicJwk[]) => kernel.outOfTime(opened.open(token, keys)),
    },
    webhookSender: {
      isAllowed: () => true,
      post: async (_url: string, message: WebhookPost) => ({ statusCode: await partner.take(message) }),
    },
  };
}

/**
 * The instances of each function. An instance serves one call at a time. An instance that died in a call is never
 * used again.
 */
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
