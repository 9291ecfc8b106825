/**
 * An immutable record of one decision. It names persons only by keyed hashes. `kind` names the rule that
 * decided, and so determines the other fields. Each subject declares its own kinds. Their union is in
 * `purchase/evidence.ts`.
 */
export type EvidenceOf<Kind extends string, Content extends DecidedInputs> = {
  /**
   * The subject of the decision: a KYC token, a transaction's id, the version of the lists, or an operator's command.
   */
  subject: string;
  /** The client whose data led to the decision. Absent if there is none. */
  clientId?: string;
  kind: Kind;
  at: number;
  decidedBy: string;
} & Content;

/** The findings must be complete. The same rule must make the same decision from them again. */
type DecidedInputs = { inputs: object; findings: object; decision: object };
