import { type Statement, statementsOf } from './policy-statements.ts';
import type { Template } from './template.ts';
import { ACCOUNT, fields, list, PARTITION, text } from './wire.ts';

/** The statements that the template gives to each role, by the role's ARN. */
export function readRolePolicies(template: Template): Map<string, Statement[]> {
  const byRole = new Map<string, Statement[]>();
  const add = (roleName: string, document: unknown) => {
    const arn = `arn:${PARTITION}:iam::${ACCOUNT}:role/${roleName}`;
    byRole.set(arn, [...(byRole.get(arn) ?? []), ...statementsOf(document)]);
  };
  for (const { logicalId } of template.ofType('AWS::IAM::Role')) {
    const { Policies, ManagedPolicyArns } = template.properties(logicalId);
    const name = template.ref(logicalId);
    for (const policy of list(Policies)) add(name, fields(policy).PolicyDocument);
    for (const arn of list(ManagedPolicyArns)) add(name, managedPolicy(template, text(arn)));
  }
  for (const { logicalId } of template.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { Roles, PolicyDocument } = template.properties(logicalId);
    for (const role of list(Roles)) add(text(role), PolicyDocument);
  }
  return byRole;
}

/**
 * The document of a managed policy in the template. Undefined for a policy that AWS itself manages, because the
 * template does not contain its text.
 */
function managedPolicy(template: Template, arn: string): unknown {
  const own = template
    .ofType('AWS::IAM::ManagedPolicy')
    .find(({ logicalId }) => template.ref(logicalId) === arn);
  return own && template.properties(own.logicalId).PolicyDocument;
}

/** The statements of each role's trust policy, by the role's ARN. */
export function readTrustPolicies(template: Template): Map<string, Statement[]> {
  return new Map(
    template.ofType('AWS::IAM::Role').map(({ logicalId }): [string, Statement[]] => {
      const { AssumeRolePolicyDocument } = template.properties(logicalId);
      return [template.attribute(logicalId, 'Arn'), statementsOf(AssumeRolePolicyDocument)];
    }),
  );
}
