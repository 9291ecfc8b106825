import { REJECT_POINT, REVIEW_POINT } from '../../domain/screening/screening.ts';
import { type Alignment, isExactAlignment } from './align-names.ts';
import type { NameMatch } from './find-names.ts';
import { WEIGHTS } from './weights.ts';

/**
 * The evidence from which a person reviews the client, and the evidence from which the client is refused. One
 * ordinary person in two hundred reaches the first by chance, and one in two thousand the second:
 * benchmarks/screening.ts.
 */
const REVIEW_EVIDENCE = 4;
const REJECT_EVIDENCE = 9;
/**
 * The most evidence that a weak match can reach. A match is weak with another birth date, a single word among
 * several, a guess (`isGuess`), a weak alias, or a similar company name. It leads to a review at most, never
 * to a refusal.
 */
const THIN_EVIDENCE = REJECT_EVIDENCE - 0.5;
/**
 * The evidence that a name must reach to match an entry with a masked CPF, and the score of that match. Two
 * strangers' names reach it once in ten thousand. Their six visible digits are equal once in a million.
 */
const MASKED_EVIDENCE = 0;
const MASKED_SCORE = 0.95;

const logit = (share: number) => Math.log(share / (1 - share));
const STEEPNESS = (logit(REJECT_POINT) - logit(REVIEW_POINT)) / (REJECT_EVIDENCE - REVIEW_EVIDENCE);

/**
 * Maps evidence to a score from 0 to 1. `REVIEW_EVIDENCE` gives the domain's `REVIEW_POINT`, and
 * `REJECT_EVIDENCE` gives its `REJECT_POINT`.
 */
function calibrate(evidence: number): number {
  const score = 1 / (1 + Math.exp(-(logit(REVIEW_POINT) + STEEPNESS * (evidence - REVIEW_EVIDENCE))));
  return Math.round(score * 1e5) / 1e5;
}

export function scoreName(match: NameMatch): number {
  return calibrate(matchEvidence(match));
}

function matchEvidence(match: NameMatch): number {
  const { alignment, birth, isWeak } = match;
  const { extra, missing, discount } = alignment;
  // If the birth day is equal, `discount` is added again. A stranger with these frequent words was hardly
  // born on the same day.
  const evidence = alignment.evidence + (birth.verdict === 'day' ? discount : 0);
  const matched = matchedWords(alignment);
  if (matched < 2 && (extra || birth.weight <= 0)) return Number.NEGATIVE_INFINITY;
  if (isWeak && birth.weight <= 0) return Number.NEGATIVE_INFINITY;
  // Strangers may have the same full name, however rare it is. If the birth date differs, the evidence of the
  // name is at most `fullCredit`.
  const beyond = birth.weight < 0 ? 0 : Math.max(evidence - WEIGHTS.fullCredit, 0);
  const full = Math.min(evidence, WEIGHTS.fullCredit) + WEIGHTS.partCredit * beyond;
  // Siblings have all words but one in common. If a word of the client replaces a listed word, the name alone
  // must not lead to a refusal. Only the birth date can add the rest.
  const credit = missing && extra ? Math.min(full, THIN_EVIDENCE) : full;
  const contradiction = birth.weight < 0 && !isExactAlignment(alignment) ? WEIGHTS.contradiction : 0;
  const name = (isWeak ? credit * WEIGHTS.weakAlias : credit) - contradiction;
  // A birth date confirms a name but cannot replace it. Its evidence is therefore at most twice that of the
  // name.
  const total = name + Math.min(birth.weight, 2 * Math.max(name, 0));
  const isThin = birth.weight < 0 || isWeak || isGuess(match) || (matched < 2 && missing > 1);
  return isThin ? Math.min(total, THIN_EVIDENCE) : total;
}

/**
 * The least evidence with which a company name leads to a refusal. Three rare words reach it, or more words
 * that are less rare. The names of half of the listed companies reach it.
 */
const COMPANY_EVIDENCE = 18;
/**
 * The evidence that is subtracted for a name that is not equal, because many companies share a word with a
 * listed one.
 */
const COMPANY_LIKENESS = 3.5;

/**
 * Scores a company. No birth date distinguishes it from a company with the same name, so the name alone
 * decides. It is refused only if its name is rare and equals the listed name word for word. A similar name
 * leads to a review at most.
 */
export function scoreCompany({ alignment, isWeak }: NameMatch): number {
  const { evidence, equal } = alignment;
  const isSame = isExactAlignment(alignment) && equal > 1;
  const credit = isWeak ? evidence * WEIGHTS.weakAlias : evidence;
  const worth = isSame ? credit : credit - COMPANY_LIKENESS;
  return calibrate(worth >= COMPANY_EVIDENCE && isSame ? worth : Math.min(worth, THIN_EVIDENCE));
}

/**
 * True if the match is only a guess. The client has only a part of the listed name, with at most one word in
 * the same spelling, and the birth date is unknown. If the words are frequent on the lists, only an equal
 * birth day counts as known.
 */
function isGuess({ alignment, birth }: NameMatch): boolean {
  const isPart = alignment.missing > 0 && matchedWords(alignment) < 3;
  const isOpen = alignment.isFrequent ? birth.verdict !== 'day' : birth.verdict === 'unknown';
  return isPart && alignment.equal < 2 && isOpen;
}

export function scoreMasked(alignment: Alignment): number {
  return alignment.evidence >= MASKED_EVIDENCE && matchedWords(alignment) > 1 ? MASKED_SCORE : 0;
}

/**
 * The number of words that the client's name has, in some form, in common with the listed name. A joined word
 * counts as two.
 */
function matchedWords({ equal, alike, initials, joined }: Alignment): number {
  return equal + alike + initials + 2 * joined;
}
