import type { Store } from './store.ts';

/** Credentials of one of Serpro's APIs. */
export type Contract = { consumerKey: string; consumerSecret: string };

/**
 * The settings of the simulated providers, including facts about our service. `handler.ts` reads them from the
 * environment.
 */
export type Settings = {
  psp: {
    clientId: string;
    clientSecret: string;
    /** The service's only Pix key at this PSP. */
    chave: string;
    ispb: string;
    merchantName: string;
    merchantCity: string;
    /**
     * Host and path of a charge's location, before its token and without scheme. The whole location must fit
     * in 77 characters.
     */
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
  /**
   * The URL to which the identity provider sends webhooks. At the real provider an operator enters it in the
   * dashboard. Without this URL the simulator sends no webhook.
   */
  identityWebhookUrl?: string;
  /** The time between two blocks of the simulators' own chain. The chain keeps the value of its first request. */
  blockMs: number;
  /** The real length of one minute of the identity reviews. */
  minuteMs: number;
  /** Multiplies the providers' time-outs: docs/decisions.md, "The sandbox's patience". */
  patience: number;
  /**
   * The Standard Webhooks secret for partners whose secret is not in the store. Without it the receiver cannot verify
   * their webhooks.
   */
  webhookSecret?: string;
  /** The certificate that the payment provider presents to addresses with mutual TLS. Only a local sandbox has one. */
  pspCertificate?: Certificate;
  /**
   * Allows callbacks of the PSP to plain-http URLs on loopback addresses. It must be false on AWS, because Lambda's own
   * API listens on loopback there.
   */
  allowLoopback: boolean;
  /**
   * The key that control calls must carry in `x-control-key`. Absent: none is needed. A deployed sandbox sets it,
   * because it is on the internet.
   */
  controlKey?: string;
};

/** PEM: a client's certificate with its key, and the authority of the server. */
export type Certificate = { cert: string; key: string; ca: string };

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
  blockMs: 2_000,
  minuteMs: 60_000,
  allowLoopback: false,
  patience: 1,
};
