import { type Identity, issued, newAuthority } from './cloud/certificates.ts';

export type LocalCertificates = {
  /** The server certificate of the local API of callbacks. */
  server: Identity;
  /** The certificate authority of the simulated payment provider, in the form that an operator uploads. */
  trustStore: string;
  /** The certificate that the simulated payment provider presents, and the authority whose servers it trusts. */
  provider: Identity & { ca: string };
};

/** The setting `edge` of a local sandbox. It gives the local callbacks mutual TLS, like production's. */
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
