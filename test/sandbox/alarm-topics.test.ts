import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refuseMuteAlarms } from '../../sandbox/cloud/alarm-topics.ts';
import { readIam } from '../../sandbox/cloud/iam.ts';
import { loadTemplate } from '../../sandbox/cloud/template.ts';

const CLOUDWATCH = { Service: 'cloudwatch.amazonaws.com' };
const account = { AWS: { 'Fn::Sub': 'arn:aws:iam::$'.concat('{AWS::AccountId}:root') } };
const getAtt = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

function sample() {
  const forKey = [
    { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: account as object },
    {
      Effect: 'Allow',
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
      Principal: CLOUDWATCH,
    },
  ];
  const mayPublish = {
    Effect: 'Allow',
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    Principal: CLOUDWATCH,
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  };
  return {
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: forKey } } },
    Topic: { Type: 'AWS::SNS::Topic', Properties: { KmsMasterKeyId: getAtt('Key') as unknown } },
    Policy: {
      Type: 'AWS::SNS::TopicPolicy',
      Properties: { Topics: [{ Ref: 'Topic' }], PolicyDocument: { Statement: [mayPublish] } },
    },
    Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: [{ Ref: 'Topic' }] } },
  };
}

function check(change: (resources: ReturnType<typeof sample>) => void = () => undefined): void {
  const Resources = sample();
  change(Resources);
  const folder = mkdtempSync(join(tmpdir(), 'alarms-'));
  writeFileSync(join(folder, 'Alarms.template.json'), JSON.stringify({ Resources }));
  const template = loadTemplate(folder, 'Alarms');
  refuseMuteAlarms(template, readIam(template));
}

describe('a boot', () => {
  test('accepts an alarm whose topic and key allow CloudWatch', () => {
    expect(() => check()).not.toThrow();
  });

  test.each([
    [
      'whose topic has no statement for CloudWatch',
      /^.*Alarm: sns:Publish on arn:aws:sns:.*$/s,
      ({ Policy }: ReturnType<typeof sample>) => Policy.Properties.PolicyDocument.Statement.pop(),
    ],
    [
      'whose topic allows CloudWatch for another account',
      /sns:Publish/,
      ({ Policy }: ReturnType<typeof sample>) => {
        const condition = Policy.Properties.PolicyDocument.Statement[0]!.Condition.StringEquals;
        condition['aws:SourceAccount'] = { Ref: 'AWS::Region' };
      },
    ],
    [
      'whose key has no statement for CloudWatch',
      /kms:Decrypt on .*\n.*kms:GenerateDataKey on /,
      ({ Key }: ReturnType<typeof sample>) => Key.Properties.KeyPolicy.Statement.pop(),
    ],
    [
      'whose topic is under the key that AWS manages for SNS',
      /kms:Decrypt on .*alias\/aws\/sns/,
      ({ Topic }: ReturnType<typeof sample>) => {
        Topic.Properties.KmsMasterKeyId = 'alias/aws/sns';
      },
    ],
  ])('refuses an alarm %s', (_, message, change) => {
    expect(() => check(change)).toThrow(message);
  });
});
