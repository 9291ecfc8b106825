import { createHash } from 'node:crypto';
import { functionArnOf } from './arns.ts';
import { ACCOUNT, type Fields, fields, PARTITION, REGION, text, URL_SUFFIX } from './wire.ts';

/** A resource as the template declares it. */
export type Resource = { logicalId: string; type: string; properties: Fields };

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

type Physical = { ref: string; attributes: Record<string, string> };
type Resolve = (value: unknown) => unknown;

/**
 * The values of `Ref` and `Fn::GetAtt` of a resource. `Template.learn` adds the values that are known only after the
 * resource was made. `resolve` replaces intrinsic functions by values.
 */
export function physicalOf(resource: Resource, stackName: string, resolve: Resolve): Physical {
  const { logicalId, type, properties } = resource;
  const given = NAME_PROPERTIES.map((key) => properties[key]).find((name) => name !== undefined);
  const name = given === undefined ? defaultName(stackName, resource) : String(resolve(given));
  const form = ARN_FORMS[type];
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
  const property = (key: string) => String(resolve(properties[key]) ?? '');
  const identify = IDENTITIES[type];
  if (identify) return identify({ name, logicalId, property, properties, resolve });
  return { ref: name, attributes: { Arn: arn('cloudformation', `${logicalId}/${name}`) } };
}

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

function digest(value: string, length: number): string {
  return createHash('sha256').update(value).digest('hex').slice(0, length);
}

const arn = (service: string, rest: string, place = `${REGION}:${ACCOUNT}`) =>
  `arn:${PARTITION}:${service}:${place}:${rest}`;

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

type Named = {
  name: string;
  logicalId: string;
  /** A property as text, with its value in place of intrinsic functions. */
  property: (key: string) => string;
  properties: Fields;
  resolve: Resolve;
};

const justArn = (value: string): Physical => ({ ref: value, attributes: { Arn: value } });

/** The types with other values than a name and an ARN. */
const IDENTITIES: Readonly<Record<string, (of: Named) => Physical>> = {
  'AWS::SQS::Queue': ({ name }) => ({ ref: name, attributes: { Arn: arn('sqs', name), QueueName: name } }),
  'AWS::S3::Bucket': ({ name }) => ({
    ref: name,
    attributes: { Arn: arn('s3', name, ':'), DomainName: `${name}.s3.${URL_SUFFIX}` },
  }),
  'AWS::Lambda::Version': ({ property }) => functionVersion(property('FunctionName'), '1'),
  'AWS::Lambda::Alias': ({ property }) => functionVersion(property('FunctionName'), property('Name')),
  'AWS::StepFunctions::StateMachine': ({ name }) => {
    const { ref, attributes } = justArn(arn('states', `stateMachine:${name}`));
    return { ref, attributes: { ...attributes, Name: name, StateMachineRevisionId: 'INITIAL' } };
  },
  'AWS::StepFunctions::StateMachineVersion': ({ property }) => justArn(`${property('StateMachineArn')}:1`),
  'AWS::StepFunctions::StateMachineAlias': machineAlias,
  'AWS::KMS::Key': ({ name }) => {
    const id = uuidFrom(name);
    return { ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
  },
  'AWS::SecretsManager::Secret': ({ name }) => {
    const secret = arn('secretsmanager', `secret:${name}-${digest(name, 6)}`);
    return { ref: secret, attributes: { Id: secret } };
  },
  'AWS::SSM::Parameter': ({ name, property }) => ({
    ref: name,
    attributes: { Value: property('Value'), Type: property('Type') },
  }),
  'AWS::IAM::Role': ({ name }) => ({
    ref: name,
    attributes: { Arn: arn('iam', `role/${name}`, `:${ACCOUNT}`), RoleId: digest(name, 20) },
  }),
  'AWS::IAM::ManagedPolicy': ({ name }) => ({
    ref: arn('iam', `policy/${name}`, `:${ACCOUNT}`),
    attributes: {},
  }),
  'AWS::ApiGateway::RestApi': ({ name, logicalId }) => {
    const id = digest(name + logicalId, 10);
    return { ref: id, attributes: { RootResourceId: `${id}root`, RestApiId: id } };
  },
  'AWS::ApiGateway::DomainName': ({ logicalId, property }) => {
    const target = `d-${digest(logicalId, 10)}.execute-api.${REGION}.${URL_SUFFIX}`;
    return { ref: property('DomainName'), attributes: { RegionalDomainName: target } };
  },
  'AWS::ApiGateway::Stage': ({ property }) => ({ ref: property('StageName'), attributes: {} }),
  'AWS::ApiGateway::Resource': ({ logicalId }) => {
    const id = digest(logicalId, 6);
    return { ref: id, attributes: { ResourceId: id } };
  },
  'AWS::SNS::Topic': ({ name }) => {
    const topic = arn('sns', name);
    return { ref: topic, attributes: { TopicArn: topic, TopicName: name } };
  },
};

function functionVersion(functionNameOrArn: string, qualifier: string): Physical {
  const version = `${functionArnOf(functionNameOrArn)}:${qualifier}`;
  return { ref: version, attributes: { Version: qualifier, FunctionArn: version } };
}

function machineAlias({ properties, property, resolve }: Named): Physical {
  const { DeploymentPreference, RoutingConfiguration } = properties;
  const [route] = [DeploymentPreference ?? RoutingConfiguration].flat();
  const version = text(resolve(fields(route).StateMachineVersionArn));
  return justArn(`${version.replace(/:\d+$/, '')}:${property('Name')}`);
}

function uuidFrom(value: string): string {
  const hex = digest(value, 32);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
