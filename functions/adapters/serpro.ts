/**
 * Serpro's gateway. Each of its APIs has its own contract and credentials, but all use the same OAuth. See "Quick
 * start" of https://apicenter.estaleiro.serpro.gov.br/documentacao/.
 */
import type { Clock } from '../domain/ports.ts';
import { bearerClient, jsonClient, reopening, type Send } from './http.ts';

export type SerproSettings = {
  /** For example `https://gateway.apiserpro.serpro.gov.br`. The paths of the token and of the API are appended. */
  baseUrl: string;
  consumerKey: string;
  consumerSecret: string;
};
export type SerproDeps = { clock: Clock; timeoutMs?: number };

/** Opens a session, and opens a new one if the settings change. `provider` is the name in errors. */
export function serproSession(
  provider: string,
  loadSettings: () => Promise<SerproSettings>,
  deps: SerproDeps,
) {
  return reopening(loadSettings, (settings) => ({ settings, send: openSession(provider, settings, deps) }));
}

function openSession(provider: string, settings: SerproSettings, { clock, timeoutMs }: SerproDeps): Send {
  const { baseUrl, consumerKey, consumerSecret } = settings;
  const credentials = { tokenUrl: `${baseUrl}/token`, clientId: consumerKey, clientSecret: consumerSecret };
  return bearerClient(jsonClient({ provider, timeoutMs }), credentials, { provider, clock });
}
