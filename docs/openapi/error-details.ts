/** The fields of `details` in a refusal, by error code. A code that is missing here has no details. */
import * as z from 'zod';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import type { ErrorCode } from '../../functions/domain/errors.ts';
import { KEY_SCOPES } from '../../functions/domain/partners/api-key.ts';
import { TOKEN_FAULTS, type TokenFault } from '../../functions/domain/partners/partner-token.ts';
import { LIMIT_NAMES } from '../../functions/domain/purchase/usage.ts';
import {
  Brl,
  Instant,
  KycReason,
  KycStatus,
  TransactionId,
  TransactionStatus,
} from '../../functions/entry/answer-parts.ts';

const Seconds = () => z.int().min(0);
const FAULTS = Object.keys(TOKEN_FAULTS) as TokenFault[];

/**
 * The example of `LIMIT_EXCEEDED`. It has the limit that a new partner meets first: the client has a charge
 * that is not paid yet.
 */
const OPEN_CHARGE = {
  limit: 'OPEN_CHARGES',
  maximum: 1,
  remaining: 0,
  resetsAt: '2026-11-20T16:00:00.000Z',
  retryAfterSeconds: 1800,
  transactionId: '01K9ZK3F0000000000000000AB',
};

/**
 * The schema of `details` for each code. API Gateway refuses some requests itself, without details. In the
 * codes that it uses, the fields are therefore optional.
 */
export const ERROR_DETAILS: Partial<Record<ErrorCode, () => z.ZodObject>> = {
  KEY_SCOPE_INSUFFICIENT: () => z.object({ needs: z.enum(KEY_SCOPES), has: z.array(z.enum(KEY_SCOPES)) }),
  RATE_LIMIT_EXCEEDED: () => z.object({ retryAfterSeconds: Seconds().optional() }),
  INVALID_REQUEST: () =>
    z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })).optional() }),
  IDEMPOTENCY_IN_PROGRESS: () => z.object({ retryAfterSeconds: Seconds() }),
  WEBHOOK_ENDPOINT_LIMIT: () => z.object({ maximum: z.int() }),
  VENDOR_KEY_LIMIT: () => z.object({ maximum: z.int() }),
  API_KEY_LIMIT: () => z.object({ maximum: z.int() }),
  AMOUNT_OUT_OF_RANGE: () => z.object({ minimum: Brl(), maximum: Brl() }),
  UNSUPPORTED_ASSET: () => z.object({ supported: z.array(z.enum(ASSET_NAMES)) }),
  INVALID_WALLET_ADDRESS: () => z.object({ reason: z.enum(['FORM', 'CHECKSUM', 'ZERO', 'RESERVED']) }),
  KYC_QUOTA_EXCEEDED: () =>
    z.object({
      limit: z.literal('REGISTRY_LOOK_UPS'),
      maximum: z.int(),
      remaining: z.int(),
      resetsAt: Instant(),
      retryAfterSeconds: Seconds(),
    }),
  KYC_REJECTED: () => z.object({ reason: KycReason(), fault: z.enum(FAULTS).optional() }),
  KYC_NOT_APPROVED: () => z.object({ status: KycStatus() }),
  INVALID_TRANSACTION_STATE: () => z.object({ status: TransactionStatus() }),
  RECEIPT_NOT_AVAILABLE: () => z.object({ status: TransactionStatus() }),
  TRANSACTION_NOT_CANCELABLE: () => z.object({ status: TransactionStatus() }),
  MFA_ATTEMPTS_EXCEEDED: () =>
    z.object({ scope: z.enum(['transaction', 'client']), retryAfterSeconds: Seconds().optional() }),
  MFA_INVALID_CODE: () => z.object({ attemptsRemaining: z.int().min(0) }),
  QUOTE_MISMATCH: () => z.object({ asset: z.enum(ASSET_NAMES), amountBrl: Brl() }),
  QUOTE_USED: () => z.object({ transactionId: TransactionId() }),
  QUOTE_EXPIRED: () => z.object({ expiredAt: Instant() }),
  PRICE_UNAVAILABLE: () => z.object({ retryAfterSeconds: Seconds() }),
  PROMISES_EXHAUSTED: () =>
    z.object({ scope: z.enum(['CLIENT', 'WALLET', 'PARTNER', 'ASSET']), retryAfterSeconds: Seconds() }),
  LIMIT_EXCEEDED: () =>
    z
      .object({
        limit: z.enum(LIMIT_NAMES),
        maximum: z.number(),
        remaining: z.number(),
        resetsAt: Instant(),
        retryAfterSeconds: Seconds(),
        transactionId: TransactionId().optional(),
      })
      .meta({ examples: [OPEN_CHARGE] }),
  LIQUIDITY_UNAVAILABLE: () => z.object({ retryAfterSeconds: Seconds() }),
  EXTERNAL_ID_TAKEN: () => z.object({ transactionId: TransactionId() }),
};
