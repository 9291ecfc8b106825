import { runSimulation, runUnsafeSimulation, type Simulation } from '@cloud-copilot/iam-simulate';
import type { Need } from '../../sandbox/cloud/access.ts';
import type { Template } from '../../sandbox/cloud/template.ts';
import { ACCOUNT, type Fields, fields, list, PARTITION, REGION, text } from '../../sandbox/cloud/wire.ts';
import { attachedPolicies } from './policy-requests.ts';

type Policy = { name: string; policy: Fields };

/**
 * The actions with a task token. AWS checks them against the state machine of the token, and its refusals name that
 * machine. The library's list says that they have no resource, so its check of the request is left out for them.
 */
const CHECKED_BY_MACHINE = new Set([
  'states:SendTaskSuccess',
  'states:SendTaskFailure',
  'states:SendTaskHeartbeat',
]);

/** The ARNs of an alias and a version look alike. The library refuses to choose, so its check is left out here, too. */
const OF_ALIAS_OR_VERSION = new Set(['lambda:GetProvisionedConcurrencyConfig']);
const UNCHECKED = new Set([...CHECKED_BY_MACHINE, ...OF_ALIAS_OR_VERSION]);

/** The library knows a key with a name of our own only by a slash before it. It judges a tag by the same rule. */
const asTags = (fields: object): Fields =>
  JSON.parse(JSON.stringify(fields).replaceAll('kms:EncryptionContext:', 'aws:RequestTag/')) as Fields;

/** Judges a request by the policies of a template with a library that knows nothing of the local cloud's own rules. */
export function secondEvaluator(template: Template) {
  const identities = identityPolicies(template);
  const resources = resourcePolicies(template);

  return async (roleArn: string, { action, resource, context = {} }: Need): Promise<boolean> => {
    const policy = [...resources].find(([arn]) => resource === arn || resource.startsWith(`${arn}/`))?.[1];
    const simulation: Simulation = {
      request: {
        principal: roleArn,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: asTags(context) as typeof context,
      },
      identityPolicies: identities.get(roleArn) ?? [],
      resourcePolicy: policy,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    };
    if (UNCHECKED.has(action)) return runUnsafeSimulation(simulation, {}) === 'Allowed';
    const results = await runSimulation(simulation, {});
    if (results.resultType === 'error')
      throw new Error(`${action} ${resource}: ${JSON.stringify(results.errors)}`);
    return results.overallResult === 'Allowed';
  };
}

function identityPolicies(template: Template): Map<string, Policy[]> {
  const found = new Map<string, Policy[]>();
  const add = (roleName: string, name: string, document: unknown) => {
    const arn = `arn:${PARTITION}:iam::${ACCOUNT}:role/${roleName}`;
    found.set(arn, [...(found.get(arn) ?? []), { name, policy: versioned(document) }]);
  };
  for (const { logicalId } of template.ofType('AWS::IAM::Role')) {
    for (const policy of list(template.properties(logicalId).Policies).map(fields))
      add(template.ref(logicalId), text(policy.PolicyName), policy.PolicyDocument);
  }
  for (const { logicalId } of template.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { Roles, PolicyDocument } = template.properties(logicalId);
    for (const role of list(Roles)) add(text(role), logicalId, PolicyDocument);
  }
  for (const { role, policy } of attachedPolicies(template))
    add(template.ref(role), policy, template.properties(policy).PolicyDocument);
  return found;
}

function resourcePolicies(template: Template): Map<string, Fields> {
  const keys = template
    .ofType('AWS::KMS::Key')
    .map(({ logicalId }) => [
      template.attribute(logicalId, 'Arn'),
      versioned(template.properties(logicalId).KeyPolicy),
    ]);
  const attached = (type: string, property: string, arnOf: (name: string) => string) =>
    template.ofType(type).flatMap(({ logicalId }) => {
      const properties = template.properties(logicalId);
      const policy = versioned(properties.PolicyDocument);
      return list(properties[property]).map((name) => [arnOf(text(name)), policy]);
    });
  return new Map([
    ...keys,
    ...attached('AWS::SQS::QueuePolicy', 'Queues', queueArn),
    ...attached('AWS::S3::BucketPolicy', 'Bucket', (name) => `arn:${PARTITION}:s3:::${name}`),
    ...attached('AWS::SNS::TopicPolicy', 'Topics', (arn) => arn),
  ] as [string, Fields][]);
}

const queueArn = (url: string) => `arn:${PARTITION}:sqs:${REGION}:${ACCOUNT}:${url.split('/').at(-1)}`;

const versioned = (document: unknown): Fields => asTags({ Version: '2012-10-17', ...fields(document) });
