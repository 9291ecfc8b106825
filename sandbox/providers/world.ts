import type { Store } from './store.ts';

/** Credentials of one of Serpro's APIs. */
export type Contract = { consumerKey: string; consumerSecret: string };

/** What the simulated providers know of us and of themselves; `handler.ts` reads it from the environment. */
export type Settings = {
  psp: {
    clientId: string;
    clientSecret: string;
    /** The one Pix key that belongs to us at this PSP. */
    chave: string;
    ispb: string;
    merchantName: string;
    merchantCity: string;
    /** Host and path before the token, without scheme; the whole location stays within 77 characters. */
    locationBase: string;
    /** How long a refund stays EM_PROCESSAMENTO. */
    refundMs: number;
  };
  cpfRegistry: Contract;
  companyRegistry: Contract;
  identity: {
    appToken: string;
    secretKey: string;
    webhookSecret: string;
    levels: { identity: string; liveness: string };
  };
  chainalysis: { token: string };
  /** Where the identity provider sends its webhooks; real ones are told so in their dashboard. */
  identityWebhookUrl?: string;
  /** What a minute of the reviews lasts. */
  minuteMs: number;
  /** How many times as long as usual a provider waits for an answer: docs/decisions.md, "The sandbox's patience". */
  patience: number;
  /** Standard Webhooks secret of every partner that has none in the store. */
  webhookSecret?: string;
  /** Lets callbacks go to this machine: on AWS Lambda's own API is there. */
  allowLoopback: boolean;
  /** When set, control calls must carry it in `x-control-key`: a deployed sandbox is on the internet. */
  controlKey?: string;
};

export type World = { store: Store; now: () => Date; fetch: typeof fetch; settings: Settings };

export const defaultSettings: Settings = {
  psp: {
    clientId: 'sandbox-psp-client',
    clientSecret: 'sandbox-psp-secret',
    chave: '5f84a4c5-c5cb-4599-9f13-7eb4d419dacc',
    ispb: '99999004',
    merchantName: 'ONRAMP SANDBOX',
    merchantCity: 'SAO PAULO',
    locationBase: 'pix.sandbox.example/qr/v2',
    refundMs: 1_500,
  },
  cpfRegistry: { consumerKey: 'sandbox-registry-key', consumerSecret: 'sandbox-registry-secret' },
  companyRegistry: { consumerKey: 'sandbox-companies-key', consumerSecret: 'sandbox-companies-secret' },
  identity: {
    appToken: 'sbx:sandbox-identity-token',
    secretKey: 'sandbox-identity-secret',
    webhookSecret: 'sandbox-identity-webhook-secret',
    levels: { identity: 'onramp-identity', liveness: 'onramp-liveness' },
  },
  chainalysis: { token: 'sandbox-wallet-screening-token' },
  minuteMs: 60_000,
  allowLoopback: false,
  patience: 1,
};
