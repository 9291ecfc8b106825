import { LIST_EFFECTS, type ListEffect, type ListEffects, type ListId } from './lists.ts';

/**
 * A person as the tax registry knows them, and the company that they represent. `birthDate` is an ISO date; `cpf` is 11
 * digits, `cnpj` 14 characters.
 */
export type Identity = {
  cpf: string;
  name: string;
  birthDate: string;
  cnpj?: string;
  companyName?: string;
};

/** `version` is the publisher's date where there is one, else the day it was fetched; `sha256` of the files as published. */
export type ListVersion = { list: ListId; version: string; sha256: string; entries: number };

/**
 * Which index was searched. `version` is the ISO instant of its build, so that later ones sort after earlier ones;
 * `digest` its SHA-256 in hexadecimal. `BUNDLED` is the copy of the deployment, which serves where S3 does not.
 */
export type IndexInUse = { version: string; digest: string; source: 'PUBLISHED' | 'BUNDLED' };

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
  list: ListId;
  entryId: string;
  /** Sixteen hexadecimal digits of what the list says of the entry: others, once the publisher changes it. */
  entryVersion?: string;
  /**
   * The listed name that came closest, in the index's spelling; the entry's first where a document number was found,
   * absent where its list has none.
   */
  listed?: string;
  /** 0..1, against `threshold`. */
  score: number;
  threshold: number;
  /** Absent in records from before there were zones. */
  zone?: Zone;
  /** Found by the CNPJ or the name of the company; otherwise by what the person has. */
  of?: 'COMPANY';
  /** In words, without the client's data: "name exact, birth date equal". */
  explanation: string;
  /** What a person has decided about this client and this entry: docs/decisions.md, "Review cases". */
  review?: 'CLEARED' | 'CONFIRMED';
};

export type Hit = Candidate & { effect: ListEffect };

/** What screening found, with what it searched. Nothing was searched where there is no index. */
export type Screening = { index?: IndexInUse; lists: ListVersion[]; candidates: Candidate[] };

/** Candidates that act, with what they do: those over their threshold that nobody has cleared, and those confirmed. */
export function hitsOf(candidates: Candidate[], effects: ListEffects = LIST_EFFECTS): Hit[] {
  return candidates
    .filter(({ score, threshold, review }) => (review ? review === 'CONFIRMED' : score >= threshold))
    .map((candidate) => ({ ...candidate, effect: effects[candidate.list] }));
}

/** Candidates that a person must look at before the client may pass: close to an entry that would refuse them. */
export function reviewsOf(candidates: Candidate[], effects: ListEffects = LIST_EFFECTS): Candidate[] {
  return candidates.filter(
    ({ list, score, threshold, review }) =>
      !review && effects[list] === 'REJECT' && score < threshold && zoneOf(score) === 'REVIEW',
  );
}
