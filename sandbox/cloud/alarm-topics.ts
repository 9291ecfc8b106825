import type { Iam } from './iam.ts';
import { keyArn } from './kms.ts';
import type { Template } from './template.ts';
import { ACCOUNT, list, REGION, text } from './wire.ts';

const ACTIONS = ['AlarmActions', 'OKActions', 'InsufficientDataActions'];
const CLOUDWATCH = { roleArn: 'cloudwatch.amazonaws.com' };

/**
 * Throws if CloudWatch may not publish to an alarm's SNS topic, or may not use the topic's KMS key. AWS
 * accepts such an alarm but drops its messages.
 */
export function refuseMuteAlarms(template: Template, iam: Iam): void {
  const mute = template
    .ofType('AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm')
    .flatMap(({ logicalId }) => {
      const properties = template.properties(logicalId);
      const topics = new Set(ACTIONS.flatMap((name) => list(properties[name])).map(text));
      const context = { 'aws:SourceAccount': ACCOUNT, 'aws:SourceArn': template.attribute(logicalId, 'Arn') };
      return [...topics].filter(isTopic).flatMap((topic) => {
        const needs = [
          { action: 'sns:Publish', resource: topic, context },
          ...keyNeeds(template, topic, context),
        ];
        return needs
          .filter((need) => !iam.isAllowed(CLOUDWATCH, need))
          .map((need) => ({ logicalId, ...need }));
      });
    });
  if (mute.length === 0) return;
  const lines = mute.map(({ logicalId, action, resource }) => `${logicalId}: ${action} on ${resource}`);
  throw new Error(`These alarms would not ring, because CloudWatch is not allowed:\n${lines.join('\n')}`);
}

const isTopic = (arn: string) => arn.includes(':sns:');

function keyNeeds(template: Template, topic: string, context: Record<string, string>) {
  const owner = template.ofType('AWS::SNS::Topic').find(({ logicalId }) => template.ref(logicalId) === topic);
  const key = owner ? text(template.properties(owner.logicalId).KmsMasterKeyId) : '';
  if (!key) return [];
  // CloudWatch may not use `alias/aws/sns`, the key that AWS itself manages for SNS.
  const resource = key.includes('alias/aws/') ? `arn:aws:kms:${REGION}:${ACCOUNT}:${key}` : keyArn(key);
  return ['kms:Decrypt', 'kms:GenerateDataKey'].map((action) => ({ action, resource, context }));
}
