import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Stage } from './settings.ts';

/** What production remembers outlives its stack; a sandbox leaves nothing behind. */
export const lifeOf = (stage: Stage): RemovalPolicy =>
  stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

export const retentionOf = (stage: Stage): RetentionDays =>
  stage === 'production' ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK;
