import { LIST_EFFECTS, type ListEffect, type ListEffects, type ListId } from './lists.ts';

/**
 * A person with the tax registry's data, and the company that they represent. `birthDate` is an ISO date. `cpf` has 11
 * digits, `cnpj` 14 characters.
 */
export type Identity = {
  cpf: string;
  name: string;
  birthDate: string;
  cnpj?: string;
  companyName?: string;
};

/**
 * One version of a list. `version` is the publisher's date if the files have one, else the day of the download.
 * `sha256` is the digest of the files as published.
 */
export type ListVersion = { list: ListId; version: string; sha256: string; entries: number };

/**
 * The index that was searched. `version` is the ISO instant of its build, so later ones sort after earlier ones.
 * `digest` is its SHA-256 in hexadecimal. `BUNDLED` is the copy in the deployment, which is used if S3 fails.
 */
export type IndexInUse = { version: string; digest: string; source: 'PUBLISHED' | 'BUNDLED' };

/**
 * The scores at which a review and a refusal begin. One ordinary Brazilian in two hundred reaches the first by chance,
 * and one in two thousand the second: `npm run bench:screening`, docs/compliance.md, "Effect of a hit".
 */
export const REVIEW_POINT = 0.7;
export const REJECT_POINT = 0.9;

/**
 * The zones of scores. A `HIT` takes effect at once. A `REVIEW` needs a person's decision. A `NOTED` candidate is only
 * recorded.
 */
const ZONES = ['HIT', 'REVIEW', 'NOTED'] as const;
export type Zone = (typeof ZONES)[number];

export function zoneOf(score: number): Zone {
  if (score >= REJECT_POINT) return 'HIT';
  return score >= REVIEW_POINT ? 'REVIEW' : 'NOTED';
}

/** An entry that resembles the client, whether or not it is a hit. */
export type Candidate = {
  list: ListId;
  entryId: string;
  /** Sixteen hexadecimal digits of the entry's data. They change when the publisher changes the entry. */
  entryVersion?: string;
  /**
   * The most similar name of the entry, in the index's spelling. If a document number found the entry, it is the
   * entry's first name. Absent if the list has no names.
   */
  listed?: string;
  /** From 0 to 1. A hit reaches `threshold`. */
  score: number;
  threshold: number;
  /** Absent in records from before the service had zones. */
  zone?: Zone;
  /** `COMPANY` if the company's CNPJ or name found the entry. Absent if the person's data found it. */
  of?: 'COMPANY';
  /** The reason in words, without the client's data: "name exact, birth date equal". */
  explanation: string;
  /** The reviewer's decision about this client and this entry: docs/operations.md, "Review cases". */
  review?: 'CLEARED' | 'CONFIRMED';
};

export type Hit = Candidate & { effect: ListEffect };

/** The result of a search. Without `index` no search took place. */
export type Screening = { index?: IndexInUse; lists: ListVersion[]; candidates: Candidate[] };

/**
 * The hits with their effects: candidates that reach their threshold and that no reviewer cleared, or that a reviewer
 * confirmed.
 */
export function hitsOf(candidates: Candidate[], effects: ListEffects = LIST_EFFECTS): Hit[] {
  return candidates
    .filter(({ score, threshold, review }) => (review ? review === 'CONFIRMED' : score >= threshold))
    .map((candidate) => ({ ...candidate, effect: effects[candidate.list] }));
}

/**
 * The candidates that a reviewer must decide before the client may pass. Their list refuses clients. Their
 * score is in the zone `REVIEW` and below their threshold, and no reviewer has decided about them yet.
 */
export function reviewsOf(candidates: Candidate[], effects: ListEffects = LIST_EFFECTS): Candidate[] {
  return candidates.filter(
    ({ list, score, threshold, review }) =>
      !review && effects[list] === 'REJECT' && score < threshold && zoneOf(score) === 'REVIEW',
  );
}
