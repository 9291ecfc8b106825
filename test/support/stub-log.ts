import type { Log } from '../../functions/domain/ports.ts';

/** Keeps the logged texts: all of them in `lines`, the errors that raise an alarm in `errors`. */
export function stubLog(): Log & { lines: string[]; errors: string[] } {
  const [lines, errors]: [string[], string[]] = [[], []];
  const textOf = (...parts: unknown[]) => parts.map((each) => JSON.stringify(each)).join(' ');
  return {
    lines,
    errors,
    info: (...parts) => void lines.push(textOf(...parts)),
    error(...parts) {
      lines.push(textOf(...parts));
      errors.push(textOf(...parts));
    },
  };
}
