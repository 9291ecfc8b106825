import type { Template } from './template.ts';
import {
  ACCOUNT,
  awsError,
  type Fields,
  fields,
  list,
  matchesWildcard,
  PARTITION,
  REGION,
  text,
} from './wire.ts';

/**
 * The caller of an AWS API. An operator (a test or the start-up) has no `roleArn` and may do everything.
 * `session` names the operator. A caller with a role may do what the template's policies grant.
 */
export type Principal = { roleArn?: string; functionName?: string; session?: string; context?: Context };
export type Need = { action: string; resource: string; context?: Context };
type Context = Record<string, string | string[]>;

type Statement = {
  effect: string;
  actions: string[];
  notActions: string[];
  resources: string[];
  notResources: string[];
  principals: string[];
  condition: Fields;
};

type AccessVerdict = 'allow' | 'deny' | 'silent';

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
  const identity = identityPolicies(template);
  const resourcePolicies = readResourcePolicies(template);
  const permissions = template.ofType('AWS::Lambda::Permission').map(({ logicalId }) => {
    const { FunctionName, Principal, SourceArn, Action } = template.properties(logicalId);
    return {
      functionArn: functionArnOf(text(FunctionName)),
      service: text(Principal),
      sourceArn: SourceArn === undefined ? '*' : text(SourceArn),
      action: text(Action),
    };
  });

  function isAllowed({ roleArn, context }: Principal, need: Need): boolean {
    if (!roleArn) return true;
    const request = { ...need, context: { ...ALWAYS, ...context, ...need.context } };
    const decision = { ...request, roleArn, isAllowed: decide(roleArn, request) };
    onDecision?.(decision);
    return decision.isAllowed;
  }

  function decide(roleArn: string, need: Need): boolean {
    const own = judge(identity.get(roleArn) ?? [], need);
    const policy = resourcePolicies.find(({ resource }) => governs(resource, need.resource));
    const byPolicy = policy ? judge(aboutPrincipal(policy.statements, roleArn), need) : 'silent';
    if (own === 'deny' || byPolicy === 'deny') return false;
    if (byPolicy === 'allow') return true;
    // The policy of a KMS key decides first. A role's own policy can grant an action on the key only if the
    // key's policy allows that action to the whole account.
    const account = `arn:${PARTITION}:iam::${ACCOUNT}:root`;
    if (policy?.exclusive && judge(aboutPrincipal(policy.statements, account), need) !== 'allow')
      return false;
    return own === 'allow';
  }

  const trust = new Map(
    template.ofType('AWS::IAM::Role').map(({ logicalId }): [string, Statement[]] => {
      const { AssumeRolePolicyDocument } = template.properties(logicalId);
      return [template.attribute(logicalId, 'Arn'), statements(AssumeRolePolicyDocument)];
    }),
  );

  return {
    isAllowed,
    requireTrust(roleArn, service, who) {
      const trusted = aboutPrincipal(trust.get(roleArn) ?? [], service);
      const context = { ...ALWAYS, 'aws:SourceAccount': ACCOUNT };
      if (judge(trusted, { action: 'sts:AssumeRole', resource: roleArn, context }) === 'allow') return;
      throw new Error(`${who}: the role ${roleArn} cannot be assumed by ${service}`);
    },
    authorize(principal, needs, errorName = 'AccessDeniedException') {
      const refused = needs.find((need) => !isAllowed(principal, need));
      if (!refused) return;
      const who = principal.roleArn?.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/');
      throw awsError(
        errorName,
        `User: ${who}/${principal.functionName ?? 'session'} is not authorized to perform:` +
          ` ${refused.action} on resource: ${refused.resource} because no identity-based policy` +
          ` allows the ${refused.action} action`,
      );
    },
    mayInvoke: (functionArn, service, sourceArn) =>
      permissions.some(
        (permission) =>
          permission.functionArn === functionArn &&
          permission.service === service &&
          matchesWildcard(permission.action, 'lambda:InvokeFunction') &&
          matchesWildcard(permission.sourceArn, sourceArn),
      ),
  };
}

/** The ARN of a function, a version or an alias, from its name or its ARN. */
export function functionArnOf(nameOrArn: string): string {
  const isArn = nameOrArn.startsWith('arn:');
  return isArn ? nameOrArn : `arn:${PARTITION}:lambda:${REGION}:${ACCOUNT}:function:${nameOrArn}`;
}

/**
 * The function's name in its ARN or its qualified name. Versions and aliases run the same code here, so their
 * qualifier is dropped.
 */
export function functionNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split(':')[6] ?? '') : (nameOrArn.split(':')[0] ?? '');
}

function governs(policyResource: string, resource: string): boolean {
  return resource === policyResource || resource.startsWith(`${policyResource}/`);
}

function identityPolicies(template: Template): Map<string, Statement[]> {
  const byRole = new Map<string, Statement[]>();
  const add = (roleName: string, document: unknown) => {
    const arn = `arn:${PARTITION}:iam::${ACCOUNT}:role/${roleName}`;
    byRole.set(arn, [...(byRole.get(arn) ?? []), ...statements(document)]);
  };
  for (const { logicalId } of template.ofType('AWS::IAM::Role')) {
    for (const policy of list(template.properties(logicalId).Policies)) {
      add(template.ref(logicalId), fields(policy).PolicyDocument);
    }
  }
  for (const { logicalId } of template.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { Roles, PolicyDocument } = template.properties(logicalId);
    for (const role of list(Roles)) add(text(role), PolicyDocument);
  }
  for (const { logicalId } of template.ofType('AWS::IAM::Role')) {
    const { ManagedPolicyArns } = template.properties(logicalId);
    for (const arn of list(ManagedPolicyArns))
      attachManaged(template, text(arn), template.ref(logicalId), add);
  }
  return byRole;
}

/**
 * Adds the statements of a managed policy in the template to a role. Skips the policies that AWS itself
 * manages, because the template does not contain their text.
 */
function attachManaged(
  template: Template,
  arn: string,
  roleName: string,
  add: (roleName: string, document: unknown) => void,
): void {
  const own = template
    .ofType('AWS::IAM::ManagedPolicy')
    .find(({ logicalId }) => template.ref(logicalId) === arn);
  if (own) add(roleName, template.properties(own.logicalId).PolicyDocument);
}

type ResourcePolicy = { resource: string; statements: Statement[]; exclusive: boolean };

function readResourcePolicies(template: Template): ResourcePolicy[] {
  const keys = template.ofType('AWS::KMS::Key').map(({ logicalId }) => ({
    resource: template.attribute(logicalId, 'Arn'),
    statements: statements(template.properties(logicalId).KeyPolicy),
    exclusive: true,
  }));
  const queues = template.ofType('AWS::SQS::QueuePolicy').flatMap(({ logicalId }) => {
    const { Queues, PolicyDocument } = template.properties(logicalId);
    return list(Queues).map((url) => ({
      resource: `arn:${PARTITION}:sqs:${REGION}:${ACCOUNT}:${text(url).split('/').at(-1)}`,
      statements: statements(PolicyDocument),
      exclusive: false,
    }));
  });
  const buckets = template.ofType('AWS::S3::BucketPolicy').map(({ logicalId }) => {
    const { Bucket, PolicyDocument } = template.properties(logicalId);
    const resource = `arn:${PARTITION}:s3:::${text(Bucket)}`;
    return { resource, statements: statements(PolicyDocument), exclusive: false };
  });
  const topics = template.ofType('AWS::SNS::TopicPolicy').flatMap(({ logicalId }) => {
    const { Topics, PolicyDocument } = template.properties(logicalId);
    return list(Topics).map((topic) => ({
      resource: text(topic),
      statements: statements(PolicyDocument),
      exclusive: false,
    }));
  });
  return [...keys, ...queues, ...buckets, ...topics];
}

function statements(document: unknown): Statement[] {
  return list(fields(document).Statement)
    .map(fields)
    .map((statement) => ({
      effect: text(statement.Effect),
      actions: list(statement.Action).map(text),
      notActions: list(statement.NotAction).map(text),
      resources: list(statement.Resource).map(text),
      notResources: list(statement.NotResource).map(text),
      principals: principalsOf(statement.Principal),
      condition: fields(statement.Condition),
    }));
}

function principalsOf(principal: unknown): string[] {
  if (typeof principal === 'string') return [principal];
  return Object.values(fields(principal)).flatMap(list).map(text);
}

function aboutPrincipal(all: Statement[], arn: string): Statement[] {
  return all.filter(({ principals }) => principals.some((one) => one === '*' || one === arn));
}

function judge(all: Statement[], need: Need): AccessVerdict {
  const about = all.filter((statement) => covers(statement, need));
  if (about.some(({ effect, condition }) => effect === 'Deny' && holds(condition, need) === 'yes'))
    return 'deny';
  // A condition may have an operator that this code does not know. A Deny with such a condition does not
  // apply, and an Allow does.
  const allowed = about.some(
    ({ effect, condition }) => effect === 'Allow' && holds(condition, need) !== 'no',
  );
  return allowed ? 'allow' : 'silent';
}

function covers({ actions, notActions, resources, notResources }: Statement, need: Need): boolean {
  const hit = (patterns: string[]) =>
    patterns.some((pattern) => matchesWildcard(pattern.toLowerCase(), need.action.toLowerCase()));
  const about = notActions.length > 0 ? !hit(notActions) : hit(actions);
  if (!about) return false;
  const within = (patterns: string[]) => patterns.some((pattern) => matchesWildcard(pattern, need.resource));
  if (notResources.length > 0) return !within(notResources);
  return resources.length === 0 || within(resources);
}

/** The condition keys that each request in this account has. */
const ALWAYS: Context = { 'aws:SecureTransport': 'true', 'kms:CallerAccount': ACCOUNT };

function holds(condition: Fields, { context = {} }: Need): 'yes' | 'no' | 'unknown' {
  let known = true;
  for (const [operator, keys] of Object.entries(condition)) {
    for (const [key, expected] of Object.entries(fields(keys))) {
      const answer = compare(operator, context[key], list(expected).map(String));
      if (answer === 'no') return 'no';
      if (answer === 'unknown') known = false;
    }
  }
  return known ? 'yes' : 'unknown';
}

/** The operators that judge each of several values. */
const EACH: Readonly<Record<string, (expected: string, actual: string) => boolean>> = {
  'ForAllValues:StringEquals': (expected, actual) => expected === actual,
  'ForAllValues:StringLike': matchesWildcard,
};

function compare(
  operator: string,
  actual: string | string[] | undefined,
  expected: string[],
): 'yes' | 'no' | 'unknown' {
  const answer = (yes: boolean) => (yes ? 'yes' : 'no');
  if (operator === 'Null') return answer(expected.includes(String(actual === undefined)));
  // The request does not have the condition's key. On AWS the condition then holds only if its operator is
  // negated, ends in `IfExists`, or begins with `ForAllValues:`.
  if (actual === undefined) return answer(/Not|IfExists$|^ForAllValues:/.test(operator));
  if (Array.isArray(actual)) {
    const fits = EACH[operator];
    return fits ? answer(actual.every((each) => expected.some((pattern) => fits(pattern, each)))) : 'unknown';
  }
  switch (operator.replace(/IfExists$/, '')) {
    case 'StringEquals':
    case 'ForAnyValue:StringEquals':
    case 'Bool':
      return answer(expected.includes(actual));
    case 'StringNotEquals':
      return answer(!expected.includes(actual));
    case 'StringLike':
    case 'ArnLike':
    case 'ArnEquals':
      return answer(expected.some((pattern) => matchesWildcard(pattern, actual)));
    default:
      return 'unknown';
  }
}
