import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { getDefined } from '../functions/domain/get.ts';
import { ALARMS } from '../functions/domain/watching/alarms.ts';
import type { WatchScope } from './alarm-metrics.ts';
import type { AlarmSettings } from './alarm-settings.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addAlarms } from './alarms.ts';

/**
 * The alarms that a bad version raises within minutes. Dead-letter queues are not among them, because a message arrives
 * there only after half an hour.
 */
const NAMES = [
  'ApiErrors',
  'ExecutionsFailed',
  'ExecutionsAborted',
  'RequestFailed',
  'CallbackFailed',
  'MessageFailed',
  'StepFailed',
];

export const ROLLBACK_ALARMS = NAMES.map((name) =>
  getDefined(
    ALARMS.find(({ id }) => id === name),
    `alarm ${name}`,
  ),
);

type RollbackAlarmsProps = { watch: WatchScope; key: IKey; settings: AlarmSettings };

/**
 * The topic of all alarms, and the alarms that stop a deployment. They are created before the aliases, because aliases
 * refer to them.
 */
export class RollbackAlarms extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { watch, key, settings }: RollbackAlarmsProps) {
    super(scope, id);
    const { subscribers, runbooks } = settings;
    this.topic = new AlarmTopic(this, 'Topic', { key, subscribers });
    this.alarms = addAlarms(this, ROLLBACK_ALARMS, { watch, topic: this.topic, runbooks });
  }
}
