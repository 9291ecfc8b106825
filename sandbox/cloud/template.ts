import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { linkStacks } from './stacks.ts';
import { ACCOUNT, type Fields, fields, list, PARTITION, REGION, text, URL_SUFFIX } from './wire.ts';

export type Resource = { logicalId: string; type: string; properties: Fields };

export type Template = {
  stackName: string;
  resources: Map<string, Resource>;
  ofType(...types: string[]): Resource[];
  /** The properties of a resource, in which values have replaced all intrinsic functions. */
  properties(logicalId: string): Fields;
  resolve(value: unknown): unknown;
  ref(logicalId: string): string;
  attribute(logicalId: string, name: string): string;
  /**
   * Adds attributes that are known only after the resource was made here, such as a stream's ARN or a
   * secret's text.
   */
  learn(logicalId: string, facts: Record<string, string>): void;
  /**
   * Changes every string after its intrinsic functions were resolved. Callers replace AWS's URLs by local
   * ones, and references to secrets by the secrets' values.
   */
  rewrite(change: (text: string) => string): void;
  outputs(): Record<string, string>;
  asset(objectKey: string): string;
};

const NO_VALUE = Symbol('AWS::NoValue');

const PSEUDO_PARAMETERS: Record<string, unknown> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': PARTITION,
  'AWS::URLSuffix': URL_SUFFIX,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': NO_VALUE,
};

/** Combines the templates of a stack and of the stacks that it depends on into one. */
export function loadTemplate(assembly: string, stackName: string): Template {
  const { template: source, stackNames, stackOf } = linkStacks(assembly, stackName);
  const parameters = fields(source.Parameters);
  const facts = new Map<string, Record<string, string>>();
  const rewriters: ((text: string) => string)[] = [];
  const resources = new Map<string, Resource>();

  const condition = conditionsOf(source, resolve);

  function reference(name: string): unknown {
    if (name in PSEUDO_PARAMETERS) return PSEUDO_PARAMETERS[name];
    if (name in parameters) return fields(parameters[name]).Default ?? missingParameter(name);
    return ref(name);
  }

  const intrinsics = intrinsicsOf(source.Mappings, { resolve, reference, attribute, condition });

  function resolve(value: unknown): unknown {
    if (typeof value === 'string') return rewriters.reduce((at, change) => change(at), value);
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, operand] = entries[0] ?? ['', undefined];
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) {
      const intrinsic = intrinsics[name];
      if (!intrinsic) throw new Error(`The template uses ${name}, which the local cloud does not know`);
      const result = intrinsic(operand);
      return typeof result === 'string' ? resolve(result) : result;
    }
    const resolved = entries.map(([key, item]) => [key, resolve(item)] as const);
    return Object.fromEntries(resolved.filter(([, item]) => item !== NO_VALUE));
  }

  function required(logicalId: string): Resource {
    const resource = resources.get(logicalId);
    if (!resource) throw new Error(`The template refers to ${logicalId}, which it does not declare`);
    return resource;
  }

  function ref(logicalId: string): string {
    const resource = required(logicalId);
    return facts.get(logicalId)?.Ref ?? physical(resource).ref;
  }

  function attribute(logicalId: string, name: string): string {
    const resource = required(logicalId);
    const value = facts.get(logicalId)?.[name] ?? physical(resource).attributes[name];
    if (value === undefined) throw new Error(`${resource.type} ${logicalId} has no attribute ${name} here`);
    return value;
  }

  function physical(resource: Resource) {
    const given = NAME_PROPERTIES.map((key) => resource.properties[key]).find((name) => name !== undefined);
    const name =
      given === undefined ? defaultName(stackOf(resource.logicalId), resource) : String(resolve(given));
    return identify(resource, name, resolve);
  }

  for (const [logicalId, declared] of Object.entries(fields(source.Resources))) {
    const { Type, Properties, Condition } = fields(declared);
    if (Condition !== undefined && !condition(Condition)) continue;
    resources.set(logicalId, { logicalId, type: text(Type), properties: fields(Properties) });
  }

  return {
    stackName,
    resources,
    ofType: (...types) => [...resources.values()].filter((resource) => types.includes(resource.type)),
    properties: (logicalId) => fields(resolve(required(logicalId).properties)),
    resolve,
    ref,
    attribute,
    learn: (logicalId, known) => facts.set(logicalId, { ...facts.get(logicalId), ...known }),
    rewrite: (change) => rewriters.push(change),
    outputs: () =>
      Object.fromEntries(
        Object.entries(fields(source.Outputs))
          .filter(
            ([, output]) => fields(output).Condition === undefined || condition(fields(output).Condition),
          )
          .map(([name, output]) => [name, String(resolve(fields(output).Value))]),
      ),
    asset: assetFinder(assembly, stackNames, (value) => String(resolve({ 'Fn::Sub': value }))),
  };
}

type Values = {
  resolve(value: unknown): unknown;
  reference(name: string): unknown;
  attribute(logicalId: string, name: string): string;
  condition(name: unknown): boolean;
};

function intrinsicsOf(
  mappings: unknown,
  { resolve, reference, attribute, condition }: Values,
): Record<string, (operand: unknown) => unknown> {
  function substitute(operand: unknown): string {
    const [pattern, values] = Array.isArray(operand) ? operand : [operand, {}];
    return text(pattern).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in fields(values)) return String(resolve(fields(values)[name]));
      const dot = name.indexOf('.');
      return String(dot < 0 ? reference(name) : attribute(name.slice(0, dot), name.slice(dot + 1)));
    });
  }

  return {
    Ref: (operand) => reference(text(operand)),
    'Fn::GetAtt': (operand) => {
      const [id, ...name] = Array.isArray(operand) ? operand.map(resolve) : text(operand).split('.');
      return attribute(String(id), name.join('.'));
    },
    'Fn::Join': (operand) => {
      const [separator, parts] = list(operand);
      return list(resolve(parts)).map(String).join(text(separator));
    },
    'Fn::Sub': substitute,
    'Fn::Select': (operand) => {
      const [index, from] = list(operand).map(resolve);
      return list(from)[Number(index)];
    },
    'Fn::Split': (operand) => {
      const [separator, from] = list(operand).map(resolve);
      return String(from).split(String(separator));
    },
    'Fn::If': (operand) => {
      const [name, yes, no] = list(operand);
      return resolve(condition(name) ? yes : no);
    },
    'Fn::FindInMap': (operand) => {
      const [map, first, second] = list(operand).map(resolve);
      return fields(fields(fields(mappings)[String(map)])[String(first)])[String(second)];
    },
    'Fn::Base64': (operand) => Buffer.from(String(resolve(operand))).toString('base64'),
    'Fn::GetAZs': () => [`${REGION}a`, `${REGION}b`],
  };
}

/** Judges the conditions that a template declares. */
function conditionsOf(source: Fields, resolve: (value: unknown) => unknown): (name: unknown) => boolean {
  function condition(name: unknown): boolean {
    const expression = fields(source.Conditions)[text(name)];
    if (expression === undefined) throw new Error(`The template names an unknown condition ${String(name)}`);
    return judge(expression);
  }

  function judge(expression: unknown): boolean {
    const [[operator, operand] = []] = Object.entries(fields(expression));
    if (operator === 'Condition') return condition(operand);
    if (operator === 'Fn::Equals') {
      const [left, right] = list(operand).map(resolve);
      return JSON.stringify(left) === JSON.stringify(right);
    }
    if (operator === 'Fn::Not') return !judge(list(operand)[0]);
    if (operator === 'Fn::And') return list(operand).every(judge);
    if (operator === 'Fn::Or') return list(operand).some(judge);
    throw new Error(`Cannot judge the condition ${JSON.stringify(expression)}`);
  }

  return condition;
}

function missingParameter(name: string): never {
  throw new Error(`The template's parameter ${name} has no default; the local cloud cannot ask for it`);
}

const NAME_PROPERTIES = [
  'TableName',
  'QueueName',
  'BucketName',
  'FunctionName',
  'StateMachineName',
  'RoleName',
  'LogGroupName',
  'AliasName',
  'TopicName',
  'Name',
];

/**
 * The name of a resource that the template does not name. A name of more than 64 characters is cut, and a
 * hash keeps two cut names different.
 */
function defaultName(stackName: string, { logicalId, type }: Resource): string {
  const full = `${stackName}-${logicalId}`;
  const short = full.length <= 64 ? full : `${full.slice(0, 55)}-${digest(full, 8)}`;
  if (type === 'AWS::S3::Bucket') return short.toLowerCase().slice(0, 63);
  return type === 'AWS::SSM::Parameter' ? `/${short}` : short;
}

export function digest(value: string, length: number): string {
  return createHash('sha256').update(value).digest('hex').slice(0, length);
}

/** The service and the end of the ARN, for types whose `Ref` is the name and whose only attribute is the ARN. */
const ARN_FORMS: Readonly<Record<string, [service: string, end: string]>> = {
  'AWS::DynamoDB::Table': ['dynamodb', 'table/NAME'],
  'AWS::DynamoDB::GlobalTable': ['dynamodb', 'table/NAME'],
  'AWS::Lambda::Function': ['lambda', 'function:NAME'],
  'AWS::KMS::Alias': ['kms', 'NAME'],
  'AWS::Events::Rule': ['events', 'rule/NAME'],
  'AWS::Scheduler::Schedule': ['scheduler', 'schedule/default/NAME'],
  'AWS::Pipes::Pipe': ['pipes', 'pipe/NAME'],
  'AWS::Logs::LogGroup': ['logs', 'log-group:NAME:*'],
  'AWS::CloudWatch::Alarm': ['cloudwatch', 'alarm:NAME'],
};

type Physical = { ref: string; attributes: Record<string, string> };

/**
 * The values of `Ref` and `Fn::GetAtt` of a resource. `learn` adds the values that are known only after the
 * resource was made.
 */
function identify(resource: Resource, name: string, resolve: (value: unknown) => unknown): Physical {
  const arn = (service: string, rest: string, place = `${REGION}:${ACCOUNT}`) =>
    `arn:${PARTITION}:${service}:${place}:${rest}`;
  const form = ARN_FORMS[resource.type];
  if (form)
    return {
      ref: name,
      attributes: {
        Arn: arn(
          form[0],
          form[1].replace('NAME', () => name),
        ),
      },
    };
  const property = (key: string) => String(resolve(resource.properties[key]) ?? '');
  switch (resource.type) {
    case 'AWS::SQS::Queue':
      return { ref: name, attributes: { Arn: arn('sqs', name), QueueName: name } };
    case 'AWS::S3::Bucket':
      return {
        ref: name,
        attributes: { Arn: arn('s3', name, ':'), DomainName: `${name}.s3.${URL_SUFFIX}` },
      };
    case 'AWS::Lambda::Version':
      return versionOf(property('FunctionName'), '1');
    case 'AWS::Lambda::Alias':
      return versionOf(property('FunctionName'), property('Name'));
    case 'AWS::StepFunctions::StateMachine': {
      const machine = arn('states', `stateMachine:${name}`);
      return {
        ref: machine,
        attributes: { Arn: machine, Name: name, StateMachineRevisionId: 'INITIAL' },
      };
    }
    case 'AWS::StepFunctions::StateMachineVersion': {
      const version = `${property('StateMachineArn')}:1`;
      return { ref: version, attributes: { Arn: version } };
    }
    case 'AWS::StepFunctions::StateMachineAlias': {
      const { DeploymentPreference, RoutingConfiguration } = resource.properties;
      const [route] = [DeploymentPreference ?? RoutingConfiguration].flat();
      const version = text(resolve(fields(route).StateMachineVersionArn));
      const alias = `${version.replace(/:\d+$/, '')}:${property('Name')}`;
      return { ref: alias, attributes: { Arn: alias } };
    }
    case 'AWS::KMS::Key': {
      const id = uuidFrom(name);
      return { ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
    }
    case 'AWS::SecretsManager::Secret': {
      const secret = arn('secretsmanager', `secret:${name}-${digest(name, 6)}`);
      return { ref: secret, attributes: { Id: secret } };
    }
    case 'AWS::SSM::Parameter':
      return { ref: name, attributes: { Value: property('Value'), Type: property('Type') } };
    case 'AWS::IAM::Role':
      return {
        ref: name,
        attributes: { Arn: arn('iam', `role/${name}`, `:${ACCOUNT}`), RoleId: digest(name, 20) },
      };
    case 'AWS::IAM::ManagedPolicy':
      return { ref: arn('iam', `policy/${name}`, `:${ACCOUNT}`), attributes: {} };
    case 'AWS::ApiGateway::RestApi': {
      const id = digest(name + resource.logicalId, 10);
      return { ref: id, attributes: { RootResourceId: `${id}root`, RestApiId: id } };
    }
    case 'AWS::ApiGateway::DomainName': {
      const target = `d-${digest(resource.logicalId, 10)}.execute-api.${REGION}.${URL_SUFFIX}`;
      return { ref: property('DomainName'), attributes: { RegionalDomainName: target } };
    }
    case 'AWS::ApiGateway::Stage':
      return { ref: property('StageName'), attributes: {} };
    case 'AWS::ApiGateway::Resource':
      return {
        ref: digest(resource.logicalId, 6),
        attributes: { ResourceId: digest(resource.logicalId, 6) },
      };
    case 'AWS::SNS::Topic': {
      const topic = arn('sns', name);
      return { ref: topic, attributes: { TopicArn: topic, TopicName: name } };
    }
    default:
      return { ref: name, attributes: { Arn: arn('cloudformation', `${resource.logicalId}/${name}`) } };
  }
}

function versionOf(functionNameOrArn: string, qualifier: string): Physical {
  const arn = functionNameOrArn.startsWith('arn:')
    ? functionNameOrArn
    : `arn:${PARTITION}:lambda:${REGION}:${ACCOUNT}:function:${functionNameOrArn}`;
  return {
    ref: `${arn}:${qualifier}`,
    attributes: { Version: qualifier, FunctionArn: `${arn}:${qualifier}` },
  };
}

function uuidFrom(value: string): string {
  const hex = digest(value, 32);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

function assetFinder(assembly: string, stackNames: string[], substitute: (value: string) => string) {
  const paths = new Map<string, string>();
  const files = stackNames.flatMap((name) =>
    Object.values(fields(readJson(join(assembly, `${name}.assets.json`)).files)),
  );
  for (const { source, destinations } of files.map(fields)) {
    for (const destination of Object.values(fields(destinations)).map(fields)) {
      const path = resolvePath(assembly, text(fields(source).path));
      paths.set(substitute(text(destination.objectKey)), path);
    }
  }
  return (objectKey: string): string => {
    const path = paths.get(objectKey);
    if (!path || !existsSync(path)) throw new Error(`The assembly holds no asset for ${objectKey}`);
    return path;
  };
}

function readJson(file: string): Fields {
  return existsSync(file) ? fields(JSON.parse(readFileSync(file, 'utf8'))) : {};
}
