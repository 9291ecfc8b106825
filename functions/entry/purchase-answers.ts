/** Parts of the answers about purchases. `answer-parts.ts` explains their form. */
import * as z from 'zod';
import { HAPPENINGS, type HappeningName } from '../domain/purchase/story-happenings.ts';
import { STANDINGS } from '../domain/purchase/story-standings.ts';
import {
  AssetName,
  Brl,
  DecimalText,
  Instant,
  namedSchema,
  TransactionId,
  TransactionStatus,
  TxHash,
  WalletAddress,
} from './answer-parts.ts';
import { ExternalId } from './partner-fields.ts';

export const purchaseFields = () => ({
  transactionId: TransactionId(),
  externalId: ExternalId.optional(),
  status: TransactionStatus(),
  asset: AssetName(),
  amountBrl: Brl(),
  assetAmount: DecimalText(),
  walletAddress: WalletAddress(),
  createdAt: Instant(),
  expiresAt: Instant()
    .optional()
    .describe('The time when the challenge or the Pix ends. Absent once it is paid or has ended.'),
  txHash: TxHash().optional(),
});

export const refundFields = () => ({
  status: z.enum(['PENDING', 'REFUNDED', 'FAILED']),
  endToEndId: z.string(),
  amountBrl: Brl(),
  returnId: z.string().optional(),
  rtrId: z.string().optional(),
  refundedAt: Instant().optional(),
});

const Text = namedSchema('Text', () => z.object({ pt: z.string(), en: z.string() }));

const partnerHappenings = () => {
  const names = Object.keys(HAPPENINGS) as HappeningName[];
  return z.enum(names.filter((name) => HAPPENINGS[name].isForPartner));
};

export const StoryAnswer = namedSchema('Story', () =>
  z.object({
    happened: z.array(z.object({ what: partnerHappenings(), at: Instant(), text: Text() })),
    standing: z.object({ what: z.enum(STANDINGS), since: Instant(), text: Text() }),
    next: z.object({ by: Instant().optional(), text: Text() }),
  }),
);
