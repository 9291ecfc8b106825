/**
 * The partner's client of the on-ramp service. Plain fetch and WebCrypto, no dependencies.
 * Each method makes a request, sends it and takes `data` out of the envelope; failures are `OnrampError`.
 * Every POST and DELETE has an idempotency key that its retries share, so a retry never does a thing twice.
 */
import { metaOf, parse } from './answer.ts';
import { terminalKycStatuses, terminalTransactionStatuses } from './statuses.ts';
import {
  type CallOptions,
  createTransport,
  type OnrampClientOptions,
  type PostOptions,
  segment,
  type Transport,
} from './transport.ts';
import type * as Api from './types.ts';
import { type WaitOptions, waitForStatus } from './wait-for-status.ts';
import type { SandboxWebhooks } from './webhook.ts';

export type { ResponseMeta } from './answer.ts';
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
    partner: partnerCalls(transport),
    sandbox: sandboxCalls(transport),
  };
}

function kycCalls({ get, post, send, sleep, now }: Transport) {
  /** Looks a KYC record up by its token (spec, endpoint 2). */
  async function getKycStatus(kycToken: string, call?: CallOptions) {
    const request = get(`/v1/laas/clients/${segment('kycToken', kycToken)}`, call);
    const answer = await send(request);
    return parse<Api.KycRecord>(answer);
  }

  return {
    getKycStatus,

    /** Screens a client (spec, endpoint 1). Refused with `KYC_REJECTED`; `PENDING` is decided later. */
    async submitKyc(body: Api.SubmitKycRequest, call?: PostOptions) {
      const request = post('/v1/laas/kyc/submit', body, call);
      const answer = await send(request);
      return parse<Api.SubmittedKyc>(answer);
    },

    /**
     * Reads until the record's status is one of `statuses`, as `waitForStatus` does for a transaction. What ends it
     * in any case is `APPROVED`, `REJECTED` or `EXPIRED`, or a `PENDING` one's reason; the error tells the reason.
     */
    waitForKyc<Status extends Api.KycStatus>(
      kycToken: string,
      statuses: readonly Status[],
      options: WaitOptions = {},
    ): Promise<Api.KycRecord & { status: Status }> {
      const read = (call: CallOptions) => getKycStatus(kycToken, call);
      const reasonOf = ({ reason }: Api.KycRecord) => reason;
      const subject = {
        ...{ name: 'The KYC record', read, terminal: terminalKycStatuses, reasonOf },
        intervalMs: 10_000,
      };
      return waitForStatus(subject, statuses, { ...options, sleep, now });
    },
  };
}

function transactionCalls({ get, post, send, sleep, now }: Transport) {
  /** Reads a transaction (spec, endpoint 5); `pixPayload` is there while the Pix is awaited. */
  async function getTransactionStatus(transactionId: string, call?: CallOptions) {
    const request = get(`${transactionPath(transactionId)}/status`, call);
    const answer = await send(request);
    return parse<Api.Transaction>(answer);
  }

  return {
    getTransactionStatus,

    /** Opens a purchase (spec, endpoint 3) and says how the client must authenticate. */
    async initiateTransaction(body: Api.InitiateTransactionRequest, call?: PostOptions) {
      const request = post('/v1/laas/transactions/initiate', body, call);
      const answer = await send(request);
      return parse<Api.InitiatedTransaction>(answer);
    },

    /** Clears an `MFA_TOTP` challenge (spec, endpoint 4); the answer holds what the client pays. */
    async confirmMfa({ transactionId, totpCode }: Api.ConfirmMfaRequest, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/mfa`, { totpCode }, call);
      const answer = await send(request);
      return parse<Api.MfaConfirmation>(answer);
    },

    /**
     * Ends a transaction that nobody has paid, and closes its Pix charge. A repetition answers the same. A transaction
     * that is paid, or has ended otherwise, is refused with `TRANSACTION_NOT_CANCELABLE`; `details.status` tells which.
     */
    async cancelTransaction(transactionId: string, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/cancel`, {}, call);
      const answer = await send(request);
      return parse<Api.CanceledTransaction>(answer);
    },

    /**
     * Reads until the status is one of `statuses`, for those who have no webhook receiver. Rejects with
     * `STATUS_UNREACHABLE` and the reason at another terminal status, with `WAIT_TIMED_OUT` after `timeoutMs`.
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

/** What you manage of your own account (spec, "Partner management endpoints"). Keys are made by the operators. */
function partnerCalls({ get, post, remove, send }: Transport) {
  const endpointPath = (id: string) => `${endpointsPath}/${segment('endpointId', id)}`;
  return {
    /** Reads your account: its keys and webhook endpoints, without secrets. */
    async get(call?: CallOptions) {
      const answer = await send(get(partnerPath, call));
      return parse<Api.Partner>(answer);
    },

    /** Has events posted to one more https address. The secret is in this answer alone: keep it. */
    async addWebhookEndpoint(body: Api.AddWebhookEndpointRequest, call?: PostOptions) {
      const answer = await send(post(endpointsPath, body, call));
      return parse<Api.AddedWebhookEndpoint>(answer);
    },

    /** Makes a new secret; until `formerSecretUntil` the former signs besides, so give `verifyWebhook` both. */
    async rotateWebhookSecret(endpointId: string, call?: PostOptions) {
      const answer = await send(post(`${endpointPath(endpointId)}/rotate-secret`, {}, call));
      return parse<Api.RotatedWebhookSecret>(answer);
    },

    /** Ends the deliveries to an address. */
    async removeWebhookEndpoint(endpointId: string, call?: PostOptions) {
      const answer = await send(remove(endpointPath(endpointId), call));
      return parse<Api.RemovedWebhookEndpoint>(answer);
    },

    /** Revokes another of your keys at once; the one you call with is refused with `API_KEY_IN_USE`. */
    async revokeApiKey(keyId: string, call?: PostOptions) {
      const path = `${partnerPath}/keys/${segment('keyId', keyId)}/revoke`;
      const answer = await send(post(path, {}, call));
      return parse<Api.RevokedApiKey>(answer);
    },
  };
}

/** What the sandbox offers to play the client and its bank; absent in production (`NOT_FOUND`). */
function sandboxCalls({ get, post, send }: Transport) {
  return {
    /** Pays the Pix charge. */
    async pay(transactionId: string, body: Api.SandboxPayRequest = {}, call?: PostOptions) {
      const request = post(`${sandboxPath}/transactions/${idOf(transactionId)}/pay`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxPayment>(answer);
    },

    /** Passes or fails liveness without a browser. */
    async liveness(transactionId: string, body: Api.SandboxLivenessRequest, call?: PostOptions) {
      const request = post(`${sandboxPath}/transactions/${idOf(transactionId)}/liveness`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxLiveness>(answer);
    },

    /** What the built-in receiver got. */
    async webhooks(call?: CallOptions) {
      const request = get(`${sandboxPath}/webhooks`, call);
      const answer = await send(request);
      return parse<SandboxWebhooks>(answer);
    },

    /** Signs a Model 2 token with the demo partner's key. */
    async partnerKycToken(body: { cpf: string }, call?: PostOptions) {
      const request = post(`${sandboxPath}/partner-kyc-token`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxPartnerKycToken>(answer);
    },

    /** Which CPF forces what today. */
    async scenarios(call?: CallOptions) {
      const request = get(`${sandboxPath}/scenarios`, call);
      const answer = await send(request);
      return parse<Api.SandboxScenarios>(answer);
    },
  };
}

const partnerPath = '/laas/partner';
const endpointsPath = `${partnerPath}/webhook-endpoints`;
const sandboxPath = '/v1/laas/sandbox';

function transactionPath(transactionId: string): string {
  return `/v1/laas/transactions/${idOf(transactionId)}`;
}

function idOf(transactionId: string): string {
  return segment('transactionId', transactionId);
}
