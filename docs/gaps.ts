import type { Clause } from './clauses.ts';

/**
 * A point in which the service departs from the specification. A gap without `clauses` concerns the whole
 * specification.
 */
export type Gap = { title: string; text: string; clauses?: readonly Clause[] };

export const GAPS: readonly Gap[] = [
  {
    title: 'No real provider was asked',
    text: 'Adapters and simulators follow public documentation: a misreading would be in both.',
  },
  {
    title: 'The biometric hash is compared only where the identity provider holds one',
    text:
      'It is compared after the submission. Submit makes no applicant for a rejected client, or while the ' +
      'provider is down.',
    clauses: ['does all KYC/AML', 'generates an applicant identifier', 'biometric data; format sha256:<hex>'],
  },
  {
    title: 'Names are matched by likeness, in Latin letters',
    text:
      'Names in other scripts match only themselves. Some lists are searched by number alone. Between two ' +
      'scores a person decides (docs/compliance.md, "Effect of a hit").',
    clauses: ['sanctions lists from Brazil, the US and the UN'],
  },
  {
    title: 'While the CPF registry is down, the lists are searched by number only',
    text: 'Submit answers `PENDING`. `kyc.rejected` and the lookup tell of a later hit by name.',
    clauses: ['sanctions lists from Brazil, the US and the UN', 'a hit that the partner vendor missed'],
  },
  {
    title: 'The wallet risk score is yes or no',
    text: 'KYC scores the wallets of earlier purchases, so a first submission has none.',
    clauses: ['wallet risk scoring'],
  },
  {
    title: 'A `STANDARD` client gets `LIVENESS` in two cases',
    text: 'Once after operators reset their TOTP, and while a MED about one of their payments is open.',
    clauses: [
      "asks for the user's 6-digit TOTP code",
      'TOTP for STANDARD, liveness verification for HIGH and PEP',
    ],
  },
  {
    title: 'The 200 of submit says `REJECTED` only to a repetition',
    text:
      'A rejection is a 422 without a token. The lookup, and a replay of submit, answer `REJECTED` for ' +
      'records that were `PENDING` or `APPROVED`. Both answer `EXPIRED` after a correction, as does a ' +
      'submission that a correction overtakes.',
    clauses: ['APPROVED, PENDING, REJECTED, EXPIRED', 'Response 200: token, status, riskTier, expiresAt'],
  },
  {
    title: '`pixPayload` is in the status answer only during `AWAITING_PIX`',
    text: 'It is gone once the purchase is paid or over.',
    clauses: ['and pixPayload once available'],
  },
  {
    title: 'Not every first response is remembered under its `Idempotency-Key`',
    text:
      'A malformed request, 401, 403, 429, 5xx and a refusal that names its time run again (decision ' +
      '"Idempotency"). A replay omits a TOTP secret that the client has used, and counts in the rate ' +
      'limit. A replay of `/mfa` shows the status of now, and a payload only while it can be paid. A key ' +
      'has 1 to 255 printable ASCII characters.',
    clauses: [
      'a repeated request with the same Idempotency-Key',
      'returns the cached response of the first',
      'any unique string',
    ],
  },
  {
    title: 'A wrong code is not always `MFA_INVALID_CODE`',
    text:
      'Without six digits it is `INVALID_REQUEST`. After five wrong codes, and while the client is locked, ' +
      'even the right code is `MFA_ATTEMPTS_EXCEEDED`.',
    clauses: ['MFA_INVALID_CODE 422: TOTP code wrong or expired'],
  },
  {
    title: 'A purchase does not always end as `EXPIRED` at its time-out',
    text:
      'A late Pix seen before it fires is refunded as `PAID_LATE`. The purchase waits while the payment ' +
      'provider cannot say whether it was paid, and an hour longer at most while the identity ' +
      'provider cannot say whether the client passed. A cancel after the deadline ends it as `CANCELED`.',
    clauses: [
      'PROCESSING: Pix payment detected',
      'EXPIRED: no MFA response within 15 minutes',
      'EXPIRED: no Pix payment within 30 minutes',
    ],
  },
  {
    title: 'Some amounts and addresses within the rules are refused',
    text:
      'An amount with more than two decimals is `INVALID_REQUEST`. The zero address, the contracts of the ' +
      'chain and our own wallets are `INVALID_WALLET_ADDRESS`. A listed or too risky wallet is ' +
      '`WALLET_RISK_TOO_HIGH`. `LIMIT_EXCEEDED`, `CLIENT_BLOCKED` and 503 refuse what client or treasury ' +
      'may not take now.',
    clauses: [
      'amountBrl: minimum 50, maximum 50000',
      'EVM-compatible address with EIP-55 checksum',
      'INVALID_WALLET_ADDRESS 422: Wallet address fails checksum validation',
    ],
  },
  {
    title: 'A legal entity is approved only with our own field `cnpj`',
    text: 'Without it the record stays `PENDING` with the reason `CNPJ_REQUIRED`.',
    clauses: ['PF (individual, default) or PJ (legal entity / CNPJ holder)'],
  },
  {
    title: 'Some answers have no envelope',
    text: 'A receipt as PDF, a report as CSV, a public page, API Gateway’s refusal of a body over 10 MB.',
    clauses: ['true on every 2xx response', 'Every failure uses this envelope'],
  },
  {
    title: 'A minute of the rate limits is a minute of the clock',
    text: 'Sixty seconds that include a change of minute can take twice the number.',
    clauses: [
      'Per API key: 100 requests per minute',
      'KYC submissions: 20 per minute per key',
      'Transaction initiations: 50 per minute per key',
    ],
  },
];
