import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Accepts a finding of cdk-nag below `scope`, with the reason. */
export function acknowledge(scope: IConstruct, id: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** The actions of X-Ray and of log delivery take no resource but `*`. */
export function acknowledgeTelemetry(scope: IConstruct): void {
  acknowledge(scope, 'IAM5[Resource::*]', 'X-Ray and log delivery accept no resource but *.');
}

/** Accepts one ARN with a wildcard, and no other. An ARN of another stack must be named by its export. */
export function acknowledgeWildcard(scope: IConstruct, arn: string, reason: string): void {
  acknowledge(scope, `IAM5[Resource::${flatten(Stack.of(scope).resolve(arn))}]`, reason);
}

type Intrinsic = {
  Ref?: string;
  'Fn::GetAtt'?: string[];
  'Fn::Join'?: [string, unknown[]];
  'Fn::ImportValue'?: string;
};

// The name of a finding has references between angle brackets, and the name of an export without them.
function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::ImportValue': name } = value as Intrinsic;
  if (name !== undefined) return name;
  if (join) return join[1].map(flatten).join(join[0]);
  return `<${attribute ? attribute.join('.') : Ref}>`;
}
