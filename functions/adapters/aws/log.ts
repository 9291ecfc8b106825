import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '../../domain/ports.ts';

/** Structured lines. Fields are identifiers and numbers only: no body, no CPF, no token, no key. */
export function log(stage: string): Log {
  const logger = new Logger({ serviceName: `onramp-${stage}` });
  return {
    info: (message, fields = {}) => logger.info(message, fields),
    error: (message, error, fields = {}) => logger.error(message, { ...fields, error: summaryOf(error) }),
  };
}

/** The name and message of the error and of its cause. Answers of providers are not logged. */
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
