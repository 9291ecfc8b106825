import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { handle } from 'hono/aws-lambda';
import { providers } from './app.ts';
import { type RequestStore, readOnce } from './read-once.ts';
import { dynamoStore } from './store.ts';
import { defaultSettings, type Settings, type World } from './world.ts';

/** The event that a schedule sends. It makes the simulators send the callbacks and webhooks that are due. */
type Tick = { tick: true };

type Invoke = ReturnType<typeof handle>;
let ready: { forget: () => void; invoke: Invoke; tick: () => Promise<unknown> } | undefined;

/** Accepts API Gateway's proxy events for requests, and `{"tick": true}` from a schedule. */
export async function handler(event: LambdaEvent | Tick, context?: LambdaContext) {
  ready ??= start(process.env);
  ready.forget();
  return 'tick' in event ? ready.tick() : ready.invoke(event, context);
}

function start(env: NodeJS.ProcessEnv) {
  const world = worldFrom(env);
  const app = providers(world);
  const headers = { 'x-control-key': world.settings.controlKey ?? '' };
  const tickOf = async (provider: string) =>
    (await app.request(`/control/${provider}/tick`, { method: 'POST', headers })).json();
  const tick = async () => ({ psp: await tickOf('psp'), identity: await tickOf('identity') });
  return { forget: world.store.forget, invoke: handle(app), tick };
}

function worldFrom(env: NodeJS.ProcessEnv): World & { store: RequestStore } {
  const table = env.SIMULATORS_TABLE;
  if (!table) throw new Error('SIMULATORS_TABLE is not set');
  return { store: readOnce(dynamoStore(table)), now: () => new Date(), fetch, settings: settingsFrom(env) };
}

export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const { psp, cpfRegistry, companyRegistry, identity, chainalysis } = defaultSettings;
  return {
    psp: {
      clientId: env.PSP_CLIENT_ID ?? psp.clientId,
      clientSecret: env.PSP_CLIENT_SECRET ?? psp.clientSecret,
      chave: env.PSP_CHAVE ?? psp.chave,
      ispb: psp.ispb,
      merchantName: env.PSP_MERCHANT_NAME ?? psp.merchantName,
      merchantCity: env.PSP_MERCHANT_CITY ?? psp.merchantCity,
      locationBase: env.PSP_LOCATION_BASE ?? psp.locationBase,
      refundMs: Number(env.PSP_REFUND_MS ?? psp.refundMs),
    },
    cpfRegistry: {
      consumerKey: env.CPF_REGISTRY_CONSUMER_KEY ?? cpfRegistry.consumerKey,
      consumerSecret: env.CPF_REGISTRY_CONSUMER_SECRET ?? cpfRegistry.consumerSecret,
    },
    companyRegistry,
    identity,
    chainalysis,
    identityWebhookUrl: env.IDENTITY_WEBHOOK_URL,
    blockMs: env.BLOCK_SECONDS ? Number(env.BLOCK_SECONDS) * 1000 : defaultSettings.blockMs,
    minuteMs: Number(env.MINUTE_SECONDS ?? 60) * 1000,
    patience: Number(env.PATIENCE ?? 1),
    webhookSecret: env.WEBHOOK_SECRET,
    pspCertificate: env.PSP_CERTIFICATE === undefined ? undefined : JSON.parse(env.PSP_CERTIFICATE),
    allowLoopback: env.WEBHOOKS_ALLOW_LOOPBACK === 'true',
    controlKey: env.CONTROL_KEY,
  };
}
