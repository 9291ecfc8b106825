import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { logged } from './logs.ts';
import type { Stage } from './stage.ts';

type AlarmsProps = {
  stage: Stage;
  key: IKey;
  deadLetters: Record<string, IQueue>;
  webhook: IQueue;
  stateMachine: StateMachine;
  api: RestApi;
};

const PERIOD = { period: Duration.minutes(1) };
/** Each retry logs the same cause again. In this period they are one alarm. */
const ERRORS_PERIOD = Duration.minutes(5);
/**
 * An unmatched payment is usually returned without a person. A flood of them raises an alarm, because the provider
 * must block the sender.
 */
const STRAYS_PERIOD = Duration.hours(1);
const STRAYS_PER_HOUR = 100;
/**
 * A delivery that waits longer than this in the queue raises an alarm. The consumer is then too slow, or it fails.
 */
const WEBHOOK_AGE_SECONDS = 300;

/** A person must look at the cause of each alarm. Operators subscribe to the topic. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { masterKey: props.key, enforceSSL: true });
    allowAlarms(this.topic);
    const { stage, stateMachine, api, webhook } = props;
    for (const [name, queue] of Object.entries(props.deadLetters)) {
      const metric = queue.metricApproximateNumberOfMessagesVisible({ ...PERIOD, statistic: 'Maximum' });
      this.raise(`${name.charAt(0).toUpperCase()}${name.slice(1)}DeadLetters`, metric, 1);
    }
    this.raise('ExecutionsFailed', stateMachine.metricFailed(PERIOD), 1);
    this.raise('ExecutionsAborted', stateMachine.metricAborted(PERIOD), 1);
    this.raise('ServerErrors', api.metricServerError({ ...PERIOD, statistic: 'Sum' }), 5);
    this.raise('ErrorsLogged', logged('ErrorsLogged', stage, ERRORS_PERIOD), 1);
    this.raise('StraysFound', logged('StraysFound', stage, STRAYS_PERIOD), STRAYS_PER_HOUR);
    this.raise('WebhookAge', webhook.metricApproximateAgeOfOldestMessage(PERIOD), WEBHOOK_AGE_SECONDS);
  }

  private raise(id: string, metric: IMetric, threshold: number): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}

// By SNS's default policy every identity of the account may publish. The topic's own policy replaces it.
function allowAlarms(topic: Topic): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Alarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
    }),
  );
}
