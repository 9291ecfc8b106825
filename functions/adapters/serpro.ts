/**
 * Serpro's gateway. Each of its APIs is a contract of its own with its own credentials, behind the same OAuth: "Quick
 * start" of https://apicenter.estaleiro.serpro.gov.br/documentacao/.
 */
import type { Clock } from '../domain/ports.ts';
import { bearerClient, jsonClient, reopening, type Send } from './http.ts';

export type SerproSettings = {
  /** `https://gateway.apiserpro.serpro.gov.br`; the token's and the API's paths are appended. */
  baseUrl: string;
  consumerKey: string;
  consumerSecret: string;
};
export type SerproDeps = { clock: Clock; timeoutMs?: number };

/** Opened anew where the settings change. `provider` is the name that errors give it. */
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
