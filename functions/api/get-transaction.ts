import * as z from 'zod';
import { brlOf } from '../domain/money.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { requireOwn, type Transaction } from '../domain/purchase/transaction.ts';
import { Brl, DecimalText, namedSchema } from '../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { purchaseFields, refundFields, StoryAnswer } from '../entry/purchase-answers.ts';
import { purchaseView, refundView } from '../logic/purchase/purchase-view.ts';
import { storyView } from '../logic/purchase/story-view.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ id: z.string() });
type Request = z.output<typeof Request>;

/**
 * The refund in this answer has no reason. A partner shows the answer to the client, who may not learn of a
 * suspicion.
 */
const RefundWithoutReason = namedSchema('RefundWithoutReason', () => z.object(refundFields()));

const Answer = () =>
  z.object({
    ...purchaseFields(),
    metadata: z.record(z.string(), z.string()).optional(),
    refund: RefundWithoutReason().optional(),
    quote: z.object({ rate: DecimalText(), feeBrl: Brl() }),
    story: StoryAnswer(),
  });

export const needs = [...GET_NEEDS, 'vault', 'transactions:read', 'unmatchedLists'] as const;
type Ports = Needs<typeof needs>;

/** Answers a purchase with its story: docs/decisions.md, "Facts that partners learn". */
export async function showTransaction({ id }: Request, { partner }: Caller, ports: Ports) {
  const transaction = requireOwn(await ports.transactions.findTransaction(id), partner.id);
  const [unmatched, metadata] = await Promise.all([
    ports.unmatchedLists.listOf(id),
    metadataOf(transaction, ports),
  ]);
  const { quote, refund } = transaction;
  const { rate, feeCentavos } = quote;
  return {
    ...purchaseView(transaction),
    metadata,
    refund: refund && refundView(refund),
    quote: { rate, feeBrl: brlOf(feeCentavos) },
    story: storyView({ transaction, unmatched }, instantOf(ports.clock)),
  };
}

async function metadataOf({ id, metadataCipher }: Transaction, { vault }: Ports) {
  if (metadataCipher === undefined) return undefined;
  return JSON.parse(await vault.decrypt(metadataCipher, id)) as Record<string, string>;
}

export const handler = endpoint(
  routeOf('GetTransaction'),
  { request: Request, answer: Answer, errors: ['TRANSACTION_NOT_FOUND'], needs },
  showTransaction,
);
