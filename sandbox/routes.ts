import type { PartnerRoute, Route } from '../functions/routes.ts';

/**
 * The endpoints that only the stage sandbox has. Each of them acts only on purchases and clients of the
 * calling partner.
 */
export const ROUTES = [
  {
    method: 'POST',
    path: '/v1/laas/sandbox/transactions/{id}/pay',
    function: 'PayTransaction',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/v1/laas/sandbox/transactions/{id}/liveness',
    function: 'CompleteLiveness',
    scope: 'all',
  },
  {
    method: 'POST',
    path: '/v1/laas/sandbox/partner-kyc-token',
    function: 'IssuePartnerKycToken',
    scope: 'all',
  },
  { method: 'POST', path: '/v1/laas/sandbox/trigger', function: 'TriggerEvent', scope: 'all' },
  { method: 'POST', path: '/v1/laas/sandbox/reset', function: 'ResetSandbox', scope: 'all' },
  { method: 'GET', path: '/v1/laas/sandbox/webhooks', function: 'ListWebhooks', scope: 'all' },
  { method: 'GET', path: '/v1/laas/sandbox/scenarios', function: 'ListScenarios', scope: 'all' },
] as const satisfies readonly Route[];

export function sandboxRouteOf(name: (typeof ROUTES)[number]['function']): PartnerRoute {
  return ROUTES.find((route) => route.function === name) as PartnerRoute;
}
