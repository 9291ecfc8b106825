import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Need } from '../../sandbox/cloud/access.ts';
import { refuseMuteAlarms } from '../../sandbox/cloud/alarm-topics.ts';
import { readApi } from '../../sandbox/cloud/api-routes.ts';
import { functionNameOf } from '../../sandbox/cloud/arns.ts';
import { type Iam, readIam } from '../../sandbox/cloud/iam.ts';
import { linkStacks } from '../../sandbox/cloud/stacks.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { ACCOUNT, dig, type Fields, fields, list, REGION, text } from '../../sandbox/cloud/wire.ts';
import { madeBefore, type Resources, referencesOf } from '../infra/references.ts';

/** The reasons why a first deployment of these templates would fail, or would leave a part that cannot work. */
export function deploymentFaults(assembly: string, stackName: string): string[] {
  const resources = linkStacks(assembly, stackName).template.Resources as Resources;
  const template = loadTemplate(assembly, stackName);
  for (const { logicalId } of template.ofType('AWS::DynamoDB::Table'))
    template.learn(logicalId, { StreamArn: `${template.attribute(logicalId, 'Arn')}/stream/now` });
  const iam = readIam(template);
  return [
    ...templatesIn(assembly).flatMap(inCircles),
    ...madeTooEarly(resources),
    ...refusedSources(template, iam),
    ...refusedMachines(template, iam),
    ...refusedCallers(template, iam),
    ...muteAlarms(template, iam),
  ];
}

const templatesIn = (assembly: string) =>
  readdirSync(assembly)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => JSON.parse(readFileSync(join(assembly, name), 'utf8')) as { Resources: Resources });

/** CloudFormation refuses a template in which a resource waits for itself. */
const inCircles = ({ Resources: all }: { Resources: Resources }) =>
  Object.keys(all)
    .filter((id) => madeBefore(id, all).has(id))
    .map((id) => `${id} waits for itself`);

/** CloudFormation makes what nothing orders at once. A resource with a role must wait for the role's policies. */
function madeTooEarly(resources: Resources): string[] {
  const ofType = (...types: string[]) =>
    Object.entries(resources).filter(([, { Type }]) => types.includes(Type));
  const policiesOf = (role: string) =>
    ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
      .filter(([, { Properties }]) => referencesOf(Properties.Roles).some(({ id }) => id === role))
      .map(([id]) => id);
  const isRole = (id: string) => resources[id]?.Type === 'AWS::IAM::Role';
  const takers = Object.entries(resources).filter(([, { Type }]) => !/^AWS::IAM::\w*Policy$/.test(Type));
  const late = takers.flatMap(([user, { Properties = {} }]) => {
    const before = madeBefore(user, resources);
    // A pattern of events names a role and does not use it.
    const { EventPattern: _, ...used } = Properties;
    return referencesOf(used, { withDocuments: false })
      .filter(({ id, attribute }) => attribute === 'Arn' && isRole(id))
      .flatMap(({ id }) => policiesOf(id))
      .filter((policy) => !before.has(policy))
      .map((policy) => `${user} is made before ${policy}`);
  });
  // API Gateway refuses a stage with logs as long as the account has no role for them.
  const accounts = ofType('AWS::ApiGateway::Account').map(([id]) => id);
  const silent = ofType('AWS::ApiGateway::Stage')
    .filter(([, { Properties }]) => Properties.AccessLogSetting ?? Properties.MethodSettings)
    .filter(([id]) => !accounts.some((account) => madeBefore(id, resources).has(account)))
    .map(([id]) => `${id} is made before an AWS::ApiGateway::Account`);
  return [...new Set([...late, ...silent])];
}

function refusals(iam: Iam, who: string, roleArn: string, needs: Need[]): string[] {
  return needs
    .filter((need) => !iam.isAllowed({ roleArn }, need))
    .map(({ action, resource }) => `${who} may not ${action} on ${resource}`);
}

const on = (service: string, actions: string[], resource: unknown): Need[] =>
  actions.map((action) => ({ action: `${service}:${action}`, resource: text(resource) }));

const STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator'];

/** Lambda and Pipes check the role of an event source when they make it. */
function refusedSources(template: Template, iam: Iam): string[] {
  const roles = new Map(
    template
      .ofType('AWS::Lambda::Function')
      .map(({ logicalId }) => [template.ref(logicalId), text(template.properties(logicalId).Role)]),
  );
  const mappings = template.ofType('AWS::Lambda::EventSourceMapping').flatMap(({ logicalId }) => {
    const { FunctionName, EventSourceArn } = template.properties(logicalId);
    const needs = on('sqs', ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'], EventSourceArn);
    return refusals(iam, logicalId, roles.get(functionNameOf(text(FunctionName))) ?? 'none', needs);
  });
  const pipes = template.ofType('AWS::Pipes::Pipe').flatMap(({ logicalId }) => {
    const { RoleArn, Source, SourceParameters, Target } = template.properties(logicalId);
    const dead = dig(SourceParameters, ['DynamoDBStreamParameters', 'DeadLetterConfig', 'Arn']);
    const sent = [Target, dead].filter(Boolean).flatMap((queue) => on('sqs', ['SendMessage'], queue));
    return refusals(iam, logicalId, text(RoleArn), [...on('dynamodb', STREAM, Source), ...sent]);
  });
  return [...mappings, ...pipes];
}

/** Step Functions checks at once whether it can deliver logs. A missing right to call a function shows only later. */
function refusedMachines(template: Template, iam: Iam): string[] {
  return template.ofType('AWS::StepFunctions::StateMachine').flatMap(({ logicalId }) => {
    const { RoleArn, DefinitionString, DefinitionSubstitutions, LoggingConfiguration } =
      template.properties(logicalId);
    const named = `${text(DefinitionString)} ${JSON.stringify(DefinitionSubstitutions ?? {})}`;
    const functions = new Set(named.match(/arn:aws:lambda:[\w-]+:\d+:function:[\w-]+(?::[\w$-]+)?/g) ?? []);
    const calls = [...functions].flatMap((arn) => on('lambda', ['InvokeFunction'], arn));
    const logs = ['CreateLogDelivery', 'PutResourcePolicy', 'DescribeLogGroups', 'DescribeResourcePolicies'];
    const needs = LoggingConfiguration ? [...calls, ...on('logs', logs, '*')] : calls;
    return refusals(iam, logicalId, text(RoleArn), needs);
  });
}

/**
 * The APIs and rules that may not invoke their function. They have no role, so the policy of the function itself must
 * allow it.
 */
function refusedCallers(template: Template, iam: Iam): string[] {
  const rules = template.ofType('AWS::Events::Rule').flatMap(({ logicalId }) =>
    list(template.properties(logicalId).Targets)
      .map((target) => text(fields(target).Arn))
      .filter((arn) => arn.includes(':lambda:'))
      .filter((arn) => !iam.mayInvoke(arn, 'events.amazonaws.com', template.attribute(logicalId, 'Arn')))
      .map((arn) => `${logicalId} may not invoke ${functionNameOf(arn)}`),
  );
  const routes = template.ofType('AWS::ApiGateway::RestApi').flatMap(({ logicalId }) => {
    const { id, stage, routes: all } = readApi(template, logicalId);
    const place = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${id}/${stage}`;
    return all
      .map(({ method, path, integration }) => ({ name: `${method}${path}`, called: calledBy(integration) }))
      .filter(
        ({ name, called }) =>
          called && !iam.mayInvoke(called, 'apigateway.amazonaws.com', `${place}/${name}`),
      )
      .map(({ name, called }) => `${name} may not invoke ${functionNameOf(called)}`);
  });
  return [...rules, ...routes];
}

function calledBy({ Uri }: Fields): string {
  return /functions\/(.+)\/invocations/.exec(text(Uri))?.[1] ?? '';
}

function muteAlarms(template: Template, iam: Iam): string[] {
  try {
    refuseMuteAlarms(template, iam);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
}
