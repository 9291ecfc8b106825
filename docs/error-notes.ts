import { ASSET_NAMES } from '../functions/domain/assets.ts';
import type { ErrorCode } from '../functions/domain/errors.ts';
import { REJECTION_REASONS } from '../functions/domain/kyc/kyc-reasons.ts';

/**
 * The note about an error code in docs/errors.md. `reasons` explains the values of `details.reason`.
 * `mayPass` marks a refusal after which the same request can succeed.
 */
export type ErrorNote = {
  cause: string;
  reasons?: Readonly<Record<string, string>>;
  remedy: string;
  mayPass?: true;
};

/**
 * The cause and the remedy of each refusal, for partners. TypeScript does not compile if a code has no note.
 */
export const ERROR_NOTES: Record<ErrorCode, ErrorNote> = {
  NOT_FOUND: {
    cause: 'The method and path are no endpoint.',
    remedy: 'Paths begin with `/v1/laas/` or `/laas/partner`.',
  },
  REQUEST_TOO_LARGE: {
    cause: 'The body has more than 65,536 bytes.',
    remedy: 'Send the endpoint’s fields alone.',
  },
  INVALID_API_KEY: {
    cause: '`X-Service-API-Key` is missing, malformed, of another stage, revoked, or `WAITING`.',
    remedy: 'Send an active key of this stage: `sk_<stage>_<partner>_<key>_<secret>`.',
  },
  PARTNER_SUSPENDED: {
    cause: 'The account is suspended.',
    remedy: 'Talk to the operators.',
  },
  KEY_SCOPE_INSUFFICIENT: {
    cause: 'The key lacks the scope `details.needs`.',
    remedy: 'Call with another key. Only operators make `manage` keys.',
  },
  RATE_LIMIT_EXCEEDED: {
    cause: 'The key used up its minute: 100 requests, at most 20 KYC submissions, 50 initiations, 6 reports.',
    remedy: 'Wait. `RateLimit-Remaining` shows the rest.',
    mayPass: true,
  },
  INVALID_REQUEST: {
    cause: 'The body is no JSON object, or a field or the `Idempotency-Key` is malformed.',
    remedy: '`details.issues` names each field and its form.',
  },
  KYC_QUOTA_EXCEEDED: {
    cause:
      'Your account has used up the day’s paid look-ups of CPF and CNPJ. Later looks at your clients ' +
      'count, too.',
    remedy: 'Wait until `details.resetsAt`, or ask the operators for more.',
    mayPass: true,
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'Another request had this `Idempotency-Key` within 24 hours.',
    remedy: 'Use a new one.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The first request with this `Idempotency-Key` is still running, or has just broken off.',
    remedy: 'Repeat it unchanged.',
    mayPass: true,
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: 'No webhook endpoint of yours has this id.',
    remedy: '`GET /laas/partner` has the ids.',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    cause: 'You have `details.maximum` webhook endpoints.',
    remedy: 'Remove one.',
  },
  EVENT_NOT_FOUND: {
    cause: 'No event of yours in the last year has this id.',
    remedy: 'Use a `webhook-id`, or an `id` of `GET /v1/laas/events`.',
  },
  API_KEY_NOT_FOUND: {
    cause: 'No key of yours has this id.',
    remedy: '`GET /laas/partner` has the ids.',
  },
  API_KEY_IN_USE: {
    cause: 'A key cannot revoke itself.',
    remedy: 'Call with another key.',
  },
  API_KEY_LIMIT: {
    cause: 'Your `manage` keys have made `details.maximum` keys that are live or younger than 30 days.',
    remedy: 'Use one, or wait.',
  },
  VENDOR_KEY_NOT_FOUND: {
    cause: 'No key of your vendor has this `kid`.',
    remedy: '`GET /laas/partner/vendor-keys` has them.',
  },
  VENDOR_KEY_LIMIT: {
    cause: 'You have `details.maximum` keys of your vendor that wait or count.',
    remedy: 'Withdraw one that your vendor no longer uses.',
  },
  AMOUNT_OUT_OF_RANGE: {
    cause: '`amountBrl`, or the price of `assetAmount`, is below 50 or above 50,000 reais.',
    remedy: 'Use another amount.',
  },
  UNSUPPORTED_ASSET: {
    cause: `\`asset\` is none of ${ASSET_NAMES.map((asset) => `\`${asset}\``).join(', ')}, in capitals.`,
    remedy: 'Use one of `details.supported`.',
  },
  INVALID_WALLET_ADDRESS: {
    cause:
      '`details.reason` is `FORM`, `CHECKSUM` (EIP-55), `ZERO` or `RESERVED`: a token’s or the oracle’s ' +
      'contract, or a wallet of ours. At the last two tokens would be lost.',
    remedy: 'Let the user copy it from the wallet.',
  },
  KYC_TOKEN_NOT_FOUND: {
    cause: 'No KYC record of yours has this token.',
    remedy: 'Use the `token` of a submission.',
  },
  KYC_REJECTED: {
    cause: 'The client failed the screening: `details.reason`.',
    reasons: REJECTION_REASONS,
    remedy:
      'Do not sell to this client. A corrected CPF or CNPJ may be submitted. After ' +
      '`PARTNER_TOKEN_INVALID` let your vendor sign again: `details.fault` says why.',
  },
  KYC_TOKEN_EXPIRED: {
    cause: 'The token is 24 hours old, or its client’s data are being corrected.',
    remedy: 'Submit the client again. The authenticator app stays enrolled.',
  },
  KYC_NOT_APPROVED: {
    cause: 'The record is `PENDING` or `REJECTED` (`details.status`), perhaps since the purchase began.',
    remedy:
      'Lead the client to the `verificationUrl` or widget, if there is one. Wait for `kyc.approved` or ' +
      '`kyc.rejected`. It may expire undecided. A rejected record stays so, and its open purchases expire.',
  },
  CLIENT_BLOCKED: {
    cause:
      'The bank took back a payment, an operator has decided it, or this amount is too high now. The ' +
      'reason is never told.',
    remedy: 'Open no purchase for this client now. Open ones expire.',
  },
  WALLET_RISK_TOO_HIGH: {
    cause:
      'A sanctions list or the oracle names the wallet, the asset’s issuer blocks it, or its risk is too ' +
      'high.',
    remedy: 'Do not sell to this wallet.',
  },
  TRANSACTION_NOT_FOUND: {
    cause: 'No purchase of yours has this id.',
    remedy: 'Use the `transactionId` of the initiate answer.',
  },
  TRANSACTION_EXPIRED: {
    cause: 'The client did not answer or did not pay in time.',
    remedy: 'Open another purchase. A valid KYC token serves again.',
  },
  INVALID_TRANSACTION_STATE: {
    cause:
      'The purchase does not wait for this call (`details.status`). Or, in the sandbox, the payment or the ' +
      'liveness check has just ended.',
    remedy: 'Read its status.',
  },
  TRANSACTION_NOT_CANCELABLE: {
    cause: 'The purchase is paid or has ended (`details.status`).',
    remedy: 'A paid one is delivered or refunded.',
  },
  CHALLENGE_TYPE_MISMATCH: {
    cause: 'A code came, but the client has to show the face, perhaps only since the purchase began.',
    remedy:
      'Lead the client to the `livenessUrl`. If the challenge is `MFA_TOTP`, cancel the purchase and open ' +
      'another.',
  },
  MFA_ATTEMPTS_EXCEEDED: {
    cause:
      'Five codes for the purchase, or ten wrong codes of the client in a row (`details.scope`: ' +
      '`transaction`, `client`).',
    remedy:
      'Open another purchase. A locked client waits for `details.retryAfterSeconds`, at most 15 minutes.',
  },
  MFA_INVALID_CODE: {
    cause: 'The code is wrong, more than 30 seconds off, or was used for another purchase.',
    remedy: 'Ask for the app’s next code. `details.attemptsRemaining` tries are left.',
  },
  QUOTE_NOT_FOUND: {
    cause: 'No quote of yours of the last two days has this id.',
    remedy: 'Get another quote.',
  },
  QUOTE_MISMATCH: {
    cause: 'The quote is for `details.amountBrl` of `details.asset`.',
    remedy: 'Send these, or get another quote.',
  },
  QUOTE_USED: {
    cause: 'Another purchase of yours has used the quote: `details.transactionId`.',
    remedy: 'Read that purchase, or get another quote.',
  },
  QUOTE_EXPIRED: {
    cause: 'The charge was not made within the ten minutes of the quote (`details.expiredAt`).',
    remedy: 'Open another purchase with another quote. The first expires.',
  },
  PRICE_UNAVAILABLE: {
    cause: 'No price can be trusted, or the market is far above the quote.',
    remedy: 'Repeat, or offer a smaller amount or another asset.',
    mayPass: true,
  },
  PROMISES_EXHAUSTED: {
    cause:
      'Unused quotes and unpaid charges promise as much as may be: to this client, this wallet or your ' +
      'clients, or in this asset (`details.scope`).',
    remedy: 'Repeat later, or with less. A promise ends with its charge or quote.',
    mayPass: true,
  },
  LIMIT_EXCEEDED: {
    cause:
      'The client has an open charge at you (`OPEN_CHARGES` in `details.limit`), or the amount exceeds a ' +
      'cap: `PURCHASE_AMOUNT`, `DAILY_AMOUNT`, `MONTHLY_AMOUNT` or `YEARLY_AMOUNT`. Expired and ' +
      'canceled charges and full refunds do not count.',
    remedy:
      'Offer `details.remaining`, or wait until `details.resetsAt`. If the client begins again, cancel the ' +
      'open charge: `details.transactionId`. At `/mfa` no try is used up.',
    mayPass: true,
  },
  LIQUIDITY_UNAVAILABLE: {
    cause: 'The treasury cannot promise this purchase, or sales are paused.',
    remedy: 'Repeat, or offer another asset.',
    mayPass: true,
  },
  EXTERNAL_ID_TAKEN: {
    cause: 'Another purchase of yours has this `externalId`, whatever its status: `details.transactionId`.',
    remedy: 'Read it, or send another `externalId`.',
  },
  RECEIPT_NOT_AVAILABLE: {
    cause: 'The purchase is not completed, but `details.status`.',
    remedy: 'Wait for `transaction.completed`.',
  },
  INTERNAL_ERROR: {
    cause: 'A provider is down, or the service is at fault.',
    remedy: 'Repeat. Report `X-Request-Id`.',
    mayPass: true,
  },
};
