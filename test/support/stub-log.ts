import type { Log } from '../../functions/domain/ports.ts';

/** Keeps what was logged, as text. */
export function stubLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const keep = (...parts: unknown[]) => void lines.push(parts.map((each) => JSON.stringify(each)).join(' '));
  return { lines, info: keep, error: keep };
}
