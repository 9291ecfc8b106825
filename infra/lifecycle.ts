import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { daysKept } from '../functions/domain/retention.ts';
import type { Stage } from './stage.ts';

/**
 * Whether CloudFormation deletes a resource together with its stack. In production the resource stays. In a
 * sandbox it is deleted, except a bucket that still has objects.
 */
export const lifeOf = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/**
 * Like `lifeOf`, for a resource with a fixed name. If the first deployment of the resource fails, the
 * rollback deletes it, so that the next deployment can create it. Do not use this for tables: their deletion
 * protection would make the rollback fail.
 */
export const lifeOfNamed = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** How long logs are kept. The values of `RetentionDays` are numbers of days. */
export const retentionOf = (stage: Stage): RetentionDays =>
  daysKept(stage === 'production' ? 'logs' : 'sandboxLogs');
