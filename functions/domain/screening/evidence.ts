/**
 * An immutable record of one decision. Personal data are keyed hashes in it. `kind` names the rule that decided, so it
 * determines the other fields. Each subject declares its own kinds; the union is in `purchase/evidence.ts`.
 */
export type EvidenceOf<Kind extends string, Content extends Decided> = {
  /** The KYC token, the transaction's id, the version of the lists, or the operator's command. */
  subject: string;
  /** The client whose data the decision rests on, where there is one. */
  clientId?: string;
  kind: Kind;
  at: number;
  decidedBy: string;
} & Content;

/** The findings are whole: a rule that reads them again must decide the same. */
type Decided = { inputs: object; findings: object; decision: object };
