import type { Need, Principal } from './access.ts';
import { functionArnOf } from './arns.ts';
import { ALWAYS } from './policy-conditions.ts';
import { aboutPrincipal, judge } from './policy-statements.ts';
import { governs, readResourcePolicies } from './resource-policies.ts';
import { readRolePolicies, readTrustPolicies } from './role-policies.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, matchesWildcard, PARTITION, text } from './wire.ts';

export type Iam = {
  /**
   * Throws `errorName`, by default AccessDeniedException, unless the principal has every permission in
   * `needs`.
   */
  authorize(principal: Principal, needs: Need[], errorName?: string): void;
  isAllowed(principal: Principal, need: Need): boolean;
  /**
   * Throws unless the role's trust policy in the template lets the service assume the role. On AWS,
   * CloudFormation would refuse to create a resource with that role.
   */
  requireTrust(roleArn: string, service: string, who: string): void;
  /**
   * True if an AWS::Lambda::Permission lets the service invoke the function for that source. A permission for
   * a function does not cover the function's versions and aliases, whose ARNs differ.
   */
  mayInvoke(functionArn: string, service: string, sourceArn: string): boolean;
};

/** One decision of the IAM policies: whether a role has a permission. */
export type Decision = Need & { roleArn: string; isAllowed: boolean };

/** @param onDecision receives each decision about a role's call */
export function readIam(template: Template, onDecision?: (decision: Decision) => void): Iam {
  const decide = decider(template);

  function isAllowed({ roleArn, context }: Principal, need: Need): boolean {
    if (!roleArn) return true;
    const request = { ...need, context: { ...ALWAYS, ...context, ...need.context } };
    const decision = { ...request, roleArn, isAllowed: decide(roleArn, request) };
    onDecision?.(decision);
    return decision.isAllowed;
  }

  return {
    isAllowed,
    authorize(principal, needs, errorName = 'AccessDeniedException') {
      const refused = needs.find((need) => !isAllowed(principal, need));
      if (refused) throw awsError(errorName, refusalOf(principal, refused));
    },
    requireTrust: trustChecker(template),
    mayInvoke: invocationChecker(template),
  };
}

/** Decides by the role's policies and the resource's policy. */
function decider(template: Template): (roleArn: string, need: Need) => boolean {
  const identity = readRolePolicies(template);
  const resourcePolicies = readResourcePolicies(template);
  const account = `arn:${PARTITION}:iam::${ACCOUNT}:root`;
  return (roleArn, need) => {
    const own = judge(identity.get(roleArn) ?? [], need);
    const policy = resourcePolicies.find((each) => governs(each, need.resource));
    const byPolicy = policy ? judge(aboutPrincipal(policy.statements, roleArn), need) : 'silent';
    if (own === 'deny' || byPolicy === 'deny') return false;
    if (byPolicy === 'allow') return true;
    if (policy?.exclusive && judge(aboutPrincipal(policy.statements, account), need) !== 'allow')
      return false;
    return own === 'allow';
  };
}

function refusalOf({ roleArn, functionName = 'session' }: Principal, { action, resource }: Need): string {
  const who = roleArn?.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/');
  return (
    `User: ${who}/${functionName} is not authorized to perform: ${action} on resource: ${resource}` +
    ` because no identity-based policy allows the ${action} action`
  );
}

function trustChecker(template: Template): Iam['requireTrust'] {
  const trust = readTrustPolicies(template);
  return (roleArn, service, who) => {
    const trusted = aboutPrincipal(trust.get(roleArn) ?? [], service);
    const context = { ...ALWAYS, 'aws:SourceAccount': ACCOUNT };
    if (judge(trusted, { action: 'sts:AssumeRole', resource: roleArn, context }) === 'allow') return;
    throw new Error(`${who}: the role ${roleArn} cannot be assumed by ${service}`);
  };
}

function invocationChecker(template: Template): Iam['mayInvoke'] {
  const permissions = template.ofType('AWS::Lambda::Permission').map(({ logicalId }) => {
    const { FunctionName, Principal: service, SourceArn, Action } = template.properties(logicalId);
    return {
      functionArn: functionArnOf(text(FunctionName)),
      service: text(service),
      sourceArn: SourceArn === undefined ? '*' : text(SourceArn),
      action: text(Action),
    };
  });
  return (functionArn, service, sourceArn) =>
    permissions.some(
      (permission) =>
        permission.functionArn === functionArn &&
        permission.service === service &&
        matchesWildcard(permission.action, 'lambda:InvokeFunction') &&
        matchesWildcard(permission.sourceArn, sourceArn),
    );
}
