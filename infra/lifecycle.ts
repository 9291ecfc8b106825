import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { daysOf } from '../functions/domain/retention.ts';
import type { Stage } from './settings.ts';

/** What production remembers outlives its stack; a sandbox leaves nothing behind. */
export const lifeOf = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/** CloudFormation takes days, and `RetentionDays` are days. */
export const retentionOf = (stage: Stage): RetentionDays =>
  daysOf(stage === 'production' ? 'logs' : 'sandboxLogs');
