import { REJECT_POINT, REVIEW_POINT } from '../../domain/screening/screening.ts';
import type { Alignment } from './align-names.ts';
import type { NameMatch } from './find-names.ts';
import { WEIGHTS } from './weights.ts';

/** Evidence that at most one ordinary person in a hundred has, and one in a thousand: benchmarks/screening.ts. */
const REVIEW_EVIDENCE = 4;
const REJECT_EVIDENCE = 10.75;
/** For one word of several, a guess, or an alias that its publisher calls weak, nobody is turned away: review at most. */
const THIN_EVIDENCE = REJECT_EVIDENCE - 0.5;
/** Two strangers' names agree so far once in ten thousand, and their six digits once in a million. */
const MASKED_EVIDENCE = 0;
const MASKED_SCORE = 0.95;

const logit = (share: number) => Math.log(share / (1 - share));
const STEEPNESS = (logit(REJECT_POINT) - logit(REVIEW_POINT)) / (REJECT_EVIDENCE - REVIEW_EVIDENCE);

/** Evidence → 0..1, so that the domain's two points stand where they were measured. */
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
  // Full names are shared by strangers: with another birth date no name is rare enough to act upon.
  const beyond = birth.weight < 0 ? 0 : Math.max(evidence - WEIGHTS.fullCredit, 0);
  const full = Math.min(evidence, WEIGHTS.fullCredit) + WEIGHTS.partCredit * beyond;
  // Brothers share all words but one: with another in a listed one's place it takes the birth date as well.
  const credit = missing && extra ? Math.min(full, WEIGHTS.replacedCredit) : full;
  const name = isWeak ? credit * WEIGHTS.weakAlias : credit;
  // A birth date confirms a name; it does not stand for one.
  const total = name + Math.min(birth.weight, Math.max(name, 0));
  const isThin = isWeak || isGuess(match) || (matched < 2 && missing > 1);
  return isThin ? Math.min(total, THIN_EVIDENCE) : total;
}

/** Three rare words, or more that are less so: of the companies on the lists half have such a name. */
const COMPANY_EVIDENCE = 18;
/** What likeness is worth less among companies, where many share a word with a listed one. */
const COMPANY_LIKENESS = 3.5;

/**
 * A company has no birth date to tell it from its namesakes: by its name alone it is refused where that is the listed one,
 * word for word, and rare. Whatever is only like it is for a person to look at.
 */
export function scoreCompany({ alignment, isWeak }: NameMatch): number {
  const { evidence, equal, alike, joined, initials, missing, extra } = alignment;
  const isSame = alike + joined + initials + missing + extra === 0 && equal > 1;
  const credit = isWeak ? evidence * WEIGHTS.weakAlias : evidence;
  const worth = isSame ? credit : credit - COMPANY_LIKENESS;
  return calibrate(worth >= COMPANY_EVIDENCE && isSame ? worth : Math.min(worth, THIN_EVIDENCE));
}

/** A part of the listed name, of which one word at most is spelt as there, and nothing but the name to go by. */
function isGuess({ alignment, birth }: NameMatch): boolean {
  const isPart = alignment.missing > 0 && matchedWords(alignment) < 3;
  return isPart && alignment.equal < 2 && birth.verdict === 'unknown';
}

export function scoreMasked(alignment: Alignment): number {
  return alignment.evidence >= MASKED_EVIDENCE && matchedWords(alignment) > 1 ? MASKED_SCORE : 0;
}

/** Of the listed words, those that the client's name has in some form. */
function matchedWords({ equal, alike, initials, joined }: Alignment): number {
  return equal + alike + initials + 2 * joined;
}
