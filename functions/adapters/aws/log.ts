import { Logger } from '@aws-lambda-powertools/logger';
import type { Clock, Log } from '../../domain/ports.ts';
import { CONDITIONS } from '../../domain/watching/conditions.ts';
import { METRICS, namespaceOf } from '../../domain/watching/metrics.ts';
import { embedded } from './emf.ts';

/**
 * Writes structured log lines. No caller may pass a body, a CPF, a token or a key in the fields. Each raised
 * condition and each measured value is also a data point of a CloudWatch metric.
 */
export function log(stage: string, { now }: Pick<Clock, 'now'>): Log {
  const logger = new Logger({ serviceName: `onramp-${stage}` });
  const namespace = namespaceOf(stage);
  return {
    info: (message, fields = {}) => logger.info(message, fields),
    warn: (message, error, fields = {}) => logger.warn(message, { ...fields, error: errorSummary(error) }),
    raise(condition, error, fields = {}) {
      const point = embedded({
        namespace,
        name: condition,
        value: 1,
        unit: 'Count',
        dimensions: {},
        at: now(),
      });
      logger.error(CONDITIONS[condition], { ...fields, ...point, error: errorSummary(error) });
    },
    measure(name, value, dimensions) {
      const { unit } = METRICS[name];
      logger.info('measured', embedded({ namespace, name, value, unit, dimensions, at: now() }));
    },
  };
}

/**
 * The name, message and stack of an error, and the name and message of its cause. Providers' answers are not
 * logged.
 */
function errorSummary(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...(cause instanceof Error && { cause: `${cause.name}: ${cause.message}` }),
  };
}
