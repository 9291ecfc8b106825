/**
 * The client of the API. Each method sends one request, repeats it if a retry is safe, and returns `data` of
 * the answer. `waitForKyc` and `waitForStatus` read several times. A loop over a list sends one request for
 * each page.
 */
import { metaOf, parse } from './answer.ts';
import { eventCalls } from './event-calls.ts';
import type { ClientLimits } from './limit-types.ts';
import { partnerCalls } from './partner-calls.ts';
import type { CreateQuoteRequest, LockedQuote } from './quote-types.ts';
import { recordCalls } from './record-calls.ts';
import { sandboxCalls } from './sandbox-calls.ts';
import { isTransactionPast, terminalKycStatuses, terminalTransactionStatuses } from './statuses.ts';
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
export type * from './event-types.ts';
export type * from './limit-types.ts';
export type { Listing } from './pages.ts';
export type * from './quote-types.ts';
export type * from './report-types.ts';
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

    /** Reads what the client may still buy at you. */
    async getClientLimits(kycToken: string, call?: CallOptions) {
      const request = get(`/v1/laas/clients/${segment('kycToken', kycToken)}/limits`, call);
      return parse<ClientLimits>(await send(request));
    },

    /**
     * Submits a client for KYC (spec, endpoint 1). Rejects with `KYC_REJECTED` if the service refuses the
     * client. The service decides about a `PENDING` record later.
     */
    async submitKyc(body: Api.SubmitKycRequest, call?: PostOptions) {
      const request = post('/v1/laas/kyc/submit', body, call);
      const answer = await send(request);
      return parse<Api.SubmittedKyc>(answer);
    },

    /**
     * Reads the KYC record until its status is one of `statuses`. Rejects with `STATUS_UNREACHABLE` if the
     * record is instead `APPROVED`, `REJECTED` or `EXPIRED`, or is `PENDING` with a reason. `details.reason`
     * is the record's reason. Rejects with `WAIT_TIMED_OUT` after `timeoutMs`.
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

    /**
     * Locks the present price for one purchase. The lock lasts ten minutes. Give either the amount that the
     * client pays (`amountBrl`) or the amount that the client receives (`assetAmount`).
     */
    async createQuote(body: CreateQuoteRequest, call?: PostOptions) {
      const answer = await send(post('/v1/laas/quotes', body, call));
      return parse<LockedQuote>(answer);
    },

    /** Opens a purchase (spec, endpoint 3). The answer says how the client must authenticate. */
    async initiateTransaction(body: Api.InitiateTransactionRequest, call?: PostOptions) {
      const request = post('/v1/laas/transactions/initiate', body, call);
      const answer = await send(request);
      return parse<Api.InitiatedTransaction>(answer);
    },

    /**
     * Sends the client's TOTP code for an `MFA_TOTP` challenge (spec, endpoint 4). The answer holds the Pix
     * copy-paste code that the client pays.
     */
    async confirmMfa({ transactionId, totpCode }: Api.ConfirmMfaRequest, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/mfa`, { totpCode }, call);
      const answer = await send(request);
      return parse<Api.MfaConfirmation>(answer);
    },

    /**
     * Cancels an unpaid transaction and closes its Pix charge. A repeated call gives the same answer. Rejects
     * with `TRANSACTION_NOT_CANCELABLE` if the transaction is paid, or has already ended in another way.
     * `details.status` is then its status.
     */
    async cancelTransaction(transactionId: string, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/cancel`, {}, call);
      const answer = await send(request);
      return parse<Api.CanceledTransaction>(answer);
    },

    /**
     * Reads the transaction until its status is one of `statuses`. Use it if you have no webhook receiver.
     * Rejects with `STATUS_UNREACHABLE` and the reason if the transaction reaches another final status, or is
     * beyond all of `statuses`. Rejects with `WAIT_TIMED_OUT` after `timeoutMs`.
     */
    waitForStatus<Status extends Api.TransactionStatus>(
      transactionId: string,
      statuses: readonly Status[],
      options: WaitOptions = {},
    ): Promise<Api.Transaction & { status: Status }> {
      const read = (call: CallOptions) => getTransactionStatus(transactionId, call);
      const name = `Transaction ${transactionId}`;
      const reasonOf = ({ failure }: Api.Transaction) => failure?.reason;
      const subject = {
        name,
        read,
        terminal: terminalTransactionStatuses,
        isPast: isTransactionPast,
        reasonOf,
        intervalMs: 2_000,
      };
      return waitForStatus(subject, statuses, { ...options, sleep, now });
    },
  };
}

function transactionPath(transactionId: string): string {
  return `/v1/laas/transactions/${idOf(transactionId)}`;
}

function idOf(transactionId: string): string {
  return segment('transactionId', transactionId);
}
