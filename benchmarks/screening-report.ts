import type { QueryLine, ScoreLine } from './screening-data.ts';

/** Who stands for the population: false positives are counted among them alone. */
const ORDINARY = new Set(['br-common', 'br-arabic', 'br-hispanic', 'br-other', 'ordinary']);
export const RATES = [0.001, 0.01] as const;

export type Share = { hits: number; of: number };
export type Evaluation = {
  rate: number;
  /** A score must be over this: as many ordinary people are as the rate allows, at most. */
  threshold: number;
  /** By list (`s-` for sanctions, `br-` for Brazil's) and by kind of change. */
  recall: Record<string, Share>;
  /** By kind of person who is not listed. */
  flagged: Record<string, Share>;
};

/** Recall at both rates. A hit is the expected entry over the threshold, not any. */
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

/** Ordinary people at or over a fixed point: what the domain's points do. */
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
