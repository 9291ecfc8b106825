import {
  type AlarmBase,
  Alarm as CloudWatchAlarm,
  ComparisonOperator,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Alarm } from '../functions/domain/watching/alarm.ts';
import { ALARMS } from '../functions/domain/watching/alarms.ts';
import { type Metric, namespaceOf } from '../functions/domain/watching/metrics.ts';
import { metricOf, type Watch } from './alarm-metrics.ts';
import type { AlarmSettings } from './alarm-settings.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addDashboard } from './dashboard.ts';
import { dimensionsOf } from './watched.ts';

type AlarmsProps = Watch & { key: IKey; settings: AlarmSettings };

/** The alarms of `functions/domain/watching/`, each through the one topic, and the dashboard. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { key, settings, ...watch }: AlarmsProps) {
    super(scope, id);
    const { subscribers, runbooks } = settings;
    this.topic = new AlarmTopic(this, 'Topic', { key, subscribers });
    countOwnAnswers(watch);
    const action = new SnsAction(this.topic);
    const alarms = ALARMS.filter((alarm) => isThere(alarm, watch)).map((alarm): AlarmBase => {
      const made = new CloudWatchAlarm(this, alarm.id, {
        metric: metricOf(alarm, watch),
        threshold: alarm.threshold,
        evaluationPeriods: 1,
        alarmDescription: descriptionOf(alarm, runbooks),
        ...(alarm.isDeadMans ? OF_SILENCE : OF_POINTS),
      });
      made.addAlarmAction(action);
      return made;
    });
    addDashboard(this, { watch, alarms });
  }
}

/** False: the metric is of a resource that this stage does not have. */
const isThere = ({ source }: Alarm, { resources }: Watch): boolean =>
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

// The metrics of API Gateway count refusals of functions, too. Its log tells them apart: only an answer of its own has
// a `responseType`.
function countOwnAnswers({ stage, resources }: Watch): void {
  const { all, stringValue } = FilterPattern;
  const patterns = {
    ApiThrottled: stringValue('$.responseType', '=', 'THROTTLED'),
    ApiFailed: all(stringValue('$.status', '=', '5*'), stringValue('$.responseType', '!=', '-')),
  } as const satisfies Partial<Record<Metric, IFilterPattern>>;
  for (const [metricName, filterPattern] of Object.entries(patterns)) {
    const metricNamespace = namespaceOf(stage);
    for (const { accessLog } of resources.apis)
      accessLog.addMetricFilter(metricName, { filterPattern, metricNamespace, metricName });
  }
}
