/**
 * The service archives the evidence of its decisions, and the acts of operators, in slices of at most ten
 * minutes. Each slice is one object in the archive's bucket.
 */
import { dayInBrasilia, type Period, withBrasiliaOffset } from '../time.ts';

/** Ten minutes are short enough that a function can hold the evidence of a slice in its memory. */
const SLICE_MS = 10 * 60_000;
/**
 * A slice is archived this long after its end. By then the evidence of every decision in that slice is
 * written, and the table's index shows it.
 */
const ARCHIVED_AFTER_MS = 30 * 60_000;

/**
 * The next slice after `upTo`. Undefined until `ARCHIVED_AFTER_MS` have passed since its end. A slice never
 * crosses midnight.
 */
export function sliceAfter(upTo: number, now: number): Period | undefined {
  const to = upTo - (upTo % SLICE_MS) + SLICE_MS;
  return now >= to + ARCHIVED_AFTER_MS ? { from: upTo, to } : undefined;
}

/** The slice in which an instant lies. */
export function sliceOf(at: number): Period {
  const from = at - (at % SLICE_MS);
  return { from, to: from + SLICE_MS };
}

/** The tables that are archived in slices. */
export const SLICED = ['evidence', 'acts'] as const;
export type Sliced = (typeof SLICED)[number];

/** The key of a slice, such as `evidence/2026-11-23/14-20.jsonl`, in Brasília's time. */
export function sliceKey(table: Sliced, { from }: Pick<Period, 'from'>): string {
  const [hour, minute] = withBrasiliaOffset(from).slice(11, 16).split(':');
  return `${table}/${dayInBrasilia(from)}/${hour}-${minute}.jsonl`;
}

/**
 * A row as a line of a slice. Its fields are sorted, so that equal rows give equal lines. A row under a
 * litigation hold gives the same line as before the hold, with its `heldTtl` as `ttl`.
 */
export const sliceLine = (row: { ttl?: unknown; heldTtl?: unknown }): string =>
  JSON.stringify(sortedValue(unheld(row)));

const unheld = ({ heldTtl, ...row }: { ttl?: unknown; heldTtl?: unknown }) =>
  heldTtl === undefined ? row : { ...row, ttl: heldTtl };

function sortedValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Set) return [...value].sort().map(sortedValue);
  if (Array.isArray(value)) return value.map(sortedValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortedValue(each)]));
}
