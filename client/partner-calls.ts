import { documentOf, parse } from './answer.ts';
import type * as Api from './partner-types.ts';
import type { PartnerReport } from './report-types.ts';
import { type CallOptions, type PostOptions, segment, type Transport } from './transport.ts';

const partnerPath = '/laas/partner';
const keysPath = `${partnerPath}/keys`;
const vendorKeysPath = `${partnerPath}/vendor-keys`;
const settingsPath = `${partnerPath}/settings`;
const reportPath = (period: string) => `${partnerPath}/reports/${segment('period', period)}`;
const endpointsPath = `${partnerPath}/webhook-endpoints`;

const CSV = 'text/csv';

/**
 * The calls that manage your own account (spec, "Partner management endpoints"). Only the service's operators can
 * make keys with the scope `manage`.
 */
export function partnerCalls({ get, post, remove, send }: Transport) {
  const endpointPath = (id: string) => `${endpointsPath}/${segment('endpointId', id)}`;
  return {
    /** Reads your account, its keys and its webhook endpoints. The answer holds no secrets. */
    async get(call?: CallOptions) {
      const answer = await send(get(partnerPath, call));
      return parse<Api.Partner>(answer);
    },

    /** Reads the settings that you change yourself. */
    async settings(call?: CallOptions) {
      const answer = await send(get(settingsPath, call));
      return parse<Api.PartnerSettings>(answer);
    },

    /** Changes the settings that you name, and leaves the others. */
    async changeSettings(body: Partial<Api.PartnerSettings>, call?: PostOptions) {
      const answer = await send(post(settingsPath, body, call));
      return parse<Api.PartnerSettings>(answer);
    },

    /**
     * Reports the money of your purchases in a month (`2026-11`) or on a day (`2026-11-20`) of Brasília. A key may ask
     * six times a minute.
     */
    async report(period: string, call?: CallOptions) {
      const answer = await send(get(reportPath(period), call));
      return parse<PartnerReport>(answer);
    },

    /** Reads the same report as a CSV for spreadsheets: its bytes, which are ASCII. */
    async reportCsv(period: string, call?: CallOptions) {
      const request = { ...get(reportPath(period), call), accept: CSV };
      return documentOf(await send(request), CSV);
    },

    /**
     * Adds an https address that receives the events. Store the secret. Only a repetition with the same idempotency
     * key shows it again.
     */
    async addWebhookEndpoint(body: Api.AddWebhookEndpointRequest, call?: PostOptions) {
      const answer = await send(post(endpointsPath, body, call));
      return parse<Api.AddedWebhookEndpoint>(answer);
    },

    /**
     * Makes a new secret for an endpoint. The former secret also signs until `formerSecretUntil`, so give both
     * secrets to `verifyWebhook`.
     */
    async rotateWebhookSecret(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/rotate-secret`, {}, call));
      return parse<Api.RotatedWebhookSecret>(answer);
    },

    /** Changes the named fields of an endpoint. The secret stays. */
    async editWebhookEndpoint(endpointId: string, body: Api.EditWebhookEndpointRequest, call?: PostOptions) {
      const answer = await send(post(endpointPath(endpointId), body, call));
      return parse<Api.EnabledWebhookEndpoint>(answer);
    },

    /**
     * Enables an endpoint that was disabled or paused. The service sends it the next events. Call `replayRange` with
     * each of the answer's `replays` to get the missed events.
     */
    async enableWebhookEndpoint(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/enable`, {}, call));
      return parse<Api.EnabledWebhookEndpoint>(answer);
    },

    /** Sends a signed test event to one endpoint, also while it is disabled or paused. */
    async testWebhookEndpoint(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/test`, {}, call));
      return parse<Api.TestedWebhookEndpoint>(answer);
    },

    /** Removes an endpoint, which then receives no more events. */
    async removeWebhookEndpoint(endpointId: string, call?: PostOptions) {
      const answer = await send(remove(endpointPath(endpointId), call));
      return parse<Api.RemovedWebhookEndpoint>(answer);
    },

    /** Lists your keys without their secrets. */
    async keys(call?: CallOptions) {
      const answer = await send(get(keysPath, call));
      return parse<Api.ApiKeys>(answer);
    },

    /**
     * Makes a key with scopes that the calling key has. It ends with the calling key at the latest. The new key works
     * from one hour after your webhook endpoints have received the event about it.
     */
    async makeApiKey(body: Api.MakeApiKeyRequest, call?: PostOptions) {
      const answer = await send(post(keysPath, body, call));
      return parse<Api.MadeApiKey>(answer);
    },

    /**
     * Revokes another key of yours at once. The service refuses to revoke the key of this call, with
     * `API_KEY_IN_USE`.
     */
    async revokeApiKey(keyId: string, call?: PostOptions) {
      const path = `${keysPath}/${segment('keyId', keyId)}/revoke`;
      const answer = await send(post(path, {}, call));
      return parse<Api.RevokedApiKey>(answer);
    },

    /** Lists the keys of your KYC vendor (Model 2). */
    async vendorKeys(call?: CallOptions) {
      const answer = await send(get(vendorKeysPath, call));
      return parse<Api.VendorKeys>(answer);
    },

    /**
     * Proposes a public key of your vendor. The service refuses tokens that this key signed until its operators have
     * approved the key.
     */
    async proposeVendorKey(jwk: Api.VendorJwk, call?: PostOptions) {
      const answer = await send(post(vendorKeysPath, { jwk }, call));
      return parse<Api.VendorKey>(answer);
    },

    /**
     * Withdraws a proposed or an active key. From now on the service refuses tokens that this key signed. This cannot
     * be undone.
     */
    async withdrawVendorKey(kid: string, call?: PostOptions) {
      const answer = await send(remove(`${vendorKeysPath}/${segment('kid', kid)}`, call));
      return parse<Api.WithdrawnVendorKey>(answer);
    },
  };
}
