import type { Searcher } from '../functions/adapters/screening/searcher.ts';
import { REJECT_POINT, REVIEW_POINT } from '../functions/domain/screening/screening.ts';
import { KINDS, type Kind, ordinaryPeople, TODAY } from './ordinary-people.ts';
import { percent, type Share } from './screening-report.ts';

/**
 * `flagged` counts the people who are refused or must wait for a reviewer. `refused` counts only those who
 * are refused.
 */
export type KindRates = { kind: Kind; flagged: Share; refused: Share };

export const PEOPLE_OF_A_KIND = 2500;
/**
 * The measured shares of each kind in percent, and since then their limits: flagged, and of these refused.
 * `docs/compliance.md` shows them.
 */
export const MEASURED: Record<Kind, readonly [flagged: number, refused: number]> = {
  common: [0, 0],
  mixed: [0.44, 0],
  arabic: [3.36, 0.2],
  japanese: [0.12, 0],
  italian: [0, 0],
  jewish: [0.12, 0.04],
  'chinese-korean': [8.24, 0.92],
  hispanic: [0.56, 0.12],
  slavic: [0.32, 0.04],
};
/** A second draw of people. The constants of the matcher were chosen without these people. */
export const UNSEEN = { draw: 1, count: 10_000 };

/**
 * Searches for ordinary people of each kind as a KYC submission does: by the tax registry's name, the birth
 * date and the CPF.
 */
export function ratesOf(
  { search }: Searcher,
  kinds: readonly Kind[] = KINDS,
  { draw, count } = { draw: 0, count: PEOPLE_OF_A_KIND },
): KindRates[] {
  return kinds.map((kind) => {
    const people = ordinaryPeople(kind, count, draw);
    const scores = people.map((person) => search(person, TODAY)[0]?.score ?? 0);
    const from = (point: number) => ({
      hits: scores.filter((score) => score >= point).length,
      of: scores.length,
    });
    return { kind, flagged: from(REVIEW_POINT), refused: from(REJECT_POINT) };
  });
}

/** The quantile of the normal distribution for 95 %. */
const Z = 1.96;

/** Wilson's interval of 95 % for a share. */
export function wilson({ hits, of }: Share): [low: number, high: number] {
  const share = hits / of;
  const scale = 1 + (Z * Z) / of;
  const middle = (share + (Z * Z) / (2 * of)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))) / scale;
  return [Math.max(middle - half, 0), Math.min(middle + half, 1)];
}

export function printedRates({ kind, flagged, refused }: KindRates): string {
  return `  ${kind.padEnd(14)} review or refusal ${withInterval(flagged)}, refusal ${withInterval(refused)}`;
}

function withInterval(share: Share): string {
  const [low, high] = wilson(share).map((each) => (100 * each).toFixed(2));
  return `${percent(share).padStart(7)} [${low}, ${high}]`;
}
