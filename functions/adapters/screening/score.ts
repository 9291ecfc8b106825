import { REJECT_POINT, REVIEW_POINT } from '../../domain/screening.ts';
import type { Alignment } from './align-names.ts';
import type { NameMatch } from './find-names.ts';
import { WEIGHTS } from './weights.ts';

/** Evidence at which a stranger is found once in a hundred and once in a thousand: benchmarks/screening.ts. */
export const REVIEW_EVIDENCE = 8;
export const REJECT_EVIDENCE = 12;
/** Below these the open digits of a CPF have met a stranger with some of the same words. */
const MASKED_EVIDENCE = 2;

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

/** For the bench and for tuning: the raw evidence. */
export function evidenceOf({ alignment, birth, isWeak }: NameMatch): number {
  const { evidence, equal, alike, initials, joined } = alignment;
  if (equal + alike + initials + joined * 2 < 2) return Number.NEGATIVE_INFINITY;
  if (isWeak && birth.weight <= 0) return Number.NEGATIVE_INFINITY;
  // Full names are shared by strangers: with another birth date no name is rare enough to act upon.
  const beyond = birth.weight < 0 ? 0 : Math.max(evidence - WEIGHTS.fullCredit, 0);
  const credit = Math.min(evidence, WEIGHTS.fullCredit) + WEIGHTS.partCredit * beyond;
  const name = isWeak ? credit * WEIGHTS.weakAlias : credit;
  // A birth date confirms a name; it does not stand for one.
  return name + Math.min(birth.weight, Math.max(name, 0));
}

export function scoreMasked({ evidence }: Alignment): number {
  return evidence >= MASKED_EVIDENCE ? 0.95 : 0;
}
