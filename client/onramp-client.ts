/**
 * The partner's client of the on-ramp service. Plain fetch and WebCrypto, no dependencies.
 * Each method makes a request, sends it and takes `data` out of the envelope; failures are `OnrampError`.
 * Every POST has an idempotency key that its retries share, so a retry never does a thing twice.
 */
import { metaOf, parse } from './answer.ts';
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

export type { ResponseMeta } from './answer.ts';
export type { CallOptions, Fetch, OnrampClientOptions, PostOptions, Sleep } from './transport.ts';
export type * from './types.ts';
export type { WaitOptions } from './wait-for-status.ts';
export { metaOf };

export type OnrampClient = ReturnType<typeof createOnrampClient>;

export function createOnrampClient(options: OnrampClientOptions) {
  const transport = createTransport(options);
  return { ...kycCalls(transport), ...transactionCalls(transport), sandbox: sandboxCalls(transport) };
}

function kycCalls({ get, post, send }: Transport) {
  return {
    /** Screens a client (spec, endpoint 1). Refused with `KYC_REJECTED`; `PENDING` is not answered yet. */
    async submitKyc(body: Api.SubmitKycRequest, call?: PostOptions) {
      const request = post('/v1/laas/kyc/submit', body, call);
      const answer = await send(request);
      return parse<Api.KycRecord>(answer);
    },

    /** Looks a KYC record up by its token (spec, endpoint 2). */
    async getKycStatus(kycToken: string, call?: CallOptions) {
      const request = get(`/v1/laas/clients/${segment('kycToken', kycToken)}`, call);
      const answer = await send(request);
      return parse<Api.KycRecord>(answer);
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
     * Reads until the status is one of `statuses`, for those who have no webhook receiver. Rejects with
     * `STATUS_UNREACHABLE` at another terminal status, with `WAIT_TIMED_OUT` after `timeoutMs`.
     */
    waitForStatus<Status extends Api.TransactionStatus>(
      transactionId: string,
      statuses: readonly Status[],
      options: WaitOptions = {},
    ) {
      return waitForStatus({ read: getTransactionStatus, sleep, now }, [transactionId, statuses], options);
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

    /** Passes or fails liveness without a browser. Not built yet: `NOT_FOUND` today. */
    async liveness(transactionId: string, body: Api.SandboxLivenessRequest, call?: PostOptions) {
      const request = post(`${sandboxPath}/transactions/${idOf(transactionId)}/liveness`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxLiveness>(answer);
    },

    /** What the built-in receiver got. */
    async webhooks(call?: CallOptions) {
      const request = get(`${sandboxPath}/webhooks`, call);
      const answer = await send(request);
      return parse<Api.SandboxWebhooks>(answer);
    },

    /** Signs a Model 2 token with the demo partner's key. Not built yet: `NOT_FOUND` today. */
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

const sandboxPath = '/v1/laas/sandbox';

function transactionPath(transactionId: string): string {
  return `/v1/laas/transactions/${idOf(transactionId)}`;
}

function idOf(transactionId: string): string {
  return segment('transactionId', transactionId);
}
