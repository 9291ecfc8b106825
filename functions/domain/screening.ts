/** A person as the tax registry knows them. `birthDate` is an ISO date; `cpf` is 11 digits, `cnpj` 14 characters. */
export type Identity = { cpf: string; name: string; birthDate: string; cnpj?: string };

export const LISTS = ['OFAC_SDN', 'UN_SC', 'BR_CEIS', 'BR_CNEP', 'BR_PEP'] as const;
export type ListName = (typeof LISTS)[number];

/** docs/decisions.md, "What a hit on a list does". CEIS and CNEP are debarments, not freezes. */
export const LIST_EFFECTS: Record<ListName, 'REJECT' | 'HIGH' | 'PEP'> = {
  OFAC_SDN: 'REJECT',
  UN_SC: 'REJECT',
  BR_CEIS: 'HIGH',
  BR_CNEP: 'HIGH',
  BR_PEP: 'PEP',
};

export type ListVersion = { list: ListName; version: string; sha256: string; entries: number };

/**
 * Where decisions begin: an ordinary person of Brazil reaches the first once in a hundred searches, the second
 * once in a thousand. `npm run bench:screening` measures both. docs/decisions.md, "Two points on one scale".
 */
export const REVIEW_POINT = 0.7;
export const REJECT_POINT = 0.9;

/** HIT acts at once, REVIEW wants a person to look, NOTED is there for the record. */
export const ZONES = ['HIT', 'REVIEW', 'NOTED'] as const;
export type Zone = (typeof ZONES)[number];

export function zoneOf(score: number): Zone {
  if (score >= REJECT_POINT) return 'HIT';
  return score >= REVIEW_POINT ? 'REVIEW' : 'NOTED';
}

/** One entry that came close enough to look at, whether or not it became a hit. */
export type Candidate = {
  list: ListName;
  entryId: string;
  /** 0..1, against `threshold`. */
  score: number;
  threshold: number;
  /** Absent in records from before there were zones. */
  zone?: Zone;
  /** In words, without the client's data: "name exact, birth date equal". */
  explanation: string;
};

export type Hit = Candidate & { effect: 'REJECT' | 'HIGH' | 'PEP' };

/** What screening found, with what it searched: enough to decide again from the record alone. */
export type Screening = { lists: ListVersion[]; candidates: Candidate[]; hits: Hit[] };

/**
 * An immutable record of one decision; what is personal is a keyed hash. `subject` is the KYC token's or the
 * transaction's id. `kind` says which rule decided.
 */
export type Evidence = {
  subject: string;
  kind: 'kyc' | 'wallet' | 'liveness' | 'operation';
  at: number;
  decidedBy: string;
  inputs: Record<string, unknown>;
  findings: Record<string, unknown>;
  decision: Record<string, unknown>;
};

/** Candidates at or over their threshold, with the effect of their list. */
export function hitsOf(candidates: Candidate[]): Hit[] {
  return candidates
    .filter((candidate) => candidate.score >= candidate.threshold)
    .map((candidate) => ({ ...candidate, effect: LIST_EFFECTS[candidate.list] }));
}
