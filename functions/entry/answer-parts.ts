/**
 * Parts that several answers and webhooks share. Each part is a function that builds its schema. Only the
 * tests and the generated document of the API build the schema of an answer, so no cold start pays for it.
 */
import * as z from 'zod';
import { ASSET_NAMES } from '../domain/assets.ts';
import { RISK_TIERS } from '../domain/kyc/kyc.ts';
import { type PendingReason, REJECTION_REASONS, type RejectionReason } from '../domain/kyc/kyc-reasons.ts';
import { FAILURE_REASONS, type FailureReason } from '../domain/purchase/return-reasons.ts';
import { STATUS_NAMES } from '../domain/purchase/status.ts';

/**
 * A schema with a name of its own in the API's document. It is built only once, because the document
 * recognises a named schema by object identity.
 */
export function namedSchema<Schema extends z.ZodType>(id: string, build: () => Schema): () => Schema {
  let built: Schema | undefined;
  return () => {
    built ??= build().meta({ id });
    return built;
  };
}

const keyNames = <Name extends string>(described: Record<Name, unknown>) => Object.keys(described) as Name[];

export const Instant = () => z.iso.datetime();
/** An instant in São Paulo's time with its offset, for receipts and reports. */
export const LocalInstant = () => z.iso.datetime({ offset: true });
/** Reais, with at most two decimals. */
export const Brl = () => z.number();
export const TaxLines = () => z.array(z.object({ name: z.string(), amountBrl: Brl() }));
export const DecimalText = () => z.string().regex(/^\d+\.\d+$/);
export const TRANSACTION_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
export const TransactionId = () => z.string().regex(TRANSACTION_ID);
export const WalletAddress = () => z.string().regex(/^0x[0-9a-fA-F]{40}$/);
export const TxHash = () => z.string().regex(/^0x[0-9a-f]{64}$/);
export const PngUri = () => z.string().regex(/^data:image\/png;base64,/);
export const WebhookSecret = () => z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/);

export const AssetName = namedSchema('Asset', () => z.enum(ASSET_NAMES));
export const TransactionStatus = namedSchema('TransactionStatus', () => z.enum(STATUS_NAMES));

export const KycStatus = namedSchema('KycStatus', () =>
  z.enum(['APPROVED', 'PENDING', 'REJECTED', 'EXPIRED']),
);
export const RiskTier = namedSchema('RiskTier', () => z.enum(RISK_TIERS));
export const KycReason = namedSchema('KycReason', () => {
  const pending = ['CNPJ_REQUIRED'] as const satisfies PendingReason[];
  return z.enum([...keyNames<RejectionReason>(REJECTION_REASONS), ...pending]);
});

export const kycFields = () => ({
  token: z.string().regex(/^kyc_[0-9A-Z]{32}$/),
  status: KycStatus(),
  riskTier: RiskTier(),
  expiresAt: Instant(),
  reason: KycReason().optional(),
});
export const KycRecord = namedSchema('KycRecord', () => z.object(kycFields()));

export const FailureReasons = namedSchema('FailureReason', () =>
  z.enum(keyNames<FailureReason>(FAILURE_REASONS)),
);
export const Failure = namedSchema('Failure', () => z.object({ reason: FailureReasons() }));

export const Enrollment = namedSchema('TotpEnrollment', () =>
  z.object({ otpauthUri: z.string().regex(/^otpauth:\/\/totp\//), qrCode: PngUri() }),
);
export const TotpChallenge = namedSchema('TotpChallenge', () =>
  z.object({ type: z.literal('MFA_TOTP'), instruction: z.string(), enrollment: Enrollment().optional() }),
);
export const LivenessChallenge = namedSchema('LivenessChallenge', () =>
  z.object({ type: z.literal('LIVENESS'), instruction: z.string(), livenessUrl: z.url() }),
);
