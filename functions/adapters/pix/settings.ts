import type { Clock, Log, Lookup } from '../../domain/ports.ts';
import type { Certificate, Transport } from '../http.ts';
import type { PROFILES } from './profile.ts';

/**
 * The content of the secret for callbacks. The function that receives callbacks can read only this secret,
 * and not the credentials of our account.
 */
export type PixCallbackSettings = {
  /** Our Pix key (chave). Charges and callbacks for another key are refused or ignored. */
  key: string;
  /** A secret at the end of our callback URL. Only the provider is told the URL, so another caller is refused. */
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

/** The settings of our account that the two secrets contain. */
export type PixContract = PixCallbackSettings & {
  /** The API's URL with its version: `https://pix.example.com/v2`. */
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** The merchant's name. The payer sees it if this service builds the BR Code and the provider does not. */
  merchantName: string;
  merchantCity: string;
  /** The hosts from which the payer's bank may load our charges. A payload with another host is never shown. */
  locationHosts: string[];
  certificate?: Certificate;
  profile?: keyof typeof PROFILES;
  /**
   * True once a person compares the account's balance with the open refunds by hand. Only a provider whose profile has
   * no call for the balance needs it.
   */
  acceptsUnwatchedBalance?: boolean;
  /** The text that `npm run ops -- psp verify` has printed for this account. */
  payerProof?: string;
};

export type PixDeps = {
  clock: Clock;
  log: Log;
  timeoutMs?: number;
  transport?: Transport;
  /**
   * Looks up keyed hashes, to check `payerProof` in the settings before each charge. Absent where a charge needs no
   * proof.
   */
  proofs?: Lookup;
};
