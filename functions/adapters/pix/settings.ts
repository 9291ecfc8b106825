import type { Clock, Log } from '../../domain/ports.ts';
import type { Certificate, Transport } from '../http.ts';
import type { PROFILES } from './profile.ts';

/** A secret of its own: the function that receives callbacks reads nothing else of our contract. */
export type PixCallbackSettings = {
  /** Our Pix key (chave). Charges and callbacks are for this key only. */
  key: string;
  /** The last part of the address of our callbacks. */
  callbackToken: string;
};

/** Our contract with one payment provider. All of it is a secret, besides the address of our callbacks. */
export type PixSettings = PixContract & {
  /** The address of our callbacks, without the token. */
  callbackUrl: string;
};

/** The settings of both secrets of the provider. */
export type PixContract = PixCallbackSettings & {
  /** With the version: `https://pix.example.com/v2`. */
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** The payer sees it if we have to build the BR Code ourselves. */
  merchantName: string;
  merchantCity: string;
  /** Hosts that may serve our charges to payers. A payload with another host is never shown. */
  locationHosts: string[];
  certificate?: Certificate;
  profile?: keyof typeof PROFILES;
  /** The id of the evidence that `npm run ops -- psp verify` has printed for this account. */
  payerProof?: string;
};

export type PixDeps = {
  clock: Clock;
  log: Log;
  timeoutMs?: number;
  transport?: Transport;
  /** Whether a charge needs the proof that the provider knows a stranger. */
  needsPayerProof?: boolean;
};
