import { type Identity, issued, newAuthority } from './cloud/certificates.ts';

export type LocalCertificates = {
  /** The server certificate of the local API that receives the PSP's callbacks. */
  server: Identity;
  /**
   * The certificate authority of the simulated PSP in PEM, as an operator uploads it for the API that
   * receives callbacks.
   */
  trustStore: string;
  /**
   * The client certificate of the simulated PSP. `ca` is the authority whose server certificates it trusts.
   */
  provider: Identity & { ca: string };
};

/**
 * The setting `edge` of a local sandbox. With it the local API that receives callbacks requires mutual TLS,
 * as in production. With this concurrency of the account, only the number of a function's instances limits
 * its queue here.
 */
export const LOCAL_EDGE = {
  accountConcurrency: 1000,
  callbackDomain: {
    name: 'callbacks.sandbox.example',
    certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/local',
    trustStore: { key: 'truststore.pem', version: 'local' },
  },
};

/** Makes the certificates of one local sandbox. */
export function localCertificates(): LocalCertificates {
  const [laptop, psp] = [newAuthority('Laptop'), newAuthority('Simulated payment provider')];
  return {
    server: issued(LOCAL_EDGE.callbackDomain.name, laptop),
    trustStore: psp.cert,
    provider: { ...issued('Callbacks of the simulated payment provider', psp), ca: laptop.cert },
  };
}
