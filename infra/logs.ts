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
 * Makes the log group of a function and counts its errors. These are the service's own lines of level ERROR, and
 * Lambda's line about an error that was not caught. Lambda's line about an ordinary error of a step does not count:
 * `isOrdinary` in functions/domain/errors.ts.
 */
export function functionLogs(scope: Construct, id: string, stage: Stage): LogGroup {
  const { namespace, metricName } = metricOf(stage, 'ErrorsLogged');
  const logGroup = logGroupFor(scope, id, stage);
  logGroup.addMetricFilter('Errors', {
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.level', '=', 'ERROR'),
      // The service's own lines have the field `service`, and their message is text.
      FilterPattern.any(FilterPattern.exists('$.service'), FilterPattern.notExists('$.message.isOrdinary')),
    ),
    metricNamespace: namespace,
    metricName,
  });
  return logGroup;
}

/**
 * Counts the unmatched payments in the log of a function that records them, and apart from that those that are dust.
 */
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

/** The sum of a count in each period, over all functions. */
export const logged = (metric: Counted, stage: Stage, period: Duration) =>
  new Metric({ ...metricOf(stage, metric), period, statistic: Stats.SUM });
