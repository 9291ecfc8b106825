import { ASSET_NAMES } from '../functions/domain/assets.ts';
import type { ErrorCode } from '../functions/domain/errors.ts';
import { REJECTION_REASONS } from '../functions/domain/kyc/kyc-reasons.ts';

/**
 * The note about an error code in docs/errors.md. `reasons` explains the values of `details.reason`. `retry`
 * says whether a repetition of the same request can succeed.
 */
export type ErrorNote = {
  cause: string;
  reasons?: Readonly<Record<string, string>>;
  remedy: string;
  retry: 'no' | 'yes' | 'later';
};

/**
 * The cause and the remedy of each refusal, for partners. TypeScript does not compile if a code has no note.
 */
export const ERROR_NOTES: Record<ErrorCode, ErrorNote> = {
  NOT_FOUND: {
    cause: 'The method and path are no endpoint.',
    remedy: 'Paths begin with `/v1/laas/` or `/laas/partner`.',
    retry: 'no',
  },
  REQUEST_TOO_LARGE: {
    cause: 'The body has more than 65,536 bytes. Beyond 10 MB API Gateway answers first.',
    remedy: 'Send the fields of the endpoint and nothing else.',
    retry: 'no',
  },
  INVALID_API_KEY: {
    cause: '`X-Service-API-Key` is missing, malformed, of another stage, revoked, or `WAITING`.',
    remedy: 'Send an active key of this stage: `sk_<stage>_<partner>_<key>_<secret>`.',
    retry: 'no',
  },
  PARTNER_SUSPENDED: {
    cause: 'The account is suspended.',
    remedy: 'Talk to the operators.',
    retry: 'no',
  },
  KEY_SCOPE_INSUFFICIENT: {
    cause: 'The key lacks the scope `details.needs`. It has `details.has`.',
    remedy: 'Call with another key. Operators make keys with the scope `manage`.',
    retry: 'no',
  },
  RATE_LIMIT_EXCEEDED: {
    cause: 'The key used up its minute: 100 requests, at most 20 KYC submissions, 50 initiations, 6 reports.',
    remedy: 'Wait. `RateLimit-Remaining` shows the rest in advance.',
    retry: 'later',
  },
  INVALID_REQUEST: {
    cause:
      'The body is no JSON object, or a field is missing or malformed. Or the `Idempotency-Key` is blank, ' +
      'too long (255) or not printable ASCII.',
    remedy: '`details.issues` names each field and its required form.',
    retry: 'no',
  },
  KYC_QUOTA_EXCEEDED: {
    cause:
      'Your account has used up the paid look-ups of CPF and CNPJ for the day in Brasília. Later looks at ' +
      'your clients count, too.',
    remedy: 'Wait until `details.resetsAt`, or ask the operators for more. If a key is stolen, revoke it.',
    retry: 'later',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` came with another request within 24 hours.',
    remedy: 'Use a new key for each new request.',
    retry: 'no',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The first request with this `Idempotency-Key` is still running, or has just broken off.',
    remedy: 'Repeat it unchanged: you get the answer of the first.',
    retry: 'later',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: 'None of your webhook endpoints has this id.',
    remedy: 'Use an `id` of `webhookEndpoints` from `GET /laas/partner`.',
    retry: 'no',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    cause: 'You have `details.maximum` webhook endpoints.',
    remedy: 'Remove one.',
    retry: 'no',
  },
  EVENT_NOT_FOUND: {
    cause: 'No event of yours has this id, or it is older than a year.',
    remedy: 'Use the `webhook-id` of a delivery, or an `id` of the list of events.',
    retry: 'no',
  },
  API_KEY_NOT_FOUND: {
    cause: 'None of your keys has this id.',
    remedy: 'Use an `id` of `keys` from `GET /laas/partner`.',
    retry: 'no',
  },
  API_KEY_IN_USE: {
    cause: 'A key cannot revoke itself.',
    remedy: 'Call with another key, or ask the operators.',
    retry: 'no',
  },
  API_KEY_LIMIT: {
    cause: 'Your `manage` keys have made `details.maximum` keys that are live or younger than 30 days.',
    remedy: 'Use one, or wait until one that has ended is 30 days old. Then send a new `Idempotency-Key`.',
    retry: 'no',
  },
  VENDOR_KEY_NOT_FOUND: {
    cause: 'No key of your KYC vendor has this `kid`. A proposal that was withdrawn is gone.',
    remedy: 'Use a `kid` of `GET /laas/partner/vendor-keys`.',
    retry: 'no',
  },
  VENDOR_KEY_LIMIT: {
    cause: 'You have `details.maximum` keys of your vendor that wait or count.',
    remedy: 'Withdraw those that your vendor no longer uses.',
    retry: 'no',
  },
  AMOUNT_OUT_OF_RANGE: {
    cause: '`amountBrl`, or the price of `assetAmount`, is below 50 or above 50,000 reais.',
    remedy: 'Use an amount from `details.minimum` to `details.maximum`.',
    retry: 'no',
  },
  UNSUPPORTED_ASSET: {
    cause: `\`asset\` is none of ${ASSET_NAMES.map((asset) => `\`${asset}\``).join(', ')}, in capitals.`,
    remedy: 'Use one of `details.supported`.',
    retry: 'no',
  },
  INVALID_WALLET_ADDRESS: {
    cause:
      'Not an EVM address with its EIP-55 checksum, or an address where tokens would be lost. ' +
      '`details.reason` is `FORM`, `CHECKSUM`, `ZERO`, or `RESERVED` (a contract of ' +
      'a token or of the sanctions oracle, or a wallet from which we pay).',
    remedy: 'Let the user copy the address from the wallet.',
    retry: 'no',
  },
  KYC_TOKEN_NOT_FOUND: {
    cause: 'None of your KYC records has this token.',
    remedy: 'Use the token of a submission’s answer.',
    retry: 'no',
  },
  KYC_REJECTED: {
    cause: 'The client failed the screening. `details.reason` names the rule:',
    reasons: REJECTION_REASONS,
    remedy:
      'Do not sell to this client. A corrected CPF or CNPJ may be submitted. After ' +
      '`PARTNER_TOKEN_INVALID` let your vendor sign again: `details.fault` names what was wrong.',
    retry: 'no',
  },
  KYC_TOKEN_EXPIRED: {
    cause: 'The token was issued 24 hours ago or earlier, or its client’s data are being corrected.',
    remedy: 'Submit the client’s data again. The authenticator app stays enrolled.',
    retry: 'no',
  },
  KYC_NOT_APPROVED: {
    cause: 'The record is `PENDING` or `REJECTED` (`details.status`), perhaps since the purchase began.',
    remedy:
      'Wait for `kyc.approved` or `kyc.rejected`, or look the record up: it may expire undecided. At a ' +
      '`verificationUrl` or `widgetToken` the client must show documents and face. A rejected record stays ' +
      'rejected, and its open purchases expire.',
    retry: 'no',
  },
  CLIENT_BLOCKED: {
    cause:
      'The bank took back a payment, an operator has decided it, or this amount is too high now. The ' +
      'reason is never told.',
    remedy: 'Open no purchase for this client for now. Open ones get no charge and expire.',
    retry: 'no',
  },
  WALLET_RISK_TOO_HIGH: {
    cause:
      'A sanctions list or the on-chain oracle names the wallet, the asset’s issuer blocks it, or its ' +
      'risk is too high.',
    remedy: 'Do not sell to this wallet.',
    retry: 'no',
  },
  TRANSACTION_NOT_FOUND: {
    cause: 'None of your transactions has this id.',
    remedy: 'Use the `transactionId` of the initiate answer.',
    retry: 'no',
  },
  TRANSACTION_EXPIRED: {
    cause: 'The client did not authenticate within 15 minutes, or did not pay within 30.',
    remedy: 'Initiate a new transaction. A valid KYC token serves again.',
    retry: 'no',
  },
  INVALID_TRANSACTION_STATE: {
    cause:
      'The transaction does not wait for this call: see `details.status`. Or, in the sandbox, ' +
      'the payment or the liveness check has just ended, and the status follows.',
    remedy: 'Read its status.',
    retry: 'no',
  },
  TRANSACTION_NOT_CANCELABLE: {
    cause: 'It is paid, or has ended otherwise: see `details.status`.',
    remedy: 'Read its status. A paid transaction is delivered or refunded.',
    retry: 'no',
  },
  CHALLENGE_TYPE_MISMATCH: {
    cause: 'A TOTP code came for a transaction whose client has to show the face, perhaps since it began.',
    remedy:
      'Send the user to the challenge’s `livenessUrl`. If the challenge is `MFA_TOTP`, cancel the ' +
      'transaction and initiate another.',
    retry: 'no',
  },
  MFA_ATTEMPTS_EXCEEDED: {
    cause:
      'Five codes for the transaction, or ten wrong codes of the client in a row (`details.scope`: ' +
      '`transaction`, `client`).',
    remedy:
      'Initiate a new transaction. A locked client waits for `details.retryAfterSeconds`, at most 15 ' +
      'minutes.',
    retry: 'no',
  },
  MFA_INVALID_CODE: {
    cause: 'The code is wrong, more than 30 seconds off, or was used for another transaction.',
    remedy: 'Ask for the next code of the app. `details.attemptsRemaining` tries are left.',
    retry: 'no',
  },
  QUOTE_NOT_FOUND: {
    cause: 'No quote of yours of the last two days has this id.',
    remedy: 'Use the `quoteId` that `POST /v1/laas/quotes` has answered.',
    retry: 'no',
  },
  QUOTE_MISMATCH: {
    cause: 'The quote is for `details.amountBrl` of `details.asset`.',
    remedy: 'Send the `amountBrl` and the `asset` of the quote, or get another quote.',
    retry: 'no',
  },
  QUOTE_USED: {
    cause: 'Another purchase of yours has used the quote: `details.transactionId`.',
    remedy: 'Read that purchase, or get another quote. No purchase gives its quote back.',
    retry: 'no',
  },
  QUOTE_EXPIRED: {
    cause: 'The charge was not made within the ten minutes of the quote (`details.expiredAt`).',
    remedy: 'Get another quote, show its price to the client, and open another purchase. The first expires.',
    retry: 'no',
  },
  PRICE_UNAVAILABLE: {
    cause: 'No price can be trusted, for example because exchanges differ or the price moved too far.',
    remedy: 'Repeat, or offer a smaller amount or another asset.',
    retry: 'later',
  },
  PROMISES_EXHAUSTED: {
    cause:
      'Unused quotes and unpaid charges promise as much as may be: to this client, to this wallet, to your ' +
      'clients, or in this asset (`details.scope`).',
    remedy: 'Repeat later, or with a smaller amount. A promise ends with its charge or quote.',
    retry: 'later',
  },
  LIMIT_EXCEEDED: {
    cause:
      'The client has an open charge at you (`OPEN_CHARGES` in `details.limit`), or the amount exceeds a ' +
      'cap in BRL: `PURCHASE_AMOUNT`, `DAILY_AMOUNT`, `MONTHLY_AMOUNT` or `YEARLY_AMOUNT`. Expired and ' +
      'canceled charges and full refunds do not count. Nothing was opened or charged.',
    remedy:
      'Offer the rest (`details.remaining` of `details.maximum`), or wait until `details.resetsAt`. If the ' +
      'client begins again, end the open charge with `POST /v1/laas/transactions/{id}/cancel`: its id is ' +
      '`details.transactionId`. At `/mfa` no try is used up.',
    retry: 'later',
  },
  LIQUIDITY_UNAVAILABLE: {
    cause: 'The treasury cannot promise this purchase, or sales are paused.',
    remedy: 'Repeat, or offer another asset.',
    retry: 'later',
  },
  EXTERNAL_ID_TAKEN: {
    cause: 'Another purchase of yours has this `externalId`, whatever its status: `details.transactionId`.',
    remedy: 'Read that purchase. For a new purchase send a new `externalId`.',
    retry: 'no',
  },
  RECEIPT_NOT_AVAILABLE: {
    cause: 'The purchase is not completed, but `details.status`.',
    remedy: 'Wait for `transaction.completed`.',
    retry: 'no',
  },
  INTERNAL_ERROR: {
    cause: 'A provider is down, or the service is at fault.',
    remedy:
      'Repeat with the same `Idempotency-Key`, after `Retry-After` if it is given. Report `X-Request-Id`.',
    retry: 'yes',
  },
};
