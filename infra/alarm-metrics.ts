import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Alarm, AlarmSource } from '../functions/domain/watching/alarm.ts';
import { namespaceOf } from '../functions/domain/watching/metrics.ts';
import type { Stage } from './stage.ts';
import { dimensionsOf, type Resources } from './watched.ts';

export type WatchScope = { stage: Stage; resources: Resources };

/** The metric that an alarm watches. One alarm of CloudWatch can sum at most ten metrics. */
export function metricOf({ source, minutes }: Pick<Alarm, 'source' | 'minutes'>, watch: WatchScope): IMetric {
  const period = Duration.minutes(minutes);
  if (source.kind === 'OWN') {
    const { name: metricName, dimensions: dimensionsMap, statistic } = source;
    return new Metric({ namespace: namespaceOf(watch.stage), metricName, dimensionsMap, statistic, period });
  }
  if (source.kind === 'SUCCESSES') return successOf(source.of, period, watch);
  const parts = metricParts({ source, minutes }, watch);
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : metricSum(parts, period);
}

type AwsSource = Extract<AlarmSource, { kind: 'AWS' }>;

/** The single metrics that an alarm sums. */
export function metricParts(
  { source, minutes }: { source: AwsSource; minutes: number },
  watch: WatchScope,
): Metric[] {
  const { namespace, names, statistic, of } = source;
  const period = Duration.minutes(minutes);
  return dimensionsOf(of, watch.resources).flatMap((dimensionsMap) =>
    names.map((metricName) => new Metric({ namespace, metricName, dimensionsMap, statistic, period })),
  );
}

/**
 * Sums several metrics. A metric without data in the period counts as 0, otherwise CloudWatch would show no sum at all.
 */
function metricSum(parts: readonly Metric[], period: Duration): MathExpression {
  const named = parts.map((metric, index) => [`m${index + 1}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    period,
  });
}

/**
 * A metric that is 1 if a run of the schedule has succeeded, otherwise 0. Lambda's `Errors` has 0 for each run, or 1 if
 * the run failed or timed out. The lowest of these is 0 after any success. AWS bills an alarm for each metric, so this
 * one reads no second metric.
 */
function successOf(of: { schedule: string }, period: Duration, { resources }: WatchScope): MathExpression {
  const [dimensionsMap] = dimensionsOf(of, resources);
  const failed = new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap,
    statistic: 'Minimum',
    period,
  });
  return new MathExpression({ expression: '1 - FILL(failed, 1)', usingMetrics: { failed }, period });
}
