/** A decision of a person that a client may buy at no partner: docs/decisions.md, "Fraud is blocked everywhere". */

/** A person's decision: who, when and why. Instants are epoch milliseconds. */
export type Ruling = { by: string; at: number; reason: string };

export type PersonBlock = Ruling & {
  /** Keyed hash of the CPF, which is the same at all partners. */
  id: string;
  state: 'ACTIVE' | 'LIFTED';
  /** From this instant on the person may buy again. Without it, only the lifting ends the block. */
  until?: number;
  /** The case that was decided as fraud. */
  caseId?: string;
  lifted?: Ruling;
};

/** Whether the person may buy at no partner now. */
export function isInForce<Block extends Pick<PersonBlock, 'state' | 'until'>>(
  block: Block | undefined,
  now: number,
): block is Block {
  return block?.state === 'ACTIVE' && (block.until === undefined || now < block.until);
}

/** Findings of the evidence about a purchase of a blocked person. `now` is the instant of the check. */
export type BlockFacts = {
  block: Pick<PersonBlock, 'state' | 'by' | 'at' | 'until' | 'caseId'>;
  now: number;
};
export type BlockDecision = { outcome: 'REFUSED' | 'ALLOWED' };

export function decideBlock({ block, now }: BlockFacts): BlockDecision {
  return { outcome: isInForce(block, now) ? 'REFUSED' : 'ALLOWED' };
}

/** Whether the decision is this very one. After a lost answer, or a race, only the row shows that. */
export function isSameRuling(one: Ruling | undefined, { by, at, reason }: Ruling): boolean {
  return one?.by === by && one.at === at && one.reason === reason;
}
