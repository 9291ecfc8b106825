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
const endpointPath = (id: string) => `${endpointsPath}/${segment('endpointId', id)}`;

const CSV = 'text/csv';

/**
 * The calls that manage your own account (spec, "Partner management endpoints"). Changes of the account need
 * a key with the scope `manage`. Only the service's operators can make such a key.
 */
export function partnerCalls(transport: Transport) {
  return {
    ...accountCalls(transport),
    ...endpointCalls(transport),
    ...keyCalls(transport),
    ...vendorKeyCalls(transport),
  };
}

function accountCalls({ get, post, send }: Transport) {
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

    /** Changes the settings that `body` contains. The other settings stay as they are. */
    async changeSettings(body: Partial<Api.PartnerSettings>, call?: PostOptions) {
      const answer = await send(post(settingsPath, body, call));
      return parse<Api.PartnerSettings>(answer);
    },

    /**
     * Returns the sums and the purchases of a month (`2026-11`) or of a day (`2026-11-20`), in the time of
     * Brasília. A key may read six reports a minute.
     */
    async report(period: string, call?: CallOptions) {
      const answer = await send(get(reportPath(period), call));
      return parse<PartnerReport>(answer);
    },

    /**
     * Reads the report of `report` as a CSV file for spreadsheets. Returns the bytes of the file, which are
     * ASCII.
     */
    async reportCsv(period: string, call?: CallOptions) {
      const request = { ...get(reportPath(period), call), accept: CSV };
      return documentOf(await send(request), CSV);
    },
  };
}

function endpointCalls({ post, remove, send }: Transport) {
  return {
    /**
     * Adds an https URL to which the service sends events. Store the `secret` of the answer. Later, only a
     * repetition of this request with the same idempotency key shows it again.
     */
    async addWebhookEndpoint(body: Api.AddWebhookEndpointRequest, call?: PostOptions) {
      const answer = await send(post(endpointsPath, body, call));
      return parse<Api.AddedWebhookEndpoint>(answer);
    },

    /**
     * Makes a new secret for an endpoint. Until `formerSecretUntil` the service signs with both the new and
     * the former secret. Give both secrets to `verifyWebhook` during this time.
     */
    async rotateWebhookSecret(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/rotate-secret`, {}, call));
      return parse<Api.RotatedWebhookSecret>(answer);
    },

    /** Changes the fields of an endpoint that `body` contains. The endpoint keeps its secret. */
    async editWebhookEndpoint(endpointId: string, body: Api.EditWebhookEndpointRequest, call?: PostOptions) {
      const answer = await send(post(endpointPath(endpointId), body, call));
      return parse<Api.EnabledWebhookEndpoint>(answer);
    },

    /**
     * Enables an endpoint that you disabled or that the service paused. From then on the service sends it new
     * events. To get the missed events, pass the `body` of each entry of the answer's `replays` to
     * `events.replayRange`.
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
  };
}

function keyCalls({ get, post, send }: Transport) {
  return {
    /** Lists your keys without their secrets. */
    async keys(call?: CallOptions) {
      const answer = await send(get(keysPath, call));
      return parse<Api.ApiKeys>(answer);
    },

    /**
     * Makes an API key. It can have only scopes of the calling key, and ends no later than the calling key.
     * It works from one hour after your webhook endpoints have received the event `api_key.created`.
     */
    async makeApiKey(body: Api.MakeApiKeyRequest, call?: PostOptions) {
      const answer = await send(post(keysPath, body, call));
      return parse<Api.MadeApiKey>(answer);
    },

    /**
     * Revokes another of your keys at once. Rejects with `API_KEY_IN_USE` if `keyId` is the key that makes
     * this call.
     */
    async revokeApiKey(keyId: string, call?: PostOptions) {
      const path = `${keysPath}/${segment('keyId', keyId)}/revoke`;
      const answer = await send(post(path, {}, call));
      return parse<Api.RevokedApiKey>(answer);
    },
  };
}

function vendorKeyCalls({ get, post, remove, send }: Transport) {
  return {
    /** Lists the keys of your KYC vendor (Model 2). */
    async vendorKeys(call?: CallOptions) {
      const answer = await send(get(vendorKeysPath, call));
      return parse<Api.VendorKeys>(answer);
    },

    /**
     * Proposes a public key of your KYC vendor. The service refuses tokens that this key signed until the
     * service's operators have approved the key.
     */
    async proposeVendorKey(jwk: Api.VendorJwk, call?: PostOptions) {
      const answer = await send(post(vendorKeysPath, { jwk }, call));
      return parse<Api.VendorKey>(answer);
    },

    /**
     * Withdraws a proposed or an active key of your KYC vendor. From then on the service refuses tokens that
     * this key signed, and the KYC tokens of their clients. The withdrawal cannot be undone.
     */
    async withdrawVendorKey(kid: string, call?: PostOptions) {
      const answer = await send(remove(`${vendorKeysPath}/${segment('kid', kid)}`, call));
      return parse<Api.WithdrawnVendorKey>(answer);
    },
  };
}
