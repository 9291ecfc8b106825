import { CfnRule, type EventPattern, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Annotations, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { daysKept } from '../functions/domain/retention.ts';
import type { Keys } from './keys.ts';
import { acknowledge } from './nag.ts';

/** Calls to KMS with which a person could get the right to sign, or could stop the treasury. */
export const CHANGES = [
  'CreateGrant',
  'DisableKey',
  'PutKeyPolicy',
  'ReplicateKey',
  'ScheduleKeyDeletion',
  'UpdatePrimaryRegion',
];

type KeyWatchProps = { keys: Pick<Keys, 'signing' | 'signer'>; trail?: string };

/**
 * Keeps each event about the treasury's signing keys that a person must see: `Sign` by another caller, and each
 * change that could allow it. CloudTrail sends these events. It sends none unless a trail records management events in
 * this region. The stack makes no trail, because a second one costs.
 */
export class KeyWatch extends Construct {
  /** The events, until a person has read and deleted them. A message in this queue raises an alarm. */
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { keys, trail }: KeyWatchProps) {
    super(scope, id);
    this.queue = new Queue(this, 'Events', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(daysKept('queues')),
    });
    acknowledge(this.queue, 'SQS3', 'No function reads it: a person does.');
    // A replica has the same key id as its key, but another region in its ARN. The rule compares only the end of the
    // ARN, so it also matches replicas.
    const resources = { ARN: keys.signing.map(({ keyId }) => ({ suffix: `:key/${keyId}` })) };
    const target = new SqsQueue(this.queue);
    const { region } = Stack.of(this);
    const strangers = byOthersThan(keys.signer.roleArn, region);
    watchKeys(this, 'Changed', { detail: { eventName: CHANGES, resources }, target });
    watchKeys(this, 'Signed', { detail: { eventName: ['Sign'], resources, $or: strangers }, target });
    if (trail === undefined)
      Annotations.of(this).addWarningV2(
        'onramp:trail',
        'The use of the signing keys is not reported: set `trail`.',
      );
  }
}

type KeyWatchRule = { detail: EventPattern['detail']; target: IRuleTarget };

/** Sends the events of CloudTrail about keys to a target. */
export function watchKeys(scope: Construct, id: string, { detail, target }: KeyWatchRule): void {
  const rule = new Rule(scope, id, {
    eventPattern: {
      source: ['aws.kms'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: { eventSource: ['kms.amazonaws.com'], ...detail },
    },
    targets: [target],
  });
  // CloudTrail marks `Sign` as a read-only event. Only a rule in this state gets all read-only events.
  const made = rule.node.defaultChild;
  if (made instanceof CfnRule) made.state = 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS';
}

/**
 * Matches events of everybody except this role in its own region. No function runs in another region. Users and the
 * account's root have no session, so their events name no role.
 */
function byOthersThan(roleArn: string, region: string) {
  const issuedBy = (arn: unknown) => ({
    userIdentity: { sessionContext: { sessionIssuer: { arn: [arn] } } },
  });
  return [
    issuedBy({ 'anything-but': [roleArn] }),
    issuedBy({ exists: false }),
    { awsRegion: [{ 'anything-but': [region] }] },
  ];
}
