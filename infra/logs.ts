import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { lifeOf, retentionOf } from './lifecycle.ts';
import type { Stage } from './stage.ts';

type Counted = 'ErrorsLogged' | 'StraysFound' | 'DustFound';
const metricOf = (stage: Stage, metricName: Counted) => ({ namespace: `Onramp/${stage}`, metricName });

export function logGroupFor(scope: Construct, id: string, stage: Stage): LogGroup {
  return new LogGroup(scope, id, { retention: retentionOf(stage), removalPolicy: lifeOf(stage) });
}

/**
 * A function's log group. Every line of level ERROR counts: ours, and Lambda's own of an error not caught, but for those by
 * which a step tells the machine where to go next: `isOrdinary` in functions/domain/errors.ts.
 */
export function functionLogs(scope: Construct, id: string, stage: Stage): LogGroup {
  const { namespace, metricName } = metricOf(stage, 'ErrorsLogged');
  const logGroup = logGroupFor(scope, id, stage);
  logGroup.addMetricFilter('Errors', {
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.level', '=', 'ERROR'),
      // Ours name the service, and their message is words.
      FilterPattern.any(FilterPattern.exists('$.service'), FilterPattern.notExists('$.message.isOrdinary')),
    ),
    metricNamespace: namespace,
    metricName,
  });
  return logGroup;
}

/** Counts the Pix that are no purchase's payment, in the log of a function that writes them down; of these what is dust. */
export function countUnmatchedPayments(logGroup: ILogGroup, stage: Stage): void {
  const isFound = FilterPattern.stringValue('$.message', '=', 'stray Pix found');
  const isDust = FilterPattern.all(isFound, FilterPattern.booleanValue('$.isDust', true));
  const filterOf = (metric: Counted, filterPattern: IFilterPattern) => {
    const { namespace: metricNamespace, metricName } = metricOf(stage, metric);
    logGroup.addMetricFilter(metricName, { filterPattern, metricNamespace, metricName });
  };
  filterOf('StraysFound', isFound);
  filterOf('DustFound', isDust);
}

/** What is counted, of all functions together. */
export const logged = (metric: Counted, stage: Stage, period: Duration) =>
  new Metric({ ...metricOf(stage, metric), period, statistic: Stats.SUM });
