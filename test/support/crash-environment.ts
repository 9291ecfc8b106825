import { perAsset } from '../../functions/domain/assets.ts';
import { packBounds } from '../../functions/domain/treasury/packed-bounds.ts';
import { tableSetting, variableOf } from '../../functions/settings.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import { DATA_KEY } from './crash-cloud.ts';
import { chain } from './settlement-world.ts';
import { PRICE_BOUNDS } from './stub-market.ts';
import type { StubPsp } from './stub-psp.ts';

type Place = { url: string; key: string; confirmations: number; nodes: readonly string[] };

const FLOAT_LIMITS = perAsset(() => ({
  reserve: '0',
  minimumGas: '0.01',
  largestPurchase: '1000',
  hourlyPayout: '1000000',
  walletCeiling: '1000000000',
}));

const PROMISE_LIMITS = { clientBrl: 50_000, walletBrl: 100_000, partnerBrl: 500_000, assetBrl: 1_000_000 };

/** The environment of a function, as the template sets it. All services are behind one address. */
export function environmentOf({ url, key, confirmations, nodes }: Place): Record<string, string> {
  const tables = TABLE_LIST.map(({ name }) => [variableOf(tableSetting(name)), name]);
  return {
    ...(Object.fromEntries(tables) as Record<string, string>),
    STAGE: 'sandbox',
    MINUTE_SECONDS: '60',
    PATIENCE: '5',
    LAMBDA_TASK_ROOT: '/nowhere',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    LISTS_BUCKET: 'lists',
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'sa-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    CHAIN: JSON.stringify({ ...chain, confirmations }),
    SIGNING_KEY_IDS: key,
    DATA_KEY_ID: DATA_KEY,
    CHAIN_SECRET: `${url} ${nodes.join(' ')}`,
    PIX_SECRET: url,
    PIX_CALLBACK_SECRET: url,
    LOOKUP_SECRET: 'lookup',
    IDENTITY_SECRET: 'identity',
    CPF_REGISTRY_SECRET: 'registry',
    COMPANY_REGISTRY_SECRET: 'companies',
    LIST_EFFECTS: '{}',
    FLOAT_LIMITS: JSON.stringify(FLOAT_LIMITS),
    CHARGE_LIMITS: '{}',
    REGISTRY_QUOTA: '1000',
    PAYER_PROOF_DAYS: '90',
    PROMISE_LIMITS: JSON.stringify(PROMISE_LIMITS),
    PRICE_BOUNDS: JSON.stringify(packBounds(PRICE_BOUNDS)),
    LIST_SOURCES: '{}',
    PRICE_URLS: JSON.stringify({ BINANCE: url, MERCADO_BITCOIN: url, FOXBIT: url }),
    PTAX_URL: url,
    CALLBACK_URL: 'https://onramp.example/callbacks/pix',
    STATE_MACHINE_ARN: 'arn:aws:states:sa:0:stateMachine:m',
    CALLBACK_QUEUE_URL: `${url}/0/callbacks`,
    WEBHOOK_QUEUE_URL: `${url}/0/webhooks`,
  };
}

/**
 * Makes secrets from their names. The first word of a name is the address of the process, so that the process reaches
 * the providers through its own edge.
 */
export function secretsOf(settings: ReturnType<StubPsp['settings']>) {
  return (name: string): object => {
    const [url = '', ...nodes] = name.split(' ');
    if (nodes.length > 0) return { rpcUrls: nodes.map((each) => `${url}/${each}`) };
    return { ...settings, baseUrl: `${url}/psp/v2`, tokenUrl: `${url}/psp/oauth/token` };
  };
}
