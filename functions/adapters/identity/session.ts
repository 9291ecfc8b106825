import { createHmac } from 'node:crypto';
import { type HttpAnswer, type HttpRequest, jsonClient, type SentRequest } from '../http.ts';
import type { IdentityDeps, IdentitySettings } from './settings.ts';
import { PROVIDER } from './wire.ts';

type IdentityCall = Omit<HttpRequest, 'url'> & { path: string };
export type IdentitySession = {
  settings: IdentitySettings;
  call(request: IdentityCall): Promise<HttpAnswer>;
};

export function openIdentitySession(
  settings: IdentitySettings,
  { clock, timeoutMs }: IdentityDeps,
): IdentitySession {
  const sign = (sent: SentRequest) => signatureHeaders(sent, settings, clock.now());
  const send = jsonClient({ provider: PROVIDER, timeoutMs, sign });
  return {
    settings,
    call: ({ path, ...request }) => send({ ...request, url: `${settings.baseUrl}${path}` }),
  };
}

/**
 * The headers that sign a request: the app token, the time and an HMAC. The HMAC covers the second, the
 * method, the path with its query, and the body. The provider refuses a time that differs by more than a
 * minute from its own.
 * https://docs.sumsub.com/reference/authentication
 */
export function signatureHeaders(
  { method, path, text }: SentRequest,
  { appToken, secretKey }: Pick<IdentitySettings, 'appToken' | 'secretKey'>,
  now: number,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secretKey).update(`${seconds}${method}${path}${text}`).digest('hex');
  return { 'X-App-Token': appToken, 'X-App-Access-Ts': seconds, 'X-App-Access-Sig': signature };
}
