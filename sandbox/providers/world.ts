import type { Store } from './store.ts';

/** Credentials of one of Serpro's APIs. */
export type Contract = { consumerKey: string; consumerSecret: string };

/**
 * The settings of the simulated providers. They include facts about the service, such as its Pix key.
 * `handler.ts` reads them from the environment.
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
     * The host and the path of a charge's location, without scheme and without the token at its end. The
     * whole location must fit in 77 characters.
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
   * The URL to which the simulated identity provider sends its webhooks. At the real provider an operator
   * enters it in the dashboard. Without it no webhook is sent.
   */
  identityWebhookUrl?: string;
  /**
   * The milliseconds between two blocks of the simulators' own chain. The chain keeps the value that its
   * first request found.
   */
  blockMs: number;
  /**
   * The real milliseconds that stand for one minute of the identity reviews and of the pauses between webhook
   * tries.
   */
  minuteMs: number;
  /** Multiplies the time-outs of the providers' own requests. In a local sandbox it is `PATIENCE` of `sandbox.ts`. */
  patience: number;
  /**
   * The Standard Webhooks secret for partners without a secret in the store. Without it the receiver cannot
   * verify their webhooks.
   */
  webhookSecret?: string;
  /**
   * The client certificate with which the PSP calls URLs that require mutual TLS. Only a local sandbox has
   * one.
   */
  pspCertificate?: Certificate;
  /**
   * Allows the PSP to send callbacks by plain http to this machine. It must be false on AWS, because Lambda's
   * own API listens on such an address there.
   */
  allowLoopback: boolean;
  /**
   * The key that a control call must have in the header `x-control-key`. Without it any caller may use the
   * controls. A deployed sandbox sets it, because it is on the internet.
   */
  controlKey?: string;
};

/** In PEM: a client certificate, its private key, and the certificate authority of the server. */
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
