import type { QueryLine, ScoreLine } from './screening-data.ts';

/** The kinds of people who stand for the whole population. Only their scores decide the threshold. */
const ORDINARY = new Set(['br-common', 'br-arabic', 'br-hispanic', 'br-other', 'ordinary']);
export const RATES = [0.001, 0.01] as const;

export type Share = { hits: number; of: number };
export type Evaluation = {
  rate: number;
  /** The lowest score that counts as a hit. At most the share `rate` of the ordinary people reach it. */
  threshold: number;
  /**
   * The share of listed people who are found, by the kind of the query. A kind is named after the list (`s-`
   * for sanctions, `br-` for Brazil's) and the change of the name.
   */
  recall: Record<string, Share>;
  /** The share of people who are on no list but get a hit, by kind of person. */
  flagged: Record<string, Share>;
};

/**
 * Evaluates the scores at each of `RATES`. A listed person counts as found only if the score of the expected
 * entry reaches the threshold.
 */
export function evaluate(queries: readonly QueryLine[], scores: readonly ScoreLine[]): Evaluation[] {
  const byId = new Map(scores.map((line) => [line.id, line]));
  const scoreOf = ({ id }: QueryLine) => byId.get(id)?.score ?? 0;
  const ordinary = queries.filter(({ kind }) => ORDINARY.has(kind)).map(scoreOf);
  ordinary.sort((a, b) => b - a);
  return RATES.map((rate) => {
    const threshold = (ordinary[Math.floor(ordinary.length * rate)] ?? 0) + 1e-9;
    const listed = queries.filter(({ expect }) => expect);
    const others = queries.filter(({ expect }) => !expect);
    return {
      rate,
      threshold,
      recall: sharesOf(listed, ({ id }) => (byId.get(id)?.xscore ?? 0) >= threshold),
      flagged: sharesOf(others, (query) => scoreOf(query) >= threshold),
    };
  });
}

/** Counts the ordinary people whose score is at least `point`, such as the domain's `REVIEW_POINT`. */
export function flaggedAt(point: number, queries: readonly QueryLine[], scores: readonly ScoreLine[]): Share {
  const byId = new Map(scores.map((line) => [line.id, line.score]));
  const ordinary = queries.filter(({ kind }) => ORDINARY.has(kind));
  return { hits: ordinary.filter(({ id }) => (byId.get(id) ?? 0) >= point).length, of: ordinary.length };
}

function sharesOf(
  queries: readonly QueryLine[],
  isHit: (query: QueryLine) => boolean,
): Record<string, Share> {
  const shares: Record<string, Share> = {};
  for (const query of queries) {
    for (const group of [`${query.kind.split('-')[0]}-*`, query.kind]) {
      const share = shares[group] ?? { hits: 0, of: 0 };
      shares[group] = share;
      share.of++;
      if (isHit(query)) share.hits++;
    }
  }
  return shares;
}

export function printed(evaluation: Evaluation): string {
  const line = (shares: Record<string, Share>) =>
    Object.entries(shares)
      .map(([group, share]) => `${group} ${percent(share)}`)
      .join(', ');
  const { rate, threshold, recall, flagged } = evaluation;
  return [
    `at ${rate * 100} % false positives (score over ${threshold.toFixed(4)})`,
    `  recall:  ${line(recall)}`,
    `  flagged: ${line(flagged)}`,
  ].join('\n');
}

export const percent = ({ hits, of }: Share) => `${((100 * hits) / Math.max(of, 1)).toFixed(2)} %`;
