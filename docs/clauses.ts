/**
 * The clauses of the specification by its headings, in its order. Each clause is a short quotation. A row of
 * a table in the specification reads "subject: rest of the row". Above every test that proves a clause stands
 * the mark `// Spec, <heading>: "<clause>"`. A rule that the specification repeats stands once.
 */
export const CLAUSES = {
  'What the service does': [
    'sell stablecoins to its end users',
    'sanctions lists from Brazil, the US and the UN',
    'politically-exposed-person (PEP) checks',
    'wallet risk scoring',
    'the client pays from a Brazilian bank',
    'on-chain risk check on the destination wallet',
    'the transaction flow is identical',
    'does all KYC/AML',
    "The partner's own KYC vendor clears the user",
    'issues its own KYC token',
    'an embedded identity-verification widget',
    'both data sets are cross-checked',
    'a hit that the partner vendor missed',
    'generates an applicant identifier',
    'the partner passes only biometricHash',
    'A client library wraps the REST endpoints',
    'production at {base_url}, sandbox at {sandbox_base_url}',
    'a special test CPF exists',
  ],
  Transaction: ['Pix copy-paste string, issued once the challenge is cleared'],
  'Auth challenge': ['MFA_TOTP or LIVENESS', 'Human-readable text', 'Present only when type is LIVENESS'],
  'Response envelope': ['true on every 2xx response'],
  'Transaction states': [
    'CREATED, AWAITING_MFA, AWAITING_PIX, PROCESSING, COMPLETED, FAILED, EXPIRED',
    'COMPLETED, FAILED and EXPIRED are terminal',
    'CREATED: transaction initiate, valid request',
    'AWAITING_MFA: auth challenge issued',
    'AWAITING_PIX: MFA code accepted',
    'AWAITING_PIX: liveness completed',
    'PROCESSING: Pix payment detected',
    'COMPLETED: stablecoin settled on-chain',
    'FAILED: settlement error after automatic retries (3 attempts)',
    'EXPIRED: no MFA response within 15 minutes',
    'EXPIRED: no Pix payment within 30 minutes',
    'Before the Pix payment is confirmed',
  ],
  'KYC record statuses': ['APPROVED, PENDING, REJECTED, EXPIRED'],
  Endpoints: ['All bodies are JSON', 'accepts an optional Idempotency-Key header'],
  'Submit KYC data': [
    'punctuated (NNN.NNN.NNN-NN) or 11 plain digits',
    'biometric data; format sha256:<hex>',
    'PF (individual, default) or PJ (legal entity / CNPJ holder)',
    "the partner vendor's KYC token",
    'Value shared is used in Model 3',
    'Response 200: token, status, riskTier, expiresAt',
  ],
  'Get KYC status': ['Response 200: token, status, riskTier, expiresAt'],
  'Initiate a transaction': [
    'USDT or USDC',
    'EVM-compatible address with EIP-55 checksum',
    'on the single EVM network',
    'Response 200: transactionId, status = PENDING_AUTH, authChallenge',
    'an auth challenge before a Pix payload is issued',
    "asks for the user's 6-digit TOTP code",
  ],
  'Confirm MFA': [
    'passes transactionId and totpCode',
    'pixPayload and, in Model 1, also pixQrCode',
    'Used only for MFA_TOTP challenges',
  ],
  'Get transaction status': [
    'Response contains status',
    'and pixPayload once available',
    'reads the payload from this endpoint',
  ],
  Authentication: [
    'Every request carries the header X-Service-API-Key',
    'TOTP for STANDARD, liveness verification for HIGH and PEP',
    'validated by the service, including their signature',
  ],
  Events: [
    'HTTP POST to the partner',
    'may poll the status endpoint instead',
    'transaction.mfa_cleared: Not a payload description',
    'transaction.pix_ready: Includes pixPayload',
    'transaction.completed: txHash, amount, walletAddress',
  ],
  Errors: [
    'Every failure uses this envelope',
    'error.code (string, upper snake case)',
    'INVALID_API_KEY 401: Key missing, malformed or revoked',
    'PARTNER_SUSPENDED 403: Partner account suspended',
    'KYC_REJECTED 422: Client failed compliance screening; details.reason',
    'KYC_TOKEN_EXPIRED 422: KYC token older than 24 hours',
    'INVALID_WALLET_ADDRESS 422: Wallet address fails checksum validation',
    'TRANSACTION_NOT_FOUND 404: Transaction id does not exist',
    'MFA_INVALID_CODE 422: TOTP code wrong or expired',
    'RATE_LIMIT_EXCEEDED 429: a Retry-After header is sent',
    'INTERNAL_ERROR 500: Service-side error',
  ],
  Limits: [
    'Per API key: 100 requests per minute',
    'KYC submissions: 20 per minute per key',
    'Transaction initiations: 50 per minute per key',
    'amountBrl: minimum 50, maximum 50000',
    'KYC token lifetime: 24 hours',
    'Liveness URL validity: 10 minutes',
    'Settlement failure: 3 automatic retries before FAILED',
    'a repeated request with the same Idempotency-Key',
    'returns the cached response of the first',
    'any unique string',
  ],
  Versioning: ['All LaaS endpoints are under /v1/laas/'],
} as const satisfies Record<string, readonly string[]>;

export type Clause = (typeof CLAUSES)[keyof typeof CLAUSES][number];

/**
 * The points that the specification calls "not shown" or "unresolved", by the decision that closes them: the title
 * of a record in docs/decisions.md.
 */
export const SILENCES: Readonly<Record<string, readonly string[]>> = {
  "The sandbox's endpoints and keys": ['the test CPF'],
  'Fields of the answers': [
    'other fields of a transaction and its status',
    'PENDING_AUTH among the states',
    'body and envelope of /mfa',
  ],
  'Accounts of partners': ['the partner resource', 'its endpoints', 'webhook registration'],
  'A provider is down': ['transitions of a KYC record'],
  'Documents and face are verified by the identity provider': [
    'biometricHash beside partnerKycToken',
    'other values of mode',
  ],
  'API keys': ['request signing', 'how keys are issued', 'sandbox and production keys'],
  'Facts that partners learn': ['events after liveness and their payload', 'events for failure and expiry'],
  Webhooks: ['delivery headers', 'signing', 'retries', 'envelope'],
  'Precedence of refusals': [
    'codes of amounts outside 50..50000, unsupported assets, malformed fields, unknown KYC tokens, ' +
      'expired transactions',
  ],
  'Decisions are made from facts alone': ['other values of details.reason'],
  Idempotency: ['how long a key is remembered'],
  Versions: ['deprecation', 'other versions', 'negotiation'],
};
