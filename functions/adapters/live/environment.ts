/**
 * The parts that depend on Lambda. No other file of the Lambda functions reads environment variables, the
 * clock or random bytes.
 */
import { randomBytes } from 'node:crypto';
import { type Setting, variableOf } from '../../settings.ts';
import type { AwsOptions } from '../aws/options.ts';
import { type Place, tableNames } from './parts.ts';

const MS_PER_SECOND = 1000;
/**
 * The time-out for opening one connection to AWS, in milliseconds. Three tries together take much less than
 * the time-out of any function.
 */
const CONNECT_MS = 1000;
const TRIES = 3;
const PROVIDER_MS = 4000;

function findVariable(name: Setting): string | undefined {
  const value = process.env[variableOf(name)];
  return value === '' ? undefined : value;
}

function requireVariable(name: Setting): string {
  const value = findVariable(name);
  if (value === undefined) throw new Error(`the environment lacks ${variableOf(name)}`);
  return value;
}

/**
 * A factor for all time-outs, so that a slow sandbox does not fail: docs/decisions.md, "The sandbox's
 * endpoints and keys".
 */
const patience = () => Number(findVariable('patience') ?? 1);

const awsOptions = (answerMs: number): AwsOptions => ({
  maxAttempts: TRIES,
  requestHandler: {
    connectionTimeout: CONNECT_MS * patience(),
    requestTimeout: answerMs * patience(),
    throwOnRequestTimeout: true,
  },
});

export const lambda: Place = {
  get stage() {
    return requireVariable('stage');
  },
  clock: {
    now: () => Date.now(),
    get minuteMs() {
      return Number(requireVariable('minuteSeconds')) * MS_PER_SECOND;
    },
  },
  random: { bytes: (length) => randomBytes(length) },
  settings: { find: findVariable, require: requireVariable },
  tables: tableNames(requireVariable),
  awsOptions,
  fetch,
  pixTransport: undefined,
  get callLimit() {
    return { timeoutMs: PROVIDER_MS * patience() };
  },
  get allowsLoopback() {
    return findVariable('webhooksAllowLoopback') === 'true';
  },
};
