import { Alarm as CloudWatchAlarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Alarm } from '../functions/domain/watching/alarm.ts';
import { metricOf, type WatchScope } from './alarm-metrics.ts';
import { dimensionsOf } from './watched.ts';

type AlarmsProps = { watch: WatchScope; topic: Topic; runbooks: string };

/** Adds each alarm whose resource exists on this stage. Alarms publish to the topic. */
export function addAlarms(
  scope: Construct,
  alarms: readonly Alarm[],
  { watch, topic, runbooks }: AlarmsProps,
): CloudWatchAlarm[] {
  const action = new SnsAction(topic);
  return alarms
    .filter((alarm) => isThere(alarm, watch))
    .map((alarm) => {
      const made = new CloudWatchAlarm(scope, alarm.id, {
        metric: metricOf(alarm, watch),
        threshold: alarm.threshold,
        evaluationPeriods: alarm.periods ?? 1,
        alarmDescription: descriptionOf(alarm, runbooks),
        ...(alarm.isDeadMans ? OF_SILENCE : OF_POINTS),
      });
      made.addAlarmAction(action);
      return made;
    });
}

/** Whether this stage has the resource that the alarm watches. Otherwise the stage gets no such alarm. */
const isThere = ({ source }: Alarm, { resources }: WatchScope): boolean =>
  source.kind !== 'AWS' || dimensionsOf(source.of, resources).length > 0;

const OF_POINTS = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};
const OF_SILENCE = {
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
};

function descriptionOf({ id, when, means, look }: Alarm, runbooks: string): string {
  return `${when}. ${means}\n\nFirst look: ${look}\n\nRun-book: ${runbooks}#${id.toLowerCase()}`;
}
