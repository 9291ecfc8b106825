import { ASSET_NAMES } from '../functions/domain/assets.ts';
import type { ErrorCode } from '../functions/domain/errors.ts';

/** `retry` says what a repetition of the same request can bring. */
export type ErrorNote = { cause: string; remedy: string; retry: 'no' | 'yes' | 'later' };

/** What a partner does about each refusal. A code without a note does not compile. */
export const ERROR_NOTES: Record<ErrorCode, ErrorNote> = {
  NOT_FOUND: {
    cause: 'The method and path are no endpoint, or a callback address was guessed.',
    remedy:
      'Compare both with the table of endpoints; a partner’s paths begin with `/v1/laas/` or ' +
      '`/laas/partner`.',
    retry: 'no',
  },
  REQUEST_TOO_LARGE: {
    cause: 'The body has more than 65,536 bytes. Beyond 10 MB API Gateway answers before the service does.',
    remedy: 'Send the fields of the endpoint and nothing else.',
    retry: 'no',
  },
  INVALID_API_KEY: {
    cause:
      'The header `X-Service-API-Key` is missing, has another form, is of another stage, or was revoked.',
    remedy: 'Send an active key of this stage: `sk_<stage>_<partner>_<key>_<secret>`.',
    retry: 'no',
  },
  PARTNER_SUSPENDED: {
    cause: 'The key is good, but the account behind it is suspended.',
    remedy: 'Talk to the operators; no request is served until they lift it.',
    retry: 'no',
  },
  RATE_LIMIT_EXCEEDED: {
    cause: 'The key used up its minute: 100 requests, of them 20 KYC submissions and 50 initiations.',
    remedy: 'Wait for the seconds of `Retry-After`; `RateLimit-Remaining` tells beforehand.',
    retry: 'later',
  },
  INVALID_REQUEST: {
    cause:
      'The body is no JSON object, a field is missing or has a wrong form, or the `Idempotency-Key` ' +
      'is blank, over 255 characters or not printable ASCII.',
    remedy: '`details.issues` names each field and what it must be.',
    retry: 'no',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The same `Idempotency-Key` came with another request within 24 hours.',
    remedy: 'Take a new key for a new request; repeat a request with the very same fields.',
    retry: 'no',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause:
      'The first request with this `Idempotency-Key` is still being answered, or broke off a moment ago.',
    remedy: 'Repeat it unchanged after the seconds of `Retry-After`: the answer will be that of the first.',
    retry: 'later',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: 'No webhook endpoint of yours has this id, or it was removed.',
    remedy: 'Take an `id` of `webhookEndpoints` in the answer of `GET /laas/partner`.',
    retry: 'no',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    cause: 'You have `details.maximum` webhook endpoints, and each of them gets every event.',
    remedy: 'Remove one, or send the events on from one of them.',
    retry: 'no',
  },
  API_KEY_NOT_FOUND: {
    cause: 'No key of yours has this id.',
    remedy: 'Take an `id` of `keys` in the answer of `GET /laas/partner`.',
    retry: 'no',
  },
  API_KEY_IN_USE: {
    cause: 'The key was to revoke itself, which would be the last that it does.',
    remedy: 'Call with another key of yours, or ask the operators to revoke it.',
    retry: 'no',
  },
  AMOUNT_OUT_OF_RANGE: {
    cause: '`amountBrl` is below 50 or above 50,000.',
    remedy: 'Ask for an amount from `details.minimum` to `details.maximum`.',
    retry: 'no',
  },
  UNSUPPORTED_ASSET: {
    cause: `\`asset\` is none of ${ASSET_NAMES.map((asset) => `\`${asset}\``).join(', ')}, in capitals.`,
    remedy: 'Take one of `details.supported`.',
    retry: 'no',
  },
  INVALID_WALLET_ADDRESS: {
    cause:
      'Not an EVM address with its EIP-55 checksum, or one where tokens would be lost. `details.reason` is ' +
      '`FORM`, `CHECKSUM`, `ZERO`, or `RESERVED` for the address of a token, of the oracle or of a wallet ' +
      'that pays purchases.',
    remedy: 'Have the user copy the address from the wallet, letters’ case included.',
    retry: 'no',
  },
  KYC_TOKEN_NOT_FOUND: {
    cause: 'No KYC record of yours has this token.',
    remedy: 'Submit the client’s data and take the token of the answer.',
    retry: 'no',
  },
  KYC_REJECTED: {
    cause:
      'The client failed the screening, and `details.reason` says by which rule: `SANCTIONS_HIT`, ' +
      '`CPF_IRREGULAR`, `DECEASED`, `UNDERAGE`, `CNPJ_IRREGULAR` (a legal entity that is not active, or ' +
      'that the registry does not know), `DOCUMENT_REJECTED`, `IDENTITY_MISMATCH` (the document ' +
      'is of another person than the CPF), or `PARTNER_TOKEN_INVALID` (Model 2: the token’s signature, ' +
      'issuer, audience, subject, times or id, or it was used for another request).',
    remedy:
      'Do not sell to this client. A wrong CPF or CNPJ can be submitted again, corrected; for ' +
      '`PARTNER_TOKEN_INVALID` have your vendor sign anew.',
    retry: 'no',
  },
  KYC_TOKEN_EXPIRED: {
    cause: 'The token was issued 24 hours ago or earlier.',
    remedy: 'Submit the client’s data again; the authenticator app stays enrolled.',
    retry: 'no',
  },
  KYC_NOT_APPROVED: {
    cause:
      'The record is `PENDING` or `REJECTED`; `details.status` says which. It may have become so since the ' +
      'purchase began, because a list has changed.',
    remedy:
      'Wait for `kyc.approved` or `kyc.rejected`, or look the record up. Where the submission answered a ' +
      '`verificationUrl` or a `widgetToken`, the client has to show documents and face there; submit again ' +
      'for new ones. A rejected record stays rejected, and its open purchases expire.',
    retry: 'no',
  },
  CLIENT_BLOCKED: {
    cause:
      'The bank has taken back a payment of this client, and no person at the service’s operator has ' +
      'lifted the block.',
    remedy:
      'Open no purchase for this client until the service’s operator says so. No charge is issued for ' +
      'purchases that wait for their authentication; they expire. The answer is not remembered under the ' +
      '`Idempotency-Key`.',
    retry: 'no',
  },
  WALLET_RISK_TOO_HIGH: {
    cause:
      'A sanctions list or the on-chain oracle names the destination wallet, the asset’s issuer blocks it, ' +
      'or its risk is judged too high.',
    remedy: 'Do not sell to this wallet.',
    retry: 'no',
  },
  TRANSACTION_NOT_FOUND: {
    cause: 'No transaction of yours has this id.',
    remedy: 'Take the `transactionId` of the initiate answer.',
    retry: 'no',
  },
  TRANSACTION_EXPIRED: {
    cause: 'Nobody authenticated the transaction within 15 minutes, or nobody paid it within 30.',
    remedy: 'Initiate a new one; the KYC token serves again while it is valid.',
    retry: 'no',
  },
  INVALID_TRANSACTION_STATE: {
    cause: 'The transaction is not waiting for this; `details.status` says where it stands.',
    remedy: 'Read its status: the code was probably accepted already.',
    retry: 'no',
  },
  CHALLENGE_TYPE_MISMATCH: {
    cause: 'A TOTP code was sent for a transaction whose challenge is `LIVENESS`.',
    remedy: 'Send the user to the challenge’s `livenessUrl`.',
    retry: 'no',
  },
  MFA_ATTEMPTS_EXCEEDED: {
    cause:
      'Five codes were tried for the transaction (`details.scope` is `transaction`), or ten wrong ones in ' +
      'a row by the client (`client`).',
    remedy:
      'Initiate a new transaction. A client locked by ten wrong codes can do so after ' +
      '`details.retryAfterSeconds`, 15 minutes at most.',
    retry: 'no',
  },
  MFA_INVALID_CODE: {
    cause: 'The code is wrong, more than 30 seconds off, or has cleared another transaction already.',
    remedy: 'Ask for the next code of the app; `details.attemptsRemaining` tries are left.',
    retry: 'no',
  },
  PRICE_UNAVAILABLE: {
    cause:
      'The exchange’s price is not one to sell at: its offers are less than the purchase, no other ' +
      'asset of the same currency has a price near it, or it moved too far within the last hour. ' +
      'Nothing was opened or charged.',
    remedy:
      'Repeat with the same `Idempotency-Key` after the seconds of `Retry-After`; a smaller amount or ' +
      'another asset may have a price. At `/mfa` no try is used up, and the code serves again ' +
      'under that key for as long as the purchase waits, unless the client has cleared another purchase ' +
      'since.',
    retry: 'later',
  },
  LIMIT_EXCEEDED: {
    cause:
      'The client has a charge at you that is not over (`details.limit` is `OPEN_CHARGES`), or its charges ' +
      'of the day would come to too much (`DAILY_AMOUNT`, BRL). A day ends at midnight in Brasília; what ' +
      'expired unpaid does not count. Nothing was opened or charged.',
    remedy:
      'Offer what is left of the limit (`details.remaining` of `details.maximum`), or wait: it is over at ' +
      '`details.resetsAt`, and an open charge also once it is paid. The same request may be repeated then; ' +
      'at `/mfa` no try is used up.',
    retry: 'later',
  },
  LIQUIDITY_UNAVAILABLE: {
    cause:
      'The treasury cannot surely pay this purchase besides those that are charged, its balance was not ' +
      'read for five minutes, or operators have paused the asset. Nothing was opened or charged.',
    remedy:
      'Repeat with the same `Idempotency-Key` after the seconds of `Retry-After`, or offer the other ' +
      'asset. At `/mfa` no try is used up, and the code serves again under that key for as long as the ' +
      'purchase waits, unless the client has cleared another purchase since.',
    retry: 'later',
  },
  INTERNAL_ERROR: {
    cause: 'A provider is out of reach, or the service is at fault. Nothing was decided.',
    remedy:
      'Repeat with the same `Idempotency-Key`, after `Retry-After` where it is given. Report `X-Request-Id`.',
    retry: 'yes',
  },
};
