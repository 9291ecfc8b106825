import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ServiceErrorCode } from '../../client/errors.ts';
import type { Asset, FailureReason, RiskTier, TransactionStatus } from '../../client/onramp-client.ts';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { terminalTransactionStatuses } from '../../client/statuses.ts';
import type { KycRejectionReason, SandboxClientEvent, SandboxPurchaseEvent } from '../../client/types.ts';
import type { KnownWebhookEvent } from '../../client/webhook.ts';
import { readProduct } from '../../docs/openapi/operations.ts';
import type { Asset as DomainAsset } from '../../functions/domain/assets.ts';
import type { ErrorCode as DomainErrorCode } from '../../functions/domain/errors.ts';
import type { RiskTier as DomainRiskTier } from '../../functions/domain/kyc/kyc.ts';
import type { RejectionReason } from '../../functions/domain/kyc/kyc-reasons.ts';
import type { EventType } from '../../functions/domain/partners/events.ts';
import type { FailureReason as DomainFailureReason } from '../../functions/domain/purchase/return-reasons.ts';
import { type Status, TERMINAL } from '../../functions/domain/purchase/status.ts';
import { ROUTES } from '../../functions/routes.ts';
import type { TriggerName } from '../../sandbox/providers/triggers.ts';
import { ROUTES as SANDBOX_ROUTES } from '../../sandbox/routes.ts';
import { apiKey } from './stub-server.ts';

/** The client imports nothing of the service. This test compares the two. */
describe('the client and the service', () => {
  it('name the same codes, events, statuses and reasons (checked by tsc)', () => {
    expectTypeOf<ServiceErrorCode>().toEqualTypeOf<DomainErrorCode>();
    expectTypeOf<KnownWebhookEvent['type']>().toEqualTypeOf<EventType>();
    expectTypeOf<TransactionStatus>().toEqualTypeOf<Status>();
    expectTypeOf<KycRejectionReason>().toEqualTypeOf<RejectionReason>();
    expectTypeOf<FailureReason>().toEqualTypeOf<DomainFailureReason>();
    expectTypeOf<RiskTier>().toEqualTypeOf<DomainRiskTier>();
    expectTypeOf<Asset>().toEqualTypeOf<DomainAsset>();
    expectTypeOf<SandboxPurchaseEvent | SandboxClientEvent>().toEqualTypeOf<TriggerName>();
  });

  it('end a wait at the same statuses', () => {
    expect(terminalTransactionStatuses).toEqual(TERMINAL);
  });

  // Spec, What the service does: "A client library wraps the REST endpoints"
  it('have the same routes, so that each endpoint has its call, and each document its own', async () => {
    const { called } = await callEach();

    const routes = [...ROUTES, ...SANDBOX_ROUTES].filter(({ path }) => !path.startsWith('/callbacks/'));
    const documents = (await readProduct()).filter(({ documentType }) => documentType !== undefined);
    const expected = [
      ...routes.map(({ method, path }) => `${method} ${path} application/json`),
      ...documents.map(({ route, documentType }) => `${route.method} ${route.path} ${documentType}`),
    ];
    expect(called.sort()).toEqual(expected.sort());
  });

  it('have no call without an endpoint, except those that read until a status or play the client', async () => {
    const { names, client } = await callEach();

    const others = ['waitForKyc', 'waitForStatus', 'sandbox.totpCode', 'sandbox.freshCpf'];
    expect([...names, ...others].sort()).toEqual(methodsOf(client).sort());
  });
});

function methodsOf(calls: object, group = ''): string[] {
  return Object.entries(calls).flatMap(([name, value]) =>
    typeof value === 'function' ? [`${group}${name}`] : methodsOf(value, `${name}.`),
  );
}

/** The same calls, which note their names. */
function noting<Calls extends object>(calls: Calls, names: string[], group = ''): Calls {
  const noted = Object.entries(calls).map(([name, value]) => {
    if (typeof value !== 'function') return [name, noting(value, names, `${name}.`)];
    const note = (...given: unknown[]) => {
      names.push(`${group}${name}`);
      return value(...given);
    };
    return [name, note];
  });
  return Object.fromEntries(noted) as Calls;
}

/** Calls every endpoint with the parameter's name as its value. */
async function callEach() {
  const called: string[] = [];
  const names: string[] = [];
  const fetch = async (url: string, { method, headers }: RequestInit) => {
    const type = new Headers(headers).get('accept') ?? '';
    called.push(`${method} ${decodeURIComponent(new URL(url).pathname)} ${type}`);
    return Response.json({ success: true, data: {} }, { headers: { 'content-type': type } });
  };
  const client = noting(createOnrampClient({ apiKey, baseUrl: 'https://service.test', fetch }), names);

  await client.submitKyc({ cpf: '529.982.247-25', partnerKycToken: 'jws' });
  await client.getKycStatus('{kycToken}');
  await client.getClientLimits('{kycToken}');
  await client.initiateTransaction({ kycToken: 'k', amountBrl: 50, asset: 'USDT', walletAddress: '0x' });
  await client.createQuote({ asset: 'USDT', amountBrl: 50 });
  await client.confirmMfa({ transactionId: '{id}', totpCode: '012345' });
  await client.cancelTransaction('{id}');
  await client.getTransactionStatus('{id}');
  await client.events.list();
  await client.transactions.list();
  await client.transactions.get('{id}');
  await client.transactions.receipt('{id}');
  await client.transactions.receiptPdf('{id}');
  await client.events.get('{eventId}');
  await client.events.replay('{eventId}');
  await client.events.replayRange({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' });
  await client.partner.get();
  await client.partner.keys();
  await client.partner.makeApiKey({ scopes: ['read'], expiresInDays: 1 });
  await client.partner.report('{period}');
  await client.partner.reportCsv('{period}');
  await client.partner.vendorKeys();
  await client.partner.proposeVendorKey({ kty: 'RSA', kid: 'k', alg: 'RS256' });
  await client.partner.withdrawVendorKey('{kid}');
  await client.partner.settings();
  await client.partner.changeSettings({ returnHosts: [] });
  await client.partner.addWebhookEndpoint({ url: 'https://partner.test/hook' });
  await client.partner.editWebhookEndpoint('{endpointId}', { enabled: false });
  await client.partner.enableWebhookEndpoint('{endpointId}');
  await client.partner.testWebhookEndpoint('{endpointId}');
  await client.partner.rotateWebhookSecret('{endpointId}');
  await client.partner.removeWebhookEndpoint('{endpointId}');
  await client.partner.revokeApiKey('{keyId}');
  await client.sandbox.pay('{id}');
  await client.sandbox.liveness('{id}', { outcome: 'PASSED' });
  await client.sandbox.partnerKycToken({ cpf: '529.982.247-25' });
  await client.sandbox.trigger('MED', { transactionId: 'T1' });
  await client.sandbox.reset();
  await client.sandbox.webhooks();
  await client.sandbox.scenarios();
  return { called, names, client };
}
