import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Accepts a finding of cdk-nag in `scope`, with the reason for it. */
export function acknowledge(scope: IConstruct, id: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** Accepts `*` as the resource for X-Ray and log delivery, because their actions allow no other. */
export function acknowledgeTelemetry(scope: IConstruct): void {
  acknowledge(scope, 'IAM5[Resource::*]', 'X-Ray and log delivery accept no resource but *.');
}

/**
 * Accepts one ARN with a wildcard and no other. If the ARN comes from another stack, it is named by that stack's
 * export.
 */
export function acknowledgeWildcard(scope: IConstruct, arn: string, reason: string): void {
  acknowledge(scope, `IAM5[Resource::${flatten(Stack.of(scope).resolve(arn))}]`, reason);
}

type Intrinsic = {
  Ref?: string;
  'Fn::GetAtt'?: string[];
  'Fn::Join'?: [string, unknown[]];
  'Fn::ImportValue'?: string;
};

// The text by which cdk-nag names an ARN. References are between angle brackets, but names of exports are not.
function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::ImportValue': name } = value as Intrinsic;
  if (name !== undefined) return name;
  if (join) return join[1].map(flatten).join(join[0]);
  return `<${attribute ? attribute.join('.') : Ref}>`;
}
