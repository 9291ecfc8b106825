import type { Log } from '../../functions/domain/ports.ts';

/** Keeps what was logged, as text: all of it, and what raises the alarm. */
export function stubLog(): Log & { lines: string[]; errors: string[] } {
  const [lines, errors]: [string[], string[]] = [[], []];
  const textOf = (...parts: unknown[]) => parts.map((each) => JSON.stringify(each)).join(' ');
  return {
    ...{ lines, errors },
    info: (...parts) => void lines.push(textOf(...parts)),
    error(...parts) {
      lines.push(textOf(...parts));
      errors.push(textOf(...parts));
    },
  };
}
