import type { Condition } from './conditions.ts';
import type { Metric } from './metrics.ts';

/** The run-book of an alarm. The texts are Markdown, and `docs/runbooks.md` consists of them. */
export type Runbook = {
  /** The condition, as a sentence without its full stop. */
  when: string;
  /** The cause and its effect on clients and money. */
  means: string;
  /** The first look. */
  look: string;
  /** How the condition ends. */
  ends: string;
  /** `NOW`: at any hour. `TODAY`: within the working day. */
  urgency: 'NOW' | 'TODAY';
};

/** The alarm rings at so many points of the metric within so many minutes. Without both: at the first point. */
export type Limit = { count?: number; minutes?: number };

/** A resource of the stacks whose metric is watched. `account` is the account as a whole in this region. */
export type Watched =
  | { queue: 'webhook' | 'callback' }
  | { deadLetters: 'webhook' | 'callback' | 'outbox' | 'schedule' }
  | { schedule: string }
  | { tables: readonly string[] }
  | { certificate: 'callbackDomain' | 'apiDomain' }
  | 'machine'
  | 'api'
  | 'pipe'
  | 'keys'
  | 'account';

export type Statistic = 'Sum' | 'Minimum' | 'Maximum' | 'p90';

export type Source =
  | { kind: 'OWN'; name: Condition | Metric; dimensions?: Record<string, string>; statistic: Statistic }
  /** The sum of the named metrics over all the resource's parts. */
  | { kind: 'AWS'; namespace: string; names: readonly string[]; statistic: Statistic; of: Watched }
  /** The runs of a schedule that have succeeded. */
  | { kind: 'SUCCESSES'; of: { schedule: string } };

/** One alarm, whole. */
export type Alarm = Runbook & {
  /** The name in CloudWatch and in the run-books. */
  id: string;
  source: Source;
  /** The alarm rings at this value and above it. The alarm of a silence rings below it. */
  threshold: number;
  minutes: number;
  /** Whether silence is the condition: without any data the alarm rings. */
  isDeadMans: boolean;
};
