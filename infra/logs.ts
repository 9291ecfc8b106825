import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { lifeOf, retentionOf } from './lifecycle.ts';
import type { Stage } from './stage.ts';

export function logGroupFor(scope: Construct, id: string, stage: Stage): LogGroup {
  return new LogGroup(scope, id, { retention: retentionOf(stage), removalPolicy: lifeOf(stage) });
}
