/** The form of each event's `data`: docs/decisions.md, "Facts that partners learn". */
import * as z from 'zod';
import { ASSET_NAMES } from '../../domain/assets.ts';
import { RISK_TIERS } from '../../domain/kyc/kyc.ts';
import { REJECTION_REASONS, type RejectionReason } from '../../domain/kyc/kyc-reasons.ts';
import { GIVEN_SCOPES } from '../../domain/partners/api-key.ts';
import type { EventType } from '../../domain/partners/events.ts';
import { REPLAY_CALL } from '../../domain/partners/replays.ts';
import { VENDOR_KEY_STATUSES } from '../../domain/partners/vendor-key.ts';
import { FAILURE_REASONS, type FailureReason } from '../../domain/purchase/return-reasons.ts';
import { STATUS_NAMES } from '../../domain/purchase/status.ts';

const instant = z.iso.datetime();
const brl = z.number().describe('reais, at most two decimals');
const sequence = z
  .int()
  .min(1)
  .describe(
    'counts the events of one transaction, of one KYC record, of one key, of one pause or of one test',
  );
const endToEndId = z.string().describe('the end-to-end id of the Pix');
const failureReason = z.enum(Object.keys(FAILURE_REASONS) as FailureReason[]);

const transactionFields = {
  transactionId: z.string(),
  externalId: z.string().optional().describe('your own reference of the purchase, if you gave one'),
  status: z.enum(STATUS_NAMES),
  sequence,
};
const aboutTransaction = z.object(transactionFields);
const pix = { endToEndId, amountBrl: brl };

const aboutMed = z.object({
  ...transactionFields,
  med: z.object({
    returnId: z.string().describe('the id of the return at the bank: one Pix may be taken back in parts'),
    endToEndId,
    amountBrl: brl.optional().describe('absent if the bank does not tell the amount'),
  }),
});

const ofKycRecord = {
  token: z.string(),
  riskTier: z.enum(RISK_TIERS),
  expiresAt: instant,
  sequence,
};
const kycOutcome = z.object({
  ...ofKycRecord,
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'EXPIRED']),
  reason: z.enum(Object.keys(REJECTION_REASONS) as RejectionReason[]).optional(),
});

/** The form of each event's `data`. If a new type of event has none, this does not compile. */
export const EVENT_PAYLOADS = {
  'transaction.mfa_cleared': aboutTransaction,
  'transaction.pix_ready': z.object({
    ...transactionFields,
    pixPayload: z.string().describe('the Pix copy-paste string'),
    pixExpiresAt: instant,
  }),
  'transaction.processing': z.object({ ...transactionFields, payment: z.object(pix) }),
  'transaction.completed': z.object({
    ...transactionFields,
    txHash: z.string(),
    amount: z.string().describe('the amount that was sent, decimal string of the asset'),
    asset: z.enum(ASSET_NAMES),
    amountBrl: brl,
    walletAddress: z.string(),
  }),
  'transaction.failed': z.object({ ...transactionFields, failure: z.object({ reason: failureReason }) }),
  'transaction.expired': z.object({
    ...transactionFields,
    missed: z.enum(['AUTHENTICATION', 'PAYMENT']).describe('what did not come in time'),
  }),
  'transaction.canceled': aboutTransaction,
  'transaction.refunded': z.object({
    ...transactionFields,
    refund: z.object({
      ...pix,
      reason: failureReason,
      returnId: z.string().optional().describe('the id of the return (devolução), as our bank shows it'),
      rtrId: z.string().optional().describe('the id of the return between the banks'),
      refundedAt: instant.optional().describe('when we recorded that the money was returned'),
    }),
  }),
  'transaction.refund_delayed': z.object({
    ...transactionFields,
    refund: z.object({ ...pix, nextTryAt: instant }),
  }),
  'transaction.refund_failed': z.object({ ...transactionFields, refund: z.object(pix) }),
  'transaction.pix_returned': z.object({
    ...transactionFields,
    returned: z.object({ ...pix, reason: z.enum(['PAID_TWICE', 'PAID_LATE']) }),
  }),
  'transaction.med_opened': aboutMed,
  'transaction.med_closed': aboutMed,
  'kyc.pending': z.object({ ...ofKycRecord, status: z.literal('PENDING') }),
  'kyc.approved': kycOutcome,
  'kyc.rejected': kycOutcome,
  'api_key.created': z.object({
    keyId: z.string(),
    scopes: z.array(z.enum(GIVEN_SCOPES)),
    expiresAt: instant,
    madeBy: z.string().describe('the id of the key that made it'),
    sequence,
  }),
  'webhook_endpoint.paused': z.object({
    endpointId: z.string(),
    failingSince: instant.describe('the first failure after the last success'),
    replay: z
      .object({
        call: z.literal(REPLAY_CALL),
        body: z.object({ endpointId: z.string(), missedOnly: z.literal(true), from: instant }),
      })
      .describe('the call that sends what it missed, once it is enabled. `to` is the time of your call'),
    sequence,
  }),
  'vendor_key.changed': z.object({
    kid: z.string(),
    status: z.enum(VENDOR_KEY_STATUSES),
    thumbprint: z.string().optional().describe('the SHA-256 thumbprint of the key (RFC 7638)'),
    changedBy: z.string().optional().describe('the id of your key that asked; absent: an operator'),
    sequence,
  }),
  'webhook_endpoint.test': z.object({ endpointId: z.string(), sequence }),
} as const satisfies Record<EventType, z.ZodObject>;

export type PayloadOf<Type extends EventType> = z.output<(typeof EVENT_PAYLOADS)[Type]>;
