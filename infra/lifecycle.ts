import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { daysOf } from '../functions/domain/retention.ts';
import type { Stage } from './stage.ts';

/**
 * Production's resources stay when their stack is deleted. CloudFormation deletes those of a sandbox, except a bucket
 * that still has objects.
 */
export const lifeOf = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/**
 * For a resource with a fixed name. If the first deployment fails, the rollback removes it, so that a second
 * deployment can make it again. Not for tables: their protection from deletion would fail the rollback.
 */
export const lifeOfNamed = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** The values of `RetentionDays` are days. */
export const retentionOf = (stage: Stage): RetentionDays =>
  daysOf(stage === 'production' ? 'logs' : 'sandboxLogs');
