import { REJECT_POINT, REVIEW_POINT } from '../../domain/screening/screening.ts';
import type { Alignment } from './align-names.ts';
import type { NameMatch } from './find-names.ts';
import { WEIGHTS } from './weights.ts';

/**
 * The evidence where a review begins, and where a refusal begins. One ordinary person in a hundred reaches the first by
 * chance, and one in a thousand the second: benchmarks/screening.ts.
 */
const REVIEW_EVIDENCE = 4;
const REJECT_EVIDENCE = 10.75;
/**
 * The limit of weak evidence: of a single word among several, of a guess, of a weak alias, or of a similar company
 * name. It leads to a review at most, never to a refusal.
 */
const THIN_EVIDENCE = REJECT_EVIDENCE - 0.5;
/**
 * The evidence and the score for a masked CPF. Names of two strangers agree this far once in ten thousand, and their
 * six digits once in a million.
 */
const MASKED_EVIDENCE = 0;
const MASKED_SCORE = 0.95;

const logit = (share: number) => Math.log(share / (1 - share));
const STEEPNESS = (logit(REJECT_POINT) - logit(REVIEW_POINT)) / (REJECT_EVIDENCE - REVIEW_EVIDENCE);

/**
 * Maps evidence to a score from 0 to 1. The measured evidence for review and refusal falls on the domain's two points.
 */
export function calibrate(evidence: number): number {
  const score = 1 / (1 + Math.exp(-(logit(REVIEW_POINT) + STEEPNESS * (evidence - REVIEW_EVIDENCE))));
  return Math.round(score * 1e5) / 1e5;
}

export function scoreName(match: NameMatch): number {
  return calibrate(evidenceOf(match));
}

function evidenceOf(match: NameMatch): number {
  const { alignment, birth, isWeak } = match;
  const { evidence, extra, missing } = alignment;
  const matched = matchedWords(alignment);
  if (matched < 2 && (extra || birth.weight <= 0)) return Number.NEGATIVE_INFINITY;
  if (isWeak && birth.weight <= 0) return Number.NEGATIVE_INFINITY;
  // Strangers may share their full name. If the birth date differs, no name is rare enough for a hit.
  const beyond = birth.weight < 0 ? 0 : Math.max(evidence - WEIGHTS.fullCredit, 0);
  const full = Math.min(evidence, WEIGHTS.fullCredit) + WEIGHTS.partCredit * beyond;
  // Siblings share all words but one. If a client's word replaces a listed word, a hit therefore also needs the birth
  // date.
  const credit = missing && extra ? Math.min(full, WEIGHTS.replacedCredit) : full;
  const name = isWeak ? credit * WEIGHTS.weakAlias : credit;
  // A birth date confirms a name but cannot replace one, so it counts at most as much as the name.
  const total = name + Math.min(birth.weight, Math.max(name, 0));
  const isThin = isWeak || isGuess(match) || (matched < 2 && missing > 1);
  return isThin ? Math.min(total, THIN_EVIDENCE) : total;
}

/**
 * The evidence for a hit by company name: three rare words, or more common ones. Half of the listed companies have such
 * a name.
 */
const COMPANY_EVIDENCE = 18;
/** The reduction for a similar name, because many companies share a word with a listed one. */
const COMPANY_LIKENESS = 3.5;

/**
 * Scores a company. No birth date distinguishes it from a namesake, so the name alone decides. It is a hit only if it
 * is rare and equals the listed name word for word. A similar name leads to a review at most.
 */
export function scoreCompany({ alignment, isWeak }: NameMatch): number {
  const { evidence, equal, alike, joined, initials, missing, extra } = alignment;
  const isSame = alike + joined + initials + missing + extra === 0 && equal > 1;
  const credit = isWeak ? evidence * WEIGHTS.weakAlias : evidence;
  const worth = isSame ? credit : credit - COMPANY_LIKENESS;
  return calibrate(worth >= COMPANY_EVIDENCE && isSame ? worth : Math.min(worth, THIN_EVIDENCE));
}

/**
 * True if the match is only a guess. The client has only a part of the listed name, with at most one word in the same
 * spelling, and the birth date is unknown.
 */
function isGuess({ alignment, birth }: NameMatch): boolean {
  const isPart = alignment.missing > 0 && matchedWords(alignment) < 3;
  return isPart && alignment.equal < 2 && birth.verdict === 'unknown';
}

export function scoreMasked(alignment: Alignment): number {
  return alignment.evidence >= MASKED_EVIDENCE && matchedWords(alignment) > 1 ? MASKED_SCORE : 0;
}

/** The number of listed words that the client's name has in some form. */
function matchedWords({ equal, alike, initials, joined }: Alignment): number {
  return equal + alike + initials + 2 * joined;
}
