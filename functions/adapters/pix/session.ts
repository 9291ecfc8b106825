import { Unavailable } from '../../domain/errors.ts';
import { bearerClient, type HttpRequest, jsonClient } from '../http.ts';
import { PROFILES, type Profile } from './profile.ts';
import type { PixDeps, PixSettings } from './settings.ts';
import { malformedPix, PROVIDER, pixFields, pixText } from './wire.ts';

type PixCall = Omit<HttpRequest, 'url'> & { path: string; query?: Record<string, string> };
export type PixAnswer = { status: number; body: unknown };
export type PixSession = PixDeps & {
  settings: PixSettings;
  profile: Profile;
  call(request: PixCall): Promise<PixAnswer>;
};

/** The OAuth scopes that every profile needs. */
const SCOPES = ['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write', 'webhook.read'];

export function openPixSession(settings: PixSettings, deps: PixDeps): PixSession {
  const profile: Profile = PROFILES[settings.profile ?? 'bacen'];
  const own = [profile.balance?.scope, profile.payer.setting?.scope].filter((scope) => scope !== undefined);
  const scopes = [...SCOPES, ...own];
  const { baseUrl, certificate, tokenUrl, clientId, clientSecret } = settings;
  const send = bearerClient(
    jsonClient({ provider: PROVIDER, certificate, timeoutMs: deps.timeoutMs, transport: deps.transport }),
    { tokenUrl, clientId, clientSecret, scope: scopes.join(' '), tokenBody: profile.tokenBody },
    { provider: PROVIDER, clock: deps.clock, onGranted: (scope) => reportMissing(scopes, scope, deps) },
  );
  return {
    ...deps,
    settings,
    profile,
    call: ({ path, query, ...request }) => {
      const search = query ? `?${new URLSearchParams(query)}` : '';
      return send({ ...request, url: `${baseUrl}${path}${search}` });
    },
  };
}

// Raises an alarm if the token has fewer scopes than requested. Some providers grant fewer and still answer 200. The
// call that needs a missing scope would then fail with 403.
function reportMissing(scopes: readonly string[], granted: string, { log }: PixDeps): void {
  const missing = scopes.filter((scope) => !granted.split(/[\s,]+/).includes(scope));
  if (missing.length === 0) return;
  log.raise('PixScopesMissing', undefined, { missing: missing.join(' ') });
}

/**
 * The body of the answer. Undefined if the provider answers that it does not have the requested object (404
 * or 410).
 */
export function foundIn(answer: PixAnswer, session: PixSession, what: string): unknown {
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (!isPspSuccess(answer)) throw unexpected(answer, session, what);
  // An answer without a body does not say that the object is missing. If it were read as missing, a paid
  // charge could be taken for an unknown one.
  if (answer.body === undefined) throw malformedPix('nothing');
  return answer.body;
}

export const isPspSuccess = ({ status }: PixAnswer): boolean => status >= 200 && status < 300;

/**
 * Returns `Unavailable` as a value instead of throwing it. The caller of a write then reads the object before
 * it decides.
 */
export async function orUnavailable(call: Promise<PixAnswer>): Promise<PixAnswer | Unavailable> {
  return call.catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
}

/**
 * Makes the error of a call that the provider refused. It names the problem and the fields with faults. It
 * has none of their values, because they are personal data.
 */
export function unexpected({ status, body }: PixAnswer, session: PixSession, what: string): Error {
  const { violacoes } = pixFields(body);
  const names = (Array.isArray(violacoes) ? violacoes : [])
    .map((violation: unknown) => pixText(pixFields(violation).propriedade))
    .concat(session.profile.problemOf(pixFields(body)))
    .filter((name) => name !== undefined && /^[\w.[\]]{1,60}$/.test(name));
  const message = `${PROVIDER} refused ${what}: HTTP ${status} ${names.slice(0, 5).reverse().join(', ')}`;
  return Object.assign(new Error(message.trimEnd()), { status });
}

/** Returns an identifier for use in a path. Throws if it has other characters than letters and digits. */
export function pspSegment(id: string): string {
  if (!/^[a-zA-Z0-9]{1,40}$/.test(id)) throw new Error('an identifier at the Pix provider is alphanumeric');
  return id;
}
