import type { Clock, Log } from '../../domain/ports.ts';
import { CONDITIONS } from '../../domain/watching/conditions.ts';
import { METRICS, namespaceOf } from '../../domain/watching/metrics.ts';
import { embedded } from './emf.ts';

export type LogSettings = {
  stage: string;
  clock: Pick<Clock, 'now'>;
  /** The trace to which the running invocation belongs. */
  findTraceId: () => string | undefined;
};

/**
 * Writes structured log lines. No caller may pass a body, a CPF, a token or a key in the fields. Each raised
 * condition and each measured value is also a data point of a CloudWatch metric. CloudWatch reads a metric only from
 * a line that is JSON as a whole. `console` would wrap the line in Lambda's own JSON. The usual library for log lines
 * adds 22 kB to each cold start.
 */
export function log({ stage, clock: { now }, findTraceId }: LogSettings): Log {
  const namespace = namespaceOf(stage);
  const write = (level: Level, message: string, fields: object) => {
    const timestamp = new Date(now()).toISOString();
    const common = { level, message, timestamp, service: `onramp-${stage}`, xray_trace_id: findTraceId() };
    STREAMS[level]().write(`${JSON.stringify({ ...common, ...fields })}\n`);
  };
  return {
    info: (message, fields = {}) => write('INFO', message, fields),
    warn: (message, error, fields = {}) => write('WARN', message, { ...fields, error: summaryOf(error) }),
    raise(condition, error, fields = {}) {
      const point = embedded({
        namespace,
        name: condition,
        value: 1,
        unit: 'Count',
        dimensions: {},
        at: now(),
      });
      write('ERROR', CONDITIONS[condition], { ...fields, ...point, error: summaryOf(error) });
    },
    measure(name, value, dimensions) {
      const { unit } = METRICS[name];
      write('INFO', 'measured', embedded({ namespace, name, value, unit, dimensions, at: now() }));
    },
  };
}

type Level = 'INFO' | 'WARN' | 'ERROR';

/** An operator's command prints its result on the standard output, so warnings and errors go to the other stream. */
const STREAMS: Record<Level, () => NodeJS.WriteStream> = {
  INFO: () => process.stdout,
  WARN: () => process.stderr,
  ERROR: () => process.stderr,
};

/**
 * The name, message and stack of an error, and the name and message of its cause. Providers' answers are not
 * logged.
 */
function summaryOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
  };
}
