/**
 * The partner's client of the on-ramp service. It uses fetch and WebCrypto and has no dependencies.
 *
 * Each method sends one request, with its retries, and returns the envelope's `data`. The two `waitFor…` methods read
 * several times.
 *
 * A failed call rejects with an `OnrampError`, and an aborted call with the signal's reason. Wrong arguments throw a
 * `TypeError`.
 *
 * Every POST and DELETE has an idempotency key, and the retries of a call share its key. A retry therefore has no
 * second effect.
 */
import { metaOf, parse } from './answer.ts';
import type { DeliveredEvent, EventFilter, EventPage } from './event-types.ts';
import { paginate } from './pages.ts';
import { recordCalls } from './record-calls.ts';
import { sandboxCalls } from './sandbox-calls.ts';
import { terminalKycStatuses, terminalTransactionStatuses } from './statuses.ts';
import {
  type CallOptions,
  createTransport,
  type OnrampClientOptions,
  type PostOptions,
  segment,
  type Transport,
  withQuery,
} from './transport.ts';
import type * as Api from './types.ts';
import { type WaitOptions, waitForStatus } from './wait-for-status.ts';

export type { ResponseMeta } from './answer.ts';
export type * from './event-types.ts';
export type { Listing } from './pages.ts';
export type * from './transaction-types.ts';
export type { CallOptions, Fetch, OnrampClientOptions, PostOptions, Sleep } from './transport.ts';
export type * from './types.ts';
export type { WaitOptions } from './wait-for-status.ts';
export type { SandboxWebhooks } from './webhook.ts';
export { metaOf };

export type OnrampClient = ReturnType<typeof createOnrampClient>;

export function createOnrampClient(options: OnrampClientOptions) {
  const transport = createTransport(options);
  return {
    ...kycCalls(transport),
    ...transactionCalls(transport),
    events: eventCalls(transport),
    transactions: recordCalls(transport),
    partner: partnerCalls(transport),
    sandbox: sandboxCalls(transport),
  };
}

function kycCalls({ get, post, send, sleep, now }: Transport) {
  /** Reads a KYC record by its token (spec, endpoint 2). */
  async function getKycStatus(kycToken: string, call?: CallOptions) {
    const request = get(`/v1/laas/clients/${segment('kycToken', kycToken)}`, call);
    const answer = await send(request);
    return parse<Api.KycRecord>(answer);
  }

  return {
    getKycStatus,

    /**
     * Submits a client for KYC (spec, endpoint 1). Rejects with `KYC_REJECTED`. A `PENDING` record is decided later.
     */
    async submitKyc(body: Api.SubmitKycRequest, call?: PostOptions) {
      const request = post('/v1/laas/kyc/submit', body, call);
      const answer = await send(request);
      return parse<Api.SubmittedKyc>(answer);
    },

    /**
     * Reads the record until its status is one of `statuses`. The wait also ends at `APPROVED`, `REJECTED` or
     * `EXPIRED`, and at a `PENDING` record that has a reason. It then rejects with `STATUS_UNREACHABLE`, and
     * `details.reason` is the record's reason.
     */
    waitForKyc<Status extends Api.KycStatus>(
      kycToken: string,
      statuses: readonly Status[],
      options: WaitOptions = {},
    ): Promise<Api.KycRecord & { status: Status }> {
      const read = (call: CallOptions) => getKycStatus(kycToken, call);
      const reasonOf = ({ reason }: Api.KycRecord) => reason;
      const subject = {
        name: 'The KYC record',
        read,
        terminal: terminalKycStatuses,
        reasonOf,
        intervalMs: 10_000,
      };
      return waitForStatus(subject, statuses, { ...options, sleep, now });
    },
  };
}

function transactionCalls({ get, post, send, sleep, now }: Transport) {
  /** Reads a transaction (spec, endpoint 5). `pixPayload` is present while the service waits for the Pix. */
  async function getTransactionStatus(transactionId: string, call?: CallOptions) {
    const request = get(`${transactionPath(transactionId)}/status`, call);
    const answer = await send(request);
    return parse<Api.Transaction>(answer);
  }

  return {
    getTransactionStatus,

    /** Opens a purchase (spec, endpoint 3). The answer says how the client must authenticate. */
    async initiateTransaction(body: Api.InitiateTransactionRequest, call?: PostOptions) {
      const request = post('/v1/laas/transactions/initiate', body, call);
      const answer = await send(request);
      return parse<Api.InitiatedTransaction>(answer);
    },

    /** Answers an `MFA_TOTP` challenge (spec, endpoint 4). The answer holds the Pix code that the client pays. */
    async confirmMfa({ transactionId, totpCode }: Api.ConfirmMfaRequest, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/mfa`, { totpCode }, call);
      const answer = await send(request);
      return parse<Api.MfaConfirmation>(answer);
    },

    /**
     * Cancels an unpaid transaction and closes its Pix charge. A repeated call gives the same answer. The service
     * refuses a transaction that is paid or has ended otherwise with `TRANSACTION_NOT_CANCELABLE`. `details.status`
     * is then the transaction's status.
     */
    async cancelTransaction(transactionId: string, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/cancel`, {}, call);
      const answer = await send(request);
      return parse<Api.CanceledTransaction>(answer);
    },

    /**
     * Reads until the status is one of `statuses`, for partners without a webhook receiver. Rejects with
     * `STATUS_UNREACHABLE` and the reason at another terminal status. Rejects with `WAIT_TIMED_OUT` after
     * `timeoutMs`.
     */
    waitForStatus<Status extends Api.TransactionStatus>(
      transactionId: string,
      statuses: readonly Status[],
      options: WaitOptions = {},
    ): Promise<Api.Transaction & { status: Status }> {
      const read = (call: CallOptions) => getTransactionStatus(transactionId, call);
      const name = `Transaction ${transactionId}`;
      const reasonOf = ({ failure }: Api.Transaction) => failure?.reason;
      const subject = { name, read, terminal: terminalTransactionStatuses, reasonOf, intervalMs: 2_000 };
      return waitForStatus(subject, statuses, { ...options, sleep, now });
    },
  };
}

/** The calls that read events again, for a receiver that was down. */
function eventCalls({ get, send }: Transport) {
  const eventPath = (id: string) => `${eventsPath}/${segment('eventId', id)}`;
  return {
    /** Lists your events of the last year, the newest first. A `for await` loop gets the events of all pages. */
    list(filter: EventFilter = {}, call?: CallOptions) {
      const readPage = async (cursor = filter.cursor) => {
        const answer = await send(get(withQuery(eventsPath, { ...filter, cursor }), call));
        return parse<EventPage>(answer);
      };
      return paginate(readPage, ({ events }) => events);
    },

    /** Reads an event by its `webhook-id`, with the attempts at each of your endpoints. */
    async get(eventId: string, call?: CallOptions) {
      const answer = await send(get(eventPath(eventId), call));
      return parse<DeliveredEvent>(answer);
    },
  };
}

/**
 * The calls that manage your own account (spec, "Partner management endpoints"). Only the service's operators can
 * make API keys.
 */
function partnerCalls({ get, post, remove, send }: Transport) {
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
      return parse<Api.WebhookEndpoint>(answer);
    },

    /** Sends the next events to an endpoint that was disabled or paused. */
    async enableWebhookEndpoint(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/enable`, {}, call));
      return parse<Api.WebhookEndpoint>(answer);
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

    /**
     * Revokes another key of yours at once. The service refuses to revoke the key of this call, with
     * `API_KEY_IN_USE`.
     */
    async revokeApiKey(keyId: string, call?: PostOptions) {
      const path = `${partnerPath}/keys/${segment('keyId', keyId)}/revoke`;
      const answer = await send(post(path, {}, call));
      return parse<Api.RevokedApiKey>(answer);
    },
  };
}

const eventsPath = '/v1/laas/events';
const partnerPath = '/laas/partner';
const settingsPath = `${partnerPath}/settings`;
const endpointsPath = `${partnerPath}/webhook-endpoints`;

function transactionPath(transactionId: string): string {
  return `/v1/laas/transactions/${idOf(transactionId)}`;
}

function idOf(transactionId: string): string {
  return segment('transactionId', transactionId);
}
