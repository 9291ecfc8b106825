import type { KeyScope } from './domain/partners/api-key.ts';
import type { RateScope } from './domain/partners/rate-limit.ts';

/** An endpoint. `infra/`, the documents and the tests read the list of all of them. */
export type Route = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** The function's name. Its file has the same name in kebab-case. Its CDK id and its export have it too. */
  function: string;
  /** The rate limit of the endpoint, besides the one of the API key. Only endpoints for partners have it. */
  scope?: RateScope;
  /**
   * `callbacks` is the API that requires a client certificate. Without it the endpoint belongs to the API for partners.
   */
  api?: 'callbacks';
  /** From this day on partners should no longer call it: docs/decisions.md, "Versions". */
  deprecated?: Day;
  /** From this day on it may stop answering. */
  sunset?: Day;
};

/** A day in UTC: `2027-01-31`. */
type Day = `${number}-${number}-${number}`;

export const ROUTES = [
  { method: 'POST', path: '/v1/laas/kyc/submit', function: 'SubmitKyc', scope: 'kyc' },
  { method: 'GET', path: '/v1/laas/clients/{kycToken}', function: 'GetKycStatus', scope: 'all' },
  { method: 'GET', path: '/v1/laas/clients/{kycToken}/limits', function: 'GetClientLimits', scope: 'all' },
  { method: 'POST', path: '/v1/laas/quotes', function: 'CreateQuote', scope: 'all' },
  {
    method: 'POST',
    path: '/v1/laas/transactions/initiate',
    function: 'InitiateTransaction',
    scope: 'initiate',
  },
  { method: 'POST', path: '/v1/laas/transactions/{id}/mfa', function: 'ConfirmMfa', scope: 'all' },
  { method: 'POST', path: '/v1/laas/transactions/{id}/cancel', function: 'CancelTransaction', scope: 'all' },
  {
    method: 'GET',
    path: '/v1/laas/transactions/{id}/status',
    function: 'GetTransactionStatus',
    scope: 'all',
  },
  { method: 'GET', path: '/v1/laas/events', function: 'ListEvents', scope: 'all' },
  { method: 'GET', path: '/v1/laas/events/{eventId}', function: 'GetEvent', scope: 'all' },
  { method: 'POST', path: '/v1/laas/events/{eventId}/replay', function: 'ReplayEvent', scope: 'all' },
  { method: 'POST', path: '/v1/laas/events/replay', function: 'ReplayEvents', scope: 'all' },
  { method: 'GET', path: '/v1/laas/transactions', function: 'ListTransactions', scope: 'all' },
  { method: 'GET', path: '/v1/laas/transactions/{id}', function: 'GetTransaction', scope: 'all' },
  { method: 'GET', path: '/v1/laas/transactions/{id}/receipt', function: 'GetReceipt', scope: 'all' },
  { method: 'GET', path: '/laas/partner', function: 'GetPartner', scope: 'all' },
  { method: 'GET', path: '/laas/partner/settings', function: 'GetPartnerSettings', scope: 'all' },
  { method: 'GET', path: '/laas/partner/reports/{period}', function: 'GetReport', scope: 'report' },
  { method: 'POST', path: '/laas/partner/settings', function: 'ChangePartnerSettings', scope: 'all' },
  {
    method: 'POST',
    path: '/laas/partner/webhook-endpoints',
    function: 'AddWebhookEndpoint',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/laas/partner/webhook-endpoints/{endpointId}/rotate-secret',
    function: 'RotateWebhookSecret',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/laas/partner/webhook-endpoints/{endpointId}',
    function: 'EditWebhookEndpoint',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/laas/partner/webhook-endpoints/{endpointId}/enable',
    function: 'EnableWebhookEndpoint',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/laas/partner/webhook-endpoints/{endpointId}/test',
    function: 'TestWebhookEndpoint',
    scope: 'all',
  },
  {
    method: 'DELETE',
    path: '/laas/partner/webhook-endpoints/{endpointId}',
    function: 'RemoveWebhookEndpoint',
    scope: 'all',
  },
  { method: 'GET', path: '/laas/partner/vendor-keys', function: 'ListVendorKeys', scope: 'all' },
  { method: 'POST', path: '/laas/partner/vendor-keys', function: 'ProposeVendorKey', scope: 'all' },
  { method: 'DELETE', path: '/laas/partner/vendor-keys/{kid}', function: 'WithdrawVendorKey', scope: 'all' },
  { method: 'GET', path: '/laas/partner/keys', function: 'ListApiKeys', scope: 'all' },
  { method: 'POST', path: '/laas/partner/keys', function: 'MakeApiKey', scope: 'all' },
  {
    method: 'POST',
    path: '/laas/partner/keys/{keyId}/revoke',
    function: 'RevokeApiKey',
    scope: 'all',
  },
  { method: 'POST', path: '/callbacks/pix/{token}/pix', function: 'PixReceived', api: 'callbacks' },
  { method: 'POST', path: '/callbacks/identity', function: 'LivenessReviewed' },
] as const satisfies readonly Route[];

/**
 * Public pages, without an API key: docs/decisions.md, "Versions". A client's liveness link has a secret of its
 * own.
 */
export const PAGES = [
  { method: 'GET', path: '/openapi.json', function: 'GetDocs' },
  { method: 'GET', path: '/llms.txt', function: 'GetDocs' },
  { method: 'GET', path: '/docs', function: 'GetDocs' },
  { method: 'GET', path: '/docs/{page+}', function: 'GetDocs' },
  { method: 'GET', path: '/liveness/{id}/{token}', function: 'ShowLiveness' },
] as const satisfies readonly Route[];

export type PartnerRoute = Route & { scope: RateScope };
type PartnerFunction = Extract<(typeof ROUTES)[number], { scope: RateScope }>['function'];

/** The route of an endpoint for partners, by the name of its function. */
export function routeOf(name: PartnerFunction): PartnerRoute {
  return ROUTES.find((route) => route.function === name) as PartnerRoute;
}

/** The scope that the caller's key needs for this route: docs/decisions.md, "API keys". */
export function keyScopeOf({ method, path }: Pick<Route, 'method' | 'path'>): KeyScope {
  if (method === 'GET') return 'read';
  return path.startsWith('/laas/partner') ? 'manage' : 'write';
}

/**
 * The route's address with these parameters, always spelled in the same way. A trailing slash, an escaped letter or a
 * domain's base path therefore does not make a different request.
 */
export function addressOfRoute({ path }: Route, parameters: Partial<Record<string, string>> | null): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters?.[name] ?? ''));
}

/** The headers that tell callers when the endpoint ends: RFC 9745 and RFC 8594. */
export function endHeaders({ deprecated, sunset }: Pick<Route, 'deprecated' | 'sunset'>) {
  return {
    ...(deprecated && { Deprecation: `@${Date.parse(deprecated) / 1000}` }),
    ...(sunset && { Sunset: new Date(sunset).toUTCString() }),
  };
}
