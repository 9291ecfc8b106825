import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { lifeOf, retentionOf } from './lifecycle.ts';
import type { Stage } from './settings.ts';

const metricOf = (stage: Stage) => ({ namespace: `Onramp/${stage}`, metricName: 'ErrorsLogged' });

export function logGroupFor(scope: Construct, id: string, stage: Stage): LogGroup {
  return new LogGroup(scope, id, { retention: retentionOf(stage), removalPolicy: lifeOf(stage) });
}

/**
 * A function's log group. Every line of level ERROR counts: ours, and Lambda's own of an error not caught, but for those by
 * which a step tells the machine where to go next: `isOrdinary` in functions/domain/errors.ts.
 */
export function functionLogs(scope: Construct, id: string, stage: Stage): LogGroup {
  const { namespace, metricName } = metricOf(stage);
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

/** Those lines, of all functions together. */
export const errorsLogged = (stage: Stage, period: Duration) =>
  new Metric({ ...metricOf(stage), period, statistic: Stats.SUM });
