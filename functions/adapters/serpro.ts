/**
 * Serpro's gateway. Each API of Serpro has its own contract and credentials, and all use the same form of
 * OAuth. See "Quick start" of https://apicenter.estaleiro.serpro.gov.br/documentacao/.
 */
import type { Clock } from '../domain/ports.ts';
import { bearerClient, jsonClient, reopening, type Send } from './http.ts';

export type SerproSettings = {
  /**
   * The base URL, for example `https://gateway.apiserpro.serpro.gov.br`. The paths of the token and of the
   * API are appended.
   */
  baseUrl: string;
  consumerKey: string;
  consumerSecret: string;
};
export type SerproDeps = { clock: Clock; timeoutMs?: number };

/**
 * Opens a session at the first use, and a new one if the settings have changed. `provider` names the API in
 * errors.
 */
export function serproSession(
  provider: string,
  loadSettings: () => Promise<SerproSettings>,
  deps: SerproDeps,
) {
  return reopening(loadSettings, (settings) => ({
    settings,
    send: openSerproSession(provider, settings, deps),
  }));
}

function openSerproSession(
  provider: string,
  settings: SerproSettings,
  { clock, timeoutMs }: SerproDeps,
): Send {
  const { baseUrl, consumerKey, consumerSecret } = settings;
  const credentials = { tokenUrl: `${baseUrl}/token`, clientId: consumerKey, clientSecret: consumerSecret };
  return bearerClient(jsonClient({ provider, timeoutMs }), credentials, { provider, clock });
}
