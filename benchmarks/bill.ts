import { type Counts, type Item, PRICES, type Region } from './prices.ts';

export type Line = { item: Item; count: number; dollars: number };

/** The lines of a bill, the dearest first. */
export function billOf(counts: Counts, region: Region): Line[] {
  return (Object.entries(counts) as [Item, number][])
    .map(([item, count]) => ({ item, count, dollars: (count * PRICES[item][region]) / PRICES[item].per }))
    .sort((one, other) => other.dollars - one.dollars);
}

export const totalOf = (lines: readonly Line[]) => lines.reduce((sum, { dollars }) => sum + dollars, 0);

/** Adds `times` of each of `more` to `counts`. */
export function plus(counts: Counts, more: Counts, times = 1): Counts {
  const sum = { ...counts };
  for (const [item, count] of Object.entries(more) as [Item, number][])
    sum[item] = (sum[item] ?? 0) + count * times;
  return sum;
}
