import type { Clock, Log } from '../../domain/ports.ts';
import type { Certificate, Transport } from '../http.ts';
import type { PROFILES } from './profile.ts';

/**
 * The content of a separate secret. The function that receives callbacks can read only this secret, not our contract.
 */
export type PixCallbackSettings = {
  /** Our Pix key (chave). Charges and callbacks count only for this key. */
  key: string;
  /** The last part of our callback URL. It proves that the caller knows the URL. */
  callbackToken: string;
};

/**
 * The settings of our account at one payment provider. All of them are secret, except the URL of our
 * callbacks.
 */
export type PixSettings = PixContract & {
  /** The URL of our callbacks, without the token. */
  callbackUrl: string;
};

/** The settings from both secrets of the provider. */
export type PixContract = PixCallbackSettings & {
  /** The API's URL with its version: `https://pix.example.com/v2`. */
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** The merchant's name. The payer sees it if the BR Code is built here and not by the provider. */
  merchantName: string;
  merchantCity: string;
  /** The hosts from which the payer's bank may load our charges. A payload with another host is never shown. */
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
  /** True if a charge requires `payerProof` in the settings. */
  needsPayerProof?: boolean;
};
