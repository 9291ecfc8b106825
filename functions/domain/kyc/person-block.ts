/** An operator's decision that a person may buy at no partner: docs/decisions.md, "MED refunds and fraud". */

/** An operator's decision: who made it, when and why. Instants are epoch milliseconds. */
export type Ruling = { by: string; at: number; reason: string };

export type PersonBlock = Ruling & {
  /** Keyed hash of the CPF, which is the same at all partners. */
  id: string;
  /** From this instant on the person may buy again. If it is absent, the block lasts until an operator lifts it. */
  until?: number;
  /** The money case that was closed as fraud. */
  caseId?: string;
} & ({ state: 'ACTIVE'; lifted?: undefined } | { state: 'LIFTED'; lifted: Ruling });

/** Whether the block forbids purchases now. */
export function isBlockInForce<Block extends Pick<PersonBlock, 'state' | 'until'>>(
  block: Block | undefined,
  now: number,
): block is Block {
  return block?.state === 'ACTIVE' && (block.until === undefined || now < block.until);
}

/**
 * The facts of the decision about a blocked person's purchase. They are stored as evidence. `now` is the
 * instant of the check.
 */
export type BlockFacts = {
  block: Pick<PersonBlock, 'state' | 'by' | 'at' | 'until' | 'caseId'>;
  now: number;
};
export type BlockDecision = { outcome: 'REFUSED' | 'ALLOWED' };

export function decideBlock({ block, now }: BlockFacts): BlockDecision {
  return { outcome: isBlockInForce(block, now) ? 'REFUSED' : 'ALLOWED' };
}

/**
 * True if two decisions are the same. An operator's command asks this after a write whose answer may be
 * lost. Another operator may also have been faster, so only the stored row tells which decision was saved.
 */
export function isSameRuling(one: Ruling | undefined, { by, at, reason }: Ruling): boolean {
  return one?.by === by && one.at === at && one.reason === reason;
}
