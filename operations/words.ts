import { withBrasiliaOffset } from '../functions/domain/time.ts';

/** Ends the command with exit code 2, because its words or options are wrong. */
export function misused(message: string): never {
  throw Object.assign(new Error(message), { name: 'Misused' });
}

/** Ends the command with exit code 1, because it cannot be done, or not completely. */
export function refuseOrder(message: string): never {
  throw Object.assign(new Error(message), { name: 'Refused' });
}

/** Aligns rows in columns. Each column is as wide as its widest cell. */
export function columns(rows: readonly string[][]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, { length }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length);
  const lineOf = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd());
}

/** An instant as an operator reads it, in Brasília's time. */
export const instant = (at: number): string => withBrasiliaOffset(at).slice(0, 19).replace('T', ' ');

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A length of time in words: its two largest units. */
export function spanWords(ms: number): string {
  let rest = Math.max(0, ms);
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}
