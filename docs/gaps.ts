import type { Clause } from './clauses.ts';

/**
 * A point in which the service departs from the specification. A gap without `clauses` concerns the whole
 * specification.
 */
export type Gap = { title: string; text: string; clauses?: readonly Clause[] };

export const GAPS: readonly Gap[] = [
  {
    title: 'No real provider was asked',
    text: 'Adapters and simulators follow public documentation. A misreading would be in both.',
  },
  {
    title: 'The biometric hash is compared only where the identity provider holds one',
    text:
      'The provider compares it after the submission ' +
      '(decision "Documents and face are verified by the identity provider"). Submit makes no applicant ' +
      'for a rejected client, or while the provider is down.',
    clauses: [
      'The service does all KYC/AML',
      'generates an applicant identifier',
      'SHA-256 hash of the biometric data; format sha256:<hex>',
    ],
  },
  {
    title: 'Names are matched by likeness, in Latin letters',
    text:
      'Names in other scripts match only themselves. CEIS and CNEP are searched by document only, PEP ' +
      'by six digits of the CPF and the name. Between two scores a person decides (docs/compliance.md, ' +
      '"Effect of a hit").',
    clauses: [
      'sanctions lists from Brazil, the US and the UN',
      'Runs sanctions screening, PEP checks and wallet risk scoring',
    ],
  },
  {
    title: 'While the CPF registry is down, the lists are searched by number only',
    text:
      'The name comes from the registry. Submit answers `PENDING`, and a later hit by name is reported ' +
      'by `kyc.rejected` and by the lookup.',
    clauses: [
      'a hit that the partner vendor missed',
      'Runs sanctions screening, PEP checks and wallet risk scoring',
    ],
  },
  {
    title: 'The wallet risk score is yes or no',
    text: 'KYC scores the wallets of earlier purchases, so a first submission scores none.',
    clauses: ['wallet risk scoring', 'Runs sanctions screening, PEP checks and wallet risk scoring'],
  },
  {
    title: 'A `STANDARD` client gets `LIVENESS` in two cases',
    text:
      'Once after an operator replaced their TOTP secret, and while a MED about one of their payments ' +
      'is open.',
    clauses: [
      'an authentication challenge whose type depends on the risk tier',
      "the instruction asks for the user's 6-digit TOTP code",
      'TOTP for STANDARD, liveness verification for HIGH and PEP',
    ],
  },
  {
    title: 'The 200 of submit says `REJECTED` only to a repetition',
    text:
      'A rejection is the 422 of the same section and gives no token. The lookup, and a replay under the ' +
      'same `Idempotency-Key`, answer `REJECTED` for records that were `PENDING` or `APPROVED` before. ' +
      'Both answer `EXPIRED` once a correction has ended the token, as does a submission that a ' +
      'correction overtakes.',
    clauses: [
      'the lookup endpoint can also return EXPIRED',
      'Response 200: token, status, riskTier, expiresAt',
    ],
  },
  {
    title: '`pixPayload` is in the status answer only while the status is `AWAITING_PIX`',
    text: 'It is gone once the purchase is paid or over.',
    clauses: ['and pixPayload once available'],
  },
  {
    title: 'Not every first response is remembered under its `Idempotency-Key`',
    text:
      'A malformed request, 401, 403, 429, 5xx and a refusal that names its time run again. A second ' +
      'request during the first gets 409. A replay omits a TOTP secret that the client has used, and ' +
      'counts in the rate limit. A key has 1 to 255 printable ASCII characters. A replay of `/mfa` shows ' +
      'the status of now, and a payload only while it can be paid.',
    clauses: [
      'a repeated request with the same Idempotency-Key',
      'returns the cached response of the first',
      'any unique string',
    ],
  },
  {
    title: 'A wrong code is not always `MFA_INVALID_CODE`',
    text:
      'A code that is not six digits is `INVALID_REQUEST`. After five wrong codes, and while the client ' +
      'is locked, even the right code is `MFA_ATTEMPTS_EXCEEDED`.',
    clauses: [
      'A wrong or expired code gives MFA_INVALID_CODE',
      'MFA_INVALID_CODE 422: TOTP code wrong or expired',
    ],
  },
  {
    title: 'A purchase does not always end as `EXPIRED` at its time-out',
    text:
      'A late Pix that is seen before the time-out fired is refunded as `PAID_LATE`. ' +
      'While the provider cannot say whether a charge was paid, the purchase stays in ' +
      '`AWAITING_PIX`. While the identity provider cannot say whether the client passed, it stays in ' +
      '`AWAITING_MFA` up to an hour longer. A cancel between the deadline and the time-out ends it as ' +
      '`CANCELED`.',
    clauses: [
      'PROCESSING: Pix payment detected',
      'EXPIRED: no MFA response within 15 minutes',
      'EXPIRED: no Pix payment within 30 minutes',
    ],
  },
  {
    title: 'Some amounts and addresses within the rules are refused',
    text:
      'An amount with more than two decimals is `INVALID_REQUEST`. The zero address, the contracts of ' +
      'the chain and our own wallets are `INVALID_WALLET_ADDRESS`. A listed or too risky wallet is ' +
      '`WALLET_RISK_TOO_HIGH`. `LIMIT_EXCEEDED`, `CLIENT_BLOCKED` and ' +
      '`LIQUIDITY_UNAVAILABLE` refuse what the client or the treasury may not take now.',
    clauses: [
      'minimum 50, maximum 50000 per transaction',
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
    text: 'Up to twice the number can pass within sixty seconds that include a change of minute.',
    clauses: [
      'Per API key: 100 requests per minute',
      'KYC submissions: 20 per minute per key',
      'Transaction initiations: 50 per minute per key',
    ],
  },
];
