import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Annotations, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { protocolOf } from './alarm-settings.ts';

type AlarmTopicProps = { key: IKey; subscribers: readonly string[] };

/** The SNS topic of the alarms, with its subscribers. Without a subscriber the deployment shows a warning. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { key, subscribers }: AlarmTopicProps) {
    super(scope, id, { masterKey: key, enforceSSL: true });
    allowPublishing(this, 'Alarms', 'cloudwatch.amazonaws.com');
    for (const [index, endpoint] of subscribers.entries()) {
      const protocol = protocolOf(endpoint);
      new CfnSubscription(this, `Subscriber${index + 1}`, { topicArn: this.topicArn, protocol, endpoint });
    }
    if (subscribers.length === 0)
      Annotations.of(this).addWarningV2('onramp:alarms', 'Alarms reach no person: set `alarmsTo`.');
  }
}

/**
 * Allows a service of AWS to publish to the topic for this account. By default SNS would let every identity of the
 * account publish. This policy replaces that default.
 */
export function allowPublishing(topic: Topic, sid: string, service: string): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid,
      principals: [new ServicePrincipal(service)],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
    }),
  );
}
