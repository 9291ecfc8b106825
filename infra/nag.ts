import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** A finding of cdk-nag that we accept below `scope`, with the reason in words. */
export function acknowledge(scope: IConstruct, id: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** X-Ray and the delivery of logs have no resources to be named. */
export function acknowledgeTelemetry(scope: IConstruct): void {
  acknowledge(scope, 'IAM5[Resource::*]', 'X-Ray and log delivery accept no resource but *.');
}

/** One ARN with a wildcard, and no other. */
export function acknowledgeWildcard(scope: IConstruct, arn: string, reason: string): void {
  acknowledge(scope, `IAM5[Resource::${flatten(Stack.of(scope).resolve(arn))}]`, reason);
}

type Intrinsic = { Ref?: string; 'Fn::GetAtt'?: string[]; 'Fn::Join'?: [string, unknown[]] };

// A finding's name has its references between angle brackets.
function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Intrinsic;
  if (join) return join[1].map(flatten).join(join[0]);
  return `<${attribute ? attribute.join('.') : Ref}>`;
}
