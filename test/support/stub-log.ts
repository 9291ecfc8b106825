import type { Log } from '../../functions/domain/ports.ts';
import { CONDITIONS, type Condition } from '../../functions/domain/watching/conditions.ts';

/** Keeps the logged texts: all in `lines`, those of raised conditions in `errors`. `measured` has the metrics. */
export function stubLog() {
  const [lines, errors]: [string[], string[]] = [[], []];
  const raised: Condition[] = [];
  const measured: { name: string; value: number; dimensions: Record<string, string> }[] = [];
  const textOf = (...parts: unknown[]) => parts.map((each) => JSON.stringify(each)).join(' ');
  const log: Log = {
    info: (...parts) => void lines.push(textOf(...parts)),
    warn: (...parts) => void lines.push(textOf(...parts)),
    raise(condition, ...parts) {
      raised.push(condition);
      lines.push(textOf(CONDITIONS[condition], ...parts));
      errors.push(textOf(CONDITIONS[condition], ...parts));
    },
    measure: (name, value, dimensions) => void measured.push({ name, value, dimensions }),
  };
  return { ...log, lines, errors, raised, measured };
}
