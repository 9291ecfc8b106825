import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { TOKEN_FAULTS } from '../../functions/domain/partners/partner-token.ts';
import { FAILURE_REASONS } from '../../functions/domain/purchase/return-reasons.ts';

/**
 * The meaning of a field for partners, with an example. A field of this name has the same meaning in every
 * message.
 */
type FieldNote = { means: string; example?: unknown };

const NAMES = ASSET_NAMES.map((name) => `\`${name}\``).join(' or ');
const FAILURES = Object.entries(FAILURE_REASONS)
  .map(([reason, words]) => `\`${reason}\`: ${words}.`)
  .join(' ');
const FAULTS = Object.entries(TOKEN_FAULTS)
  .map(([fault, words]) => `\`${fault}\`: ${words}.`)
  .join(' ');
const ID = '01K9ZK3F0000000000000000AB';
const AT = '2026-11-20T15:30:00.000Z';
const LATER = '2026-11-20T16:00:00.000Z';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const END_TO_END = 'E60701190202611201530DY5I5RQ3LKE';
const RETURN_TO_END = 'D60701190202611201600K2M8Q4T7ABC';

export const FIELD_NOTES: Readonly<Record<string, FieldNote>> = {
  alg: { means: 'The algorithm: `ES256`, `EdDSA`, `RS256` or `PS256`.', example: 'ES256' },
  apiKey: { means: 'The whole key, for `X-Service-API-Key`. Only this answer shows it.' },
  amount: { means: 'The amount that was sent, a decimal text of the asset.', example: '45.871559' },
  amountBrl: { means: 'An amount in reais.', example: 250 },
  asset: { means: `The stablecoin: ${NAMES}.`, example: 'USDC' },
  assetAmount: { means: 'The amount of the asset, as a decimal text.', example: '45.871559' },
  asOf: { means: 'The time when it was read.', example: AT },
  assets: { means: 'The sums of each asset.' },
  at: { means: 'The time of this entry.', example: AT },
  attemptsRemaining: { means: 'Codes that may still be tried for this purchase.', example: 4 },
  authChallenge: { means: 'How the client authenticates: by a code or by the face.' },
  biometricHash: {
    means:
      '`sha256:` and the SHA-256 of the picture of the client’s face, which you make from the bytes of the ' +
      'file. Take the very picture that the identity provider has.',
    example: `sha256:${HASH}`,
  },
  birthDate: { means: 'The client’s birth date, as you collected it.', example: '1990-05-17' },
  changedBy: { means: 'Your key that asked. Absent: our operators.', example: 'manager' },
  cnpj: {
    means: 'The number of the legal entity, for `PJ` alone, with valid check digits.',
    example: '11.222.333/0001-81',
  },
  collected: { means: 'The facts about the client that you collected. They are compared, then forgotten.' },
  cpf: { means: 'The client’s CPF, punctuated or as 11 digits.', example: '529.982.247-25' },
  counts: { means: 'Purchases: opened in the period, and paid, delivered or refunded in it.' },
  createdAt: { means: 'The time when it was made.', example: AT },
  crv: { means: 'The curve: `P-256` for ES256, `Ed25519` for EdDSA.', example: 'P-256' },
  cursor: { means: 'The `nextCursor` of the page before.', example: 'eyJwYWdlIjoyfQ' },
  deliveredAt: { means: 'The time when the transfer was confirmed.', example: LATER },
  description: { means: 'Your own words for it.', example: 'Orders of the shop' },
  displayName: { means: 'Your name, as clients see it.', example: 'Loja Exemplo' },
  documentNumber: {
    means: 'The number of the client’s document, as you collected it.',
    example: '12.345.678-9',
  },
  e: { means: 'RSA alone: the exponent.', example: 'AQAB' },
  enabled: { means: 'A disabled endpoint gets only test events and news of keys.', example: true },
  endToEndId: { means: 'The end-to-end id of the Pix.', example: END_TO_END },
  endToEndIds: { means: 'The end-to-end ids of the Pix payments.', example: END_TO_END },
  endpointId: { means: 'The id of the webhook endpoint.', example: '01K9ZK3F0000000A' },
  enrollment: { means: 'Shown until the service has accepted the client’s first code.' },
  event: {
    means: 'In a list of webhooks the body that came. At a trigger the name of the event to cause.',
    example: {
      type: 'transaction.canceled',
      timestamp: AT,
      data: { transactionId: ID, status: 'CANCELED', sequence: 3 },
    },
  },
  eventId: { means: 'The id of the event, which each delivery has as `webhook-id`.', example: `${ID}.2` },
  eventTypes: {
    means:
      'The `transaction` and `kyc` types that the endpoint gets. Absent: every type. In an edit, absent ' +
      'keeps the filter, and an empty list removes it. News of keys and endpoints ' +
      'cannot be left out, because a thief could hide a new key: `api_key.created`, ' +
      '`vendor_key.changed` and `webhook_endpoint.paused` always come.',
    example: 'transaction.completed',
  },
  expiresInDays: { means: 'The life of the key in days, at most 90.', example: 30 },
  expiresAt: { means: 'The time when it ends.', example: LATER },
  explorerUrl: {
    means: 'The transfer in the explorer of Polygon. Absent in the sandbox, whose chain has no explorer.',
    example: `https://polygonscan.com/tx/0x${HASH}`,
  },
  externalId: { means: 'Your own reference, which you use for one purchase alone.', example: 'order-1042' },
  failure: { means: `The reason why a paid purchase failed. ${FAILURES}` },
  fault: { means: `The fault of the partner’s KYC token (Model 2). ${FAULTS}`, example: 'UNKNOWN_KEY' },
  feeBrl: { means: 'The fee in reais. The amount contains it.', example: 2.5 },
  forces: { means: 'The outcome that it forces.', example: 'KYC_REJECTED, reason SANCTIONS_HIT' },
  formerSecretUntil: { means: 'Until then the former secret signs, too.', example: LATER },
  from: { means: 'The start of the range.', example: AT },
  history: { means: 'Each status with its time, the oldest first.' },
  id: { means: 'Identifies this resource.', example: ID },
  instruction: {
    means: 'A sentence for the client.',
    example: 'Enter the code from your authenticator app.',
  },
  issues: { means: 'Every field that is wrong, and its required form.' },
  jwk: { means: 'The public key as a JWK (RFC 7517).' },
  keyId: { means: 'The id of the key, without its secret.', example: 'key2' },
  kid: { means: 'The name of the key in the header of its tokens.', example: 'vendor-2' },
  kty: { means: 'The kind of the key.', example: 'EC' },
  kycToken: { means: 'The `token` of the KYC submission.', example: 'kyc_0123456789ABCDEFGHJKMNPQRSTVWXYZ' },
  limit: { means: 'The name of the limit.', example: 20 },
  limits: {
    means: 'The limits of the client at you.',
    example: [
      { limit: 'OPEN_CHARGES', maximum: 1, used: 0, remaining: 1, resetsAt: AT },
      { limit: 'DAILY_AMOUNT', maximum: 50_000, used: 250, remaining: 49_750, resetsAt: LATER },
    ],
  },
  livenessUrl: {
    means: 'The page that names you and the purchase, and leads the client on to the check of the face.',
    example: 'https://api.example.com/liveness/1/2',
  },
  madeBy: { means: 'The id of your key that made it. Absent: our operators made it.', example: 'manager' },
  maximum: { means: 'The most that is allowed.', example: 50_000 },
  message: {
    means: 'The refusal in words, for your engineers.',
    example: 'must be a CPF with valid check digits: NNN.NNN.NNN-NN or 11 digits',
  },
  metadata: { means: 'Your own entries: at most 20 names with texts.', example: { cart: '1042' } },
  missedOnly: { means: 'Leaves out the events that the endpoint has taken.', example: true },
  mode: { means: '`shared` for Model 3.', example: 'shared' },
  n: { means: 'RSA alone: the modulus.', example: 'sXch' },
  name: { means: 'The name.', example: 'Maria Exemplo' },
  networkFeeBrl: { means: 'The fee of the chain’s network in reais. We pay it.', example: 0 },
  nextCursor: { means: 'Asks for the next page. The last page has none.', example: 'eyJwYWdlIjoyfQ' },
  note: {
    means: 'Present if the sandbox could not force what the client’s scenario asks.',
    example: 'the scenario acts on nothing',
  },
  nextTryAt: { means: 'The time of the next try.', example: LATER },
  openedAt: { means: 'The time when the purchase was opened.', example: AT },
  otpauthUri: {
    means: 'The key for an authenticator app.',
    example: 'otpauth://totp/Onramp:cliente?secret=JBSWY3DPEHPK3PXP&issuer=Onramp',
  },
  outcome: { means: 'The end of the check.', example: 'PASSED' },
  paidAt: { means: 'The time of the payment.', example: AT },
  partner: { means: 'Your name, as the client knows it.', example: 'Loja Exemplo' },
  partnerKycToken: {
    means:
      'Model 2: the JWT that your KYC vendor signed, in place of the biometric hash. Its header has `alg` ' +
      'and `kid`, its claims are `iss`, `aud`, `sub` (the CPF as 11 digits), `jti` (used once), `iat` (at ' +
      'most 24 hours old) and `exp`.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  },
  path: { means: 'The place of the wrong value.', example: 'cpf' },
  payerCpf: { means: 'Another person pays.', example: '529.982.247-25' },
  personType: { means: '`PF` is an individual, `PJ` a legal entity.', example: 'PF' },
  period: { means: 'A month or a day in Brasília.', example: '2026-11' },
  pixExpiresAt: { means: 'The client must pay before this time.', example: LATER },
  pixPayload: { means: 'The Pix copy-paste text.', example: '00020101021226…6304ABCD' },
  pixQrCode: { means: 'The same as a picture, for Model 1.', example: PNG },
  proposedAt: { means: 'Present while it waits for our operators.', example: AT },
  qrCode: { means: 'The same as a picture.', example: PNG },
  quote: { means: 'The price. It is fixed when the Pix payload is issued.' },
  quoteId: {
    means: 'The quote whose price is locked for this purchase.',
    example: 'quote_0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  },
  rate: { means: 'Reais for one unit of the asset.', example: '5.45' },
  receivedBrl: { means: 'Reais that came in for purchases, a decimal text.', example: '250.00' },
  receivedAt: { means: 'The time when the receiver got it.', example: AT },
  reason: { means: 'The reason, as a name.', example: 'CPF_IRREGULAR' },
  refund: { means: 'The return of the money to the payer. Its `reason` has the values of `failure.reason`.' },
  refundedAt: { means: 'When we recorded that the money was returned.', example: LATER },
  refundedBrl: { means: 'Reais that went back because a purchase failed.', example: '0.00' },
  remaining: { means: 'The rest of it.', example: 49_750 },
  resetsAt: {
    means:
      'When the limit begins anew, or its lower cap ends, if that is earlier. With `OPEN_CHARGES` the ' +
      'latest end of the open charge, or now.',
    example: LATER,
  },
  returnUrl: {
    means:
      'The address to which the face’s page leads the client back, with `transactionId` added. Its host is ' +
      'one of `returnHosts` in your settings.',
    example: 'https://shop.example.com/back',
  },
  returnId: { means: 'The id of the return (devolução) at the bank.', example: ID },
  rtrId: {
    means: 'The id of the return between the banks. The client’s bank finds the money by it.',
    example: RETURN_TO_END,
  },
  returnHosts: { means: 'The hosts to which a client may be led back.', example: 'shop.example.com' },
  riskTier: {
    means:
      'The client’s tier by the screening. `STANDARD` usually answers by a code, `HIGH` and `PEP` ' +
      '(politically exposed) by the face. It may change later. Always follow `authChallenge.type`.',
    example: 'STANDARD',
  },
  scopes: { means: 'The calls that the key may make.', example: 'read' },
  secret: { means: 'The secret of the endpoint’s signatures. Keep it.', example: 'whsec_ZXhhbXBsZQ==' },
  sequence: { means: 'Orders the events of one purchase, or of one KYC record.', example: 3 },
  soldBrl: { means: 'Reais for which tokens were delivered.', example: '250.00' },
  spreadBrl: { means: 'The part of `soldBrl` that is the margin.', example: '2.47' },
  since: { means: 'The time since when.', example: AT },
  spreadBasisPoints: {
    means: 'The margin on the exchange’s price, in hundredths of a percent.',
    example: 100,
  },
  status: { means: 'Where it stands.', example: 'AWAITING_PIX' },
  stoppedAt: {
    means: 'Stopped since then. A stopped endpoint gets only test events and news of keys.',
    example: AT,
  },
  taxes: { means: 'The taxes, each on a line of its own.' },
  timestamp: { means: 'The time when it happened.', example: AT },
  thumbprint: {
    means: 'The SHA-256 thumbprint of the key (RFC 7638).',
    example: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  },
  token: {
    means: 'The KYC token. It opens purchases until `expiresAt`, for 24 hours at most.',
    example: 'kyc_0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  },
  times: { means: 'How often the client pays: 1 if absent.', example: 1 },
  to: { means: 'The end of the range, which is not included.', example: LATER },
  totals: { means: 'The sums of all purchases.' },
  totpCode: { means: 'The six digits of the client’s authenticator app.', example: '123456' },
  transactionId: { means: 'The id of the purchase.', example: ID },
  txHash: { means: 'The hash of the transfer on the chain.', example: `0x${HASH}` },
  unmatchedBrl: { means: 'Reais that came late or twice.', example: '0.00' },
  unmatchedReturnedBrl: { means: 'Reais of these that went back.', example: '0.00' },
  use: { means: '`sig`, or absent.', example: 'sig' },
  url: {
    means: 'An address with `https`, which the internet can reach.',
    example: 'https://shop.example.com/hook',
  },
  used: { means: 'The part that is used by now.', example: 250 },
  verificationUrl: {
    means: 'Model 1: the page where the client shows documents and face, for 24 hours.',
    example: 'https://id.example.com/verify/1',
  },
  verified: { means: 'Whether the signature was right.', example: true },
  x: {
    means: 'The x coordinate, or the key of Ed25519.',
    example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  },
  y: { means: 'EC alone: the y coordinate.', example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' },
  walletAddress: {
    means:
      'The client’s wallet: an EVM address with its EIP-55 checksum. The tokens arrive on Polygon (chain ' +
      'id 137), in the sandbox on its own chain (31337).',
    example: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  },
  waits: { means: 'True if the event happens only at the provider’s next occasion.', example: true },
  worksFrom: { means: 'From then on a new key works. Before, it is `WAITING`.', example: LATER },
  widgetToken: {
    means: 'Model 3: the token for the verifier’s widget in your app, for an hour.',
    example: '_act-sbx-1',
  },
};

/**
 * Example requests of operations with fields that exclude each other, by `operationId`. The service would
 * refuse an example with every field.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  createQuote: { asset: 'USDC', amountBrl: 250 },
  triggerEvent: { event: 'LATE_PIX', transactionId: ID },
  replayEvents: { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z', missedOnly: true },
};

/** Optional fields that the examples leave out, because they exclude other fields or are rare. */
export const RARE_FIELDS: readonly string[] = [
  ...['cnpj', 'mode', 'partnerKycToken', 'collected', 'verificationUrl', 'widgetToken', 'reason', 'fault'],
  ...['authChallenge', 'failure', 'refund', 'txHash', 'note', 'stoppedAt', 'formerSecretUntil', 'payerCpf'],
  ...['n', 'e', 'name', 'birthDate', 'documentNumber', 'nextCursor', 'cursor', 'returnUrl', 'quoteId'],
];
