import { EventBus } from 'aws-cdk-lib/aws-events';
import { EventBus as BusTarget } from 'aws-cdk-lib/aws-events-targets';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { CHANGES, watchKeys } from './key-watch.ts';

type ReplicaWatchProps = { region: string; home: string };

/**
 * Forwards the events about replicas of the signing keys to the region of the service, where `KeyWatch` keeps them.
 * CloudTrail reports each call in its own region alone. An export does not reach another region, so this stack knows
 * no key: it forwards the events of all multi-Region keys.
 */
export class ReplicaWatchStack extends Stack {
  constructor(scope: Construct, id: string, { region, home }: ReplicaWatchProps) {
    super(scope, id, {
      env: { region },
      description: 'Stablecoin on-ramp: reports who uses a replica of a signing key',
      terminationProtection: true,
    });
    const { partition, account } = this;
    const bus = `arn:${partition}:events:${home}:${account}:event-bus/default`;
    const replicas = { prefix: `arn:${partition}:kms:${region}:${account}:key/mrk-` };
    watchKeys(this, 'Replicas', {
      detail: { eventName: [...CHANGES, 'Sign'], resources: { ARN: [replicas] } },
      target: new BusTarget(EventBus.fromEventBusArn(this, 'Home', bus)),
    });
  }
}
