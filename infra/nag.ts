import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** A finding of cdk-nag that we accept below `scope`, with the reason in words. */
export function acknowledge(scope: IConstruct, id: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** X-Ray and the delivery of logs have no resources to be named. */
export function acknowledgeTelemetry(scope: IConstruct): void {
  acknowledge(scope, 'IAM5[Resource::*]', 'X-Ray and log delivery accept no resource but *.');
}
