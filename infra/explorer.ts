import type { Node } from 'constructs';
import type { Explorer } from '../functions/domain/purchase/receipt.ts';
import type { Stage } from './stage.ts';

/** The media types that the partners' API sends as binary data. Only receipts have one. */
export const BINARY_TYPES = ['application/pdf'];

/**
 * The explorer of the stage's chain: the URL below which it shows transactions. Production must have one,
 * because a receipt links to its transfer there.
 */
export function explorerOf(stage: Stage, node: Node): Explorer {
  const stages = node.tryGetContext('explorer') as Partial<Record<Stage, Explorer>> | undefined;
  const explorer = stages?.[stage] ?? {};
  if (stage === 'sandbox' && explorer.transactions === undefined) return {};
  if (!/^https:\/\/[^/?#]+\/(.+\/)?$/.test(String(explorer.transactions)))
    throw new Error(
      `explorer of ${stage} in cdk.json: transactions must be an https address that ends with /`,
    );
  return { transactions: explorer.transactions };
}
