import type { Condition } from './conditions.ts';
import type { Metric } from './metrics.ts';

/**
 * The explanation of an alarm for the person who is called. The texts are Markdown, and docs/runbooks.md is made of
 * them.
 */
export type Runbook = {
  /** The condition of the alarm, as a sentence without the full stop. */
  when: string;
  /** The cause of the alarm, and its effect on clients and money. */
  means: string;
  /** Where to look first. */
  look: string;
  /** How the condition is ended. */
  ends: string;
  /** When a person must act. `NOW`: at any hour. `TODAY`: within the working day. */
  urgency: 'NOW' | 'TODAY';
};

/** The usual first look. The run-books tell it once, and not for each alarm. */
export const CAUSE = 'Read `error` in the lines.';

/** The first look at a condition whose log line says it all. The run-books leave it out. */
export const LINE = 'Read the line.';

/** The first look at a case, and its end. The run-books tell both once. */
export const CASE = '`ops cases list`, `ops cases show`.';
export const CASE_ENDS = 'Close the case: [cases.md](cases.md).';

/** The usual end. The run-books tell it once. */
export const BY_ITSELF = 'It ends by itself once the cause is gone.';

/** The first look at a condition whose log lines name a purchase. */
export const SHOW_PURCHASE = 'Run `ops tx show` with the line’s `transactionId`.';

/**
 * The alarm rings if the metric adds up to `count` or more within `minutes`, in each of `periods` such periods
 * in a row. The defaults are 1, five minutes, and one period.
 */
export type Limit = { count?: number; minutes?: number; periods?: number };

/**
 * The limit of an alarm about work that is repeated. The pauses of the repetitions grow from a second to five
 * minutes. A provider that is silent for a second therefore raises its condition several times, but in two
 * periods at most. A lasting silence raises it in each.
 */
export const LASTING = { minutes: 5, periods: 3 } as const satisfies Limit;

/** The resource whose metric the alarm watches. `account` is the whole AWS account in this region. */
export type Watched =
  | { queue: 'webhook' | 'callback' }
  | { deadLetters: 'webhook' | 'callback' | 'outbox' | 'schedule' }
  | { schedule: string }
  | { tables: readonly string[] }
  /** Secondary indexes, each as `<table>.<index>`. */
  | { indexes: readonly string[] }
  | { certificate: 'callbackDomain' | 'apiDomain' }
  | 'machine'
  | 'api'
  | 'pipe'
  | 'keys'
  | 'account';

export type Statistic = 'Sum' | 'Minimum' | 'Maximum' | 'p90';

export type AlarmSource =
  | { kind: 'OWN'; name: Condition | Metric; dimensions?: Record<string, string>; statistic: Statistic }
  /**
   * Metrics that AWS publishes. If there are several, or the resource has several parts, their values are
   * added up.
   */
  | { kind: 'AWS'; namespace: string; names: readonly string[]; statistic: Statistic; of: Watched }
  /** 1 if a run of a schedule has succeeded, otherwise 0. */
  | { kind: 'SUCCESSES'; of: { schedule: string } };

/** One alarm with its run-book, metric and threshold. */
export type Alarm = Runbook & {
  /** The alarm's name, in CloudWatch and in the run-books. */
  id: string;
  source: AlarmSource;
  /** The alarm rings if the metric is at or above this value. If `isDeadMans` is set, it rings below the value. */
  threshold: number;
  minutes: number;
  /** The alarm rings only if this many periods in a row reach the threshold. Without it, one is enough. */
  periods?: number;
  /**
   * Whether the alarm rings below the threshold, for example if a schedule is silent. Then it also rings if
   * there are no data.
   */
  isDeadMans: boolean;
};
