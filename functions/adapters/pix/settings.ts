import type { Clock, Log } from '../../domain/ports.ts';
import type { Certificate, Transport } from '../http.ts';
import type { PROFILES } from './profile.ts';

/** Our contract with one payment provider; a secret as a whole. */
export type PixSettings = {
  /** With the version: `https://pix.example.com/v2`. */
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Our Pix key (chave): charges and callbacks are for this one only. */
  key: string;
  /** Shown to the payer where we have to build the BR Code ourselves. */
  merchantName: string;
  merchantCity: string;
  /** Hosts that may serve our charges to payers. A payload that points elsewhere is never shown. */
  locationHosts: string[];
  /** Where callbacks reach us, without the token. */
  callbackUrl: string;
  callbackToken: string;
  certificate?: Certificate;
  profile?: keyof typeof PROFILES;
};

export type PixDeps = { clock: Clock; log: Log; timeoutMs?: number; transport?: Transport };
