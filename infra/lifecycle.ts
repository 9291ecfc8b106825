import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { daysOf } from '../functions/domain/retention.ts';
import type { Stage } from './stage.ts';

/** What production remembers outlives its stack; a sandbox leaves nothing behind. */
export const lifeOf = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/**
 * For what has a fixed name: a first deployment that fails takes it away again, or the second could not make it. Not for
 * tables, whose protection from deletion would fail the rollback.
 */
export const lifeOfNamed = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** CloudFormation takes days, and `RetentionDays` are days. */
export const retentionOf = (stage: Stage): RetentionDays =>
  daysOf(stage === 'production' ? 'logs' : 'sandboxLogs');
