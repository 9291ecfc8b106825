import type { Need } from '../../sandbox/cloud/access.ts';
import type { Template } from '../../sandbox/cloud/template.ts';
import { ACCOUNT, type Fields, fields, list, PARTITION, text } from '../../sandbox/cloud/wire.ts';

type Context = NonNullable<Need['context']>;
export type PolicyRequest = { roleArn: string; need: Need & { context: Context } };
/** One action on one resource that a policy allows a role. */
export type Grant = { roleArn: string; action: string; resource: string; condition: Fields };

const BASE: Context = { 'aws:SecureTransport': 'true', 'kms:CallerAccount': ACCOUNT };

/** Lists each action and resource that the policies of a template's roles allow. */
export function grantsOf(template: Template): Grant[] {
  const arnOf = (name: unknown) => `arn:${PARTITION}:iam::${ACCOUNT}:role/${text(name)}`;
  const alone = template.ofType('AWS::IAM::Policy').flatMap(({ logicalId }) => {
    const { Roles, PolicyDocument } = template.properties(logicalId);
    return list(Roles).flatMap((name) => grantsInDocument(PolicyDocument, arnOf(name)));
  });
  const inside = template
    .ofType('AWS::IAM::Role')
    .flatMap(({ logicalId }) =>
      list(template.properties(logicalId).Policies).flatMap((policy) =>
        grantsInDocument(fields(policy).PolicyDocument, arnOf(template.ref(logicalId))),
      ),
    );
  const attached = attachedPolicies(template).flatMap(({ role, policy }) =>
    grantsInDocument(template.properties(policy).PolicyDocument, arnOf(template.ref(role))),
  );
  return [...alone, ...inside, ...attached];
}

/** The managed policies of the template that its roles name, by logical ids. */
export function attachedPolicies(template: Template): { role: string; policy: string }[] {
  const own = new Map(
    template.ofType('AWS::IAM::ManagedPolicy').map(({ logicalId }) => [template.ref(logicalId), logicalId]),
  );
  return template.ofType('AWS::IAM::Role').flatMap(({ logicalId: role }) =>
    list(template.properties(role).ManagedPolicyArns).flatMap((arn) => {
      const policy = own.get(text(arn));
      return policy === undefined ? [] : [{ role, policy }];
    }),
  );
}

function grantsInDocument(document: unknown, roleArn: string): Grant[] {
  return list(fields(document).Statement)
    .map(fields)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap((statement) => grantsIn(statement, roleArn));
}

function grantsIn({ Action, Resource, Condition }: Fields, roleArn: string): Grant[] {
  const resources = list(Resource).map(text);
  return list(Action)
    .map(text)
    .flatMap((action) =>
      resources.map((resource) => ({ roleArn, action, resource, condition: fields(Condition) })),
    );
}

/** A request that the grant allows. */
export function requestOf({ roleArn, action, resource, condition }: Grant): PolicyRequest {
  const keys = Object.entries(condition).flatMap(([operator, values]) =>
    Object.entries(fields(values)).map(([key, expected]) => {
      const all = list(expected).map(String);
      return [key, operator.startsWith('ForAllValues:') ? all : (all[0] ?? '')];
    }),
  );
  const context = { ...BASE, ...Object.fromEntries(keys) };
  // A group of logs grants its streams.
  const pattern = resource.includes(':log-group:') ? resource.replace(/:\*$/, ':log-stream:*') : resource;
  const concrete = pattern === '*' ? pattern : pattern.replaceAll('*', 'any');
  return { roleArn, need: { action: action.replace('*', ''), resource: concrete, context } };
}

type Change = (request: PolicyRequest, index: number, all: PolicyRequest[]) => PolicyRequest;

const withContext = ({ roleArn, need }: PolicyRequest, context: Context): PolicyRequest => ({
  roleArn,
  need: { ...need, context },
});

/** Requests beside what was granted. Most are refused, and some are allowed by another statement. */
export const CHANGES: Record<string, Change> = {
  'by the next role': ({ need }, index, all) => ({
    roleArn: all.slice(index).find(({ roleArn }) => roleArn !== all[index]?.roleArn)?.roleArn ?? 'none',
    need,
  }),
  'on another resource': ({ roleArn, need }) => ({
    roleArn,
    need: { ...need, resource: need.resource === '*' ? '*' : `${need.resource}-other` },
  }),
  'without encryption in transit': (request) =>
    withContext(request, { ...request.need.context, 'aws:SecureTransport': 'false' }),
  'without the keys of its conditions': (request) => withContext(request, BASE),
  'with one more attribute, and other values': (request) =>
    withContext(
      request,
      Object.fromEntries(
        Object.entries(request.need.context).map(([key, value]) => {
          if (key in BASE) return [key, value];
          return [key, Array.isArray(value) ? [...value, 'stranger'] : `${value}-other`];
        }),
      ),
    ),
};
