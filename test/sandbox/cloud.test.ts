import { spawn } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { stsCaller } from '../../operations/stores/caller.ts';
import { type BootOptions, boot, type Cloud } from '../../sandbox/cloud/boot.ts';
import { newToken } from '../../sandbox/cloud/task-token.ts';
import type { Faults } from '../../sandbox/cloud/wire.ts';

type Fields = Record<string, unknown>;
type Sample = { Resources: Record<string, { Type: string; Properties: Fields }>; Outputs: Fields };

/** The code of all functions of the sample. The event or the handler's name decides what it does. */
const HANDLERS = `
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as sqs from '@aws-sdk/client-sqs';
import * as sfn from '@aws-sdk/client-sfn';
import * as kms from '@aws-sdk/client-kms';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as s3 from '@aws-sdk/client-s3';
const clients = {
  dynamodb: () => [dynamodb, new dynamodb.DynamoDBClient({ maxAttempts: 1 })],
  sqs: () => [sqs, new sqs.SQSClient({ maxAttempts: 1 })],
  sfn: () => [sfn, new sfn.SFNClient({ maxAttempts: 1 })],
  kms: () => [kms, new kms.KMSClient({ maxAttempts: 1 })],
  secrets: () => [secrets, new secrets.SecretsManagerClient({ maxAttempts: 1 })],
  s3: () => [s3, new s3.S3Client({ maxAttempts: 1 })],
};
const binary = (key, value) => value?.type === 'Buffer' ? value.data : value;
async function send(client, command, input) {
  const [commands, instance] = clients[client]();
  for (const key of ['Plaintext', 'CiphertextBlob', 'Message', 'Mac']) {
    if (typeof input[key] === 'string') input[key] = Buffer.from(input[key], 'base64');
  }
  return instance.send(new commands[command + 'Command'](input));
}
export async function call({ client, command, input }) {
  try {
    const { $metadata, ...output } = await send(client, command, input);
    for (const key of Object.keys(output)) {
      if (output[key] instanceof Uint8Array) output[key] = Buffer.from(output[key]).toString('base64');
    }
    if (output.Body?.transformToString) output.Body = await output.Body.transformToString();
    return { output };
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}
export const environment = async (_, context) =>
  ({ env: process.env, left: context.getRemainingTimeInMillis(), id: context.awsRequestId });
export const echo = async (event) =>
  ({ statusCode: 200, headers: { 'X-One': '1' }, multiValueHeaders: { 'set-cookie': ['a', 'b'] },
     body: JSON.stringify(event) });
export const malformed = async () => ({ hello: 'world' });
export const gateway = async (event) => {
  const mode = event.queryStringParameters?.mode;
  if (mode === 'throw') throw new Error('secret detail');
  if (mode === 'slow') await new Promise(() => setInterval(() => undefined, 1000));
  if (mode === 'bytes') return { statusCode: 201, body: btoa('\\x01\\x02\\x03'), isBase64Encoded: true };
  return malformed();
};
const tries = {};
export async function step({ fail, times = 99, message = 'no', ms = 0, ...rest }) {
  if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
  const key = JSON.stringify({ fail, rest });
  console.log('step', fail);
  tries[key] = (tries[key] ?? 0) + 1;
  if (fail && tries[key] <= times) throw Object.assign(new Error(message), { name: fail });
  return { done: true, ...rest };
}
export async function misbehave({ how }) {
  if (how === 'exit') process.exit(3);
  if (how === 'spin') while (true);
  if (how === 'reject') {
    Promise.reject(new Error('floating'));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  console.log('behaves');
  return 'fine';
}
export async function busy({ ms }) {
  globalThis.runs = (globalThis.runs ?? 0) + 1;
  const mine = globalThis.name ??= Math.random();
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { mine, runs: globalThis.runs };
}
const note = (id, value) => send('dynamodb', 'PutItem', {
  TableName: process.env.NOTES, Item: { id: { S: id }, value: { S: JSON.stringify(value) } },
});
export async function register({ token, label }) { await note('token-' + label, token); return {}; }
export async function consume({ Records }) {
  const batchItemFailures = [];
  for (const { messageId, body, attributes } of Records) {
    if (body.includes('bad')) batchItemFailures.push({ itemIdentifier: messageId });
    const time = body.includes('bad') ? '-' + attributes.ApproximateReceiveCount : '';
    await note('message-' + body + time, { size: Records.length });
  }
  return { batchItemFailures };
}
export async function tick(event) { await note('tick', event); }
`;

const lambdaAssets = 'aaaa';
const scratch = mkdtempSync(join(tmpdir(), 'cloud-test-'));
const clouds: Cloud[] = [];

async function writeAsset(): Promise<void> {
  await build({
    stdin: { contents: HANDLERS, resolveDir: process.cwd(), loader: 'js' },
    outfile: join(scratch, `asset.${lambdaAssets}`, 'lib/index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

/** The placeholder `${name}`, as templates contain it. */
const slot = (name: string) => `$\{${name}}`;
const getAtt = (id: string, name = 'Arn') => ({ 'Fn::GetAtt': [id, name] });
const ref = (id: string) => ({ Ref: id });

function role(service = 'lambda'): { Type: string; Properties: Fields } {
  const Principal = { Service: `${service}.amazonaws.com` };
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal }] },
    },
  };
}

function policy(roleId: string, statements: [string | string[], unknown][]) {
  const Statement = statements.map(([Action, Resource]) => ({ Effect: 'Allow', Action, Resource }));
  return {
    Type: 'AWS::IAM::Policy',
    Properties: { PolicyName: `${roleId}Policy`, Roles: [ref(roleId)], PolicyDocument: { Statement } },
  };
}

function lambda(handler: string, more: Fields = {}) {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: { 'Fn::Sub': `assets-${slot('AWS::AccountId')}` }, S3Key: `${lambdaAssets}.zip` },
      Handler: `lib/index.${handler}`,
      Runtime: 'nodejs24.x',
      Role: getAtt('FunctionRole'),
      Timeout: 20,
      Environment: { Variables: { NOTES: ref('Notes') } },
      ...more,
    },
  };
}

function table(more: Fields = {}) {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      ...more,
    },
  };
}

function method(resource: unknown, httpMethod: string, functionId: string) {
  return {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod: httpMethod,
      ResourceId: resource,
      RestApiId: ref('Api'),
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'AWS_PROXY',
        IntegrationHttpMethod: 'POST',
        TimeoutInMillis: 2000,
        Uri: {
          'Fn::Join': [
            '',
            [
              'arn:',
              ref('AWS::Partition'),
              ':apigateway:',
              ref('AWS::Region'),
              ':lambda:path/2015-03-31/functions/',
              getAtt(functionId),
              '/invocations',
            ],
          ],
        },
      },
    },
  };
}

function resource(part: string, parent: unknown) {
  return {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { PathPart: part, ParentId: parent, RestApiId: ref('Api') },
  };
}

function permission(functionId: string, service: string, SourceArn?: unknown) {
  return {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: getAtt(functionId),
      Principal: `${service}.amazonaws.com`,
      ...(SourceArn ? { SourceArn } : {}),
    },
  };
}

function gatewayResponse(type: string, status: string | undefined, body: string, parameters: Fields = {}) {
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: {
      RestApiId: ref('Api'),
      ResponseType: type,
      ...(status ? { StatusCode: status } : {}),
      ResponseParameters: parameters,
      ResponseTemplates: { 'application/json': body },
    },
  };
}

const waitOf = (TimeoutSeconds: number) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  TimeoutSeconds,
  Parameters: {
    FunctionName: slot('RegisterArn'),
    Payload: { 'token.$': '$$.Task.Token', 'label.$': '$.label' },
  },
  Catch: [{ ErrorEquals: ['States.Timeout'], ResultPath: '$.error', Next: 'TimedOut' }],
  End: true,
});

const waitsAndRetries = {
  StartAt: 'Route',
  States: {
    Route: {
      Type: 'Choice',
      Choices: [
        { Variable: '$.route', StringEquals: 'wait', Next: 'Wait' },
        { Variable: '$.route', StringEquals: 'wait briefly', Next: 'WaitBriefly' },
        { Variable: '$.route', StringEquals: 'invoke', Next: 'Invoke' },
        { Variable: '$.route', StringEquals: 'fork', Next: 'Fork' },
      ],
      Default: 'Direct',
    },
    Direct: {
      Type: 'Task',
      Resource: slot('StepArn'),
      TimeoutSeconds: 2,
      Retry: [
        { ErrorEquals: ['NotYet'], IntervalSeconds: 1, BackoffRate: 10, MaxDelaySeconds: 1, MaxAttempts: 2 },
        { ErrorEquals: ['Other'], IntervalSeconds: 0, MaxAttempts: 1 },
      ],
      Catch: [
        { ErrorEquals: ['NotYet'], ResultPath: '$.error', Next: 'Caught' },
        { ErrorEquals: ['States.Timeout'], ResultPath: '$.error', Next: 'TimedOut' },
      ],
      End: true,
    },
    Invoke: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: {
        FunctionName: slot('StepArn'),
        Payload: { 'name.$': '$$.Execution.Name', 'state.$': '$$.State.Name' },
      },
      OutputPath: '$.Payload',
      End: true,
    },
    Wait: waitOf(3600),
    WaitBriefly: waitOf(3),
    Caught: { Type: 'Pass', End: true },
    Fork: {
      Type: 'Parallel',
      End: true,
      Branches: ['Left', 'Right'].map((name) => ({
        StartAt: name,
        States: {
          [name]: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
            Parameters: {
              FunctionName: slot('RegisterArn'),
              Payload: { 'token.$': '$$.Task.Token', label: name },
            },
            End: true,
          },
        },
      })),
    },
    TimedOut: { Type: 'Fail', Error: 'TooLate', Cause: 'nobody came' },
  },
};

const apiArn = (path: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:aws:execute-api:',
      ref('AWS::Region'),
      ':',
      ref('AWS::AccountId'),
      ':',
      ref('Api'),
      '/',
      ref('Stage'),
      path,
    ],
  ],
});

function sample(): Sample {
  return {
    Resources: {
      Notes: table(),
      Orders: table({
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'S' },
          { AttributeName: 'owner', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byOwner',
            KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      }),
      Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
      Work: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          VisibilityTimeout: 6,
          RedrivePolicy: { deadLetterTargetArn: getAtt('Dead'), maxReceiveCount: 2 },
        },
      },
      Files: { Type: 'AWS::S3::Bucket', Properties: {} },
      Limit: {
        Type: 'AWS::SSM::Parameter',
        Properties: { Type: 'String', Value: '50000', Name: '/sample/limit' },
      },
      Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: accountKeyPolicy() } },
      Signer: {
        Type: 'AWS::KMS::Key',
        Properties: { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', KeyPolicy: accountKeyPolicy() },
      },
      Secret: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: {
          GenerateSecretString: {
            SecretStringTemplate: '{"user":"me"}',
            GenerateStringKey: 'password',
            PasswordLength: 20,
          },
        },
      },
      FunctionRole: role(),
      FunctionPolicy: policy('FunctionRole', [
        [['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:ConditionCheckItem'], getAtt('Notes')],
        [
          ['dynamodb:PutItem', 'dynamodb:Query'],
          [getAtt('Orders'), { 'Fn::Join': ['', [getAtt('Orders'), '/index/*']] }],
        ],
        [
          ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:SendMessage'],
          getAtt('Work'),
        ],
        ['sqs:SendMessage', getAtt('Dead')],
        [['kms:Encrypt', 'kms:Decrypt', 'kms:GenerateDataKey'], getAtt('Key')],
        [['kms:Sign', 'kms:GetPublicKey'], getAtt('Signer')],
        ['secretsmanager:GetSecretValue', ref('Secret')],
        [['s3:GetObject', 's3:PutObject'], { 'Fn::Join': ['', [getAtt('Files'), '/*']] }],
      ]),
      Call: lambda('call'),
      Environment: lambda('environment', {
        Environment: { Variables: { NOTES: ref('Notes'), API: apiUrl } },
      }),
      Echo: lambda('echo'),
      Gateway: lambda('gateway'),
      Step: lambda('step', { DeadLetterConfig: { TargetArn: getAtt('Dead') } }),
      Brief: lambda('step', { DeadLetterConfig: { TargetArn: getAtt('Dead') } }),
      BriefEvents: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: { FunctionName: ref('Brief'), Qualifier: '$LATEST', MaximumEventAgeInSeconds: 60 },
      },
      Register: lambda('register'),
      Misbehave: lambda('misbehave', { Timeout: 1 }),
      Busy: lambda('busy'),
      Consume: lambda('consume', { Timeout: 6 }),
      Inline: lambda('unused', {
        Handler: 'index.handler',
        Code: { ZipFile: 'let n = 0; exports.handler = () => new Promise((r) => setTimeout(r, 1000, ++n));' },
      }),
      Leftover: lambda('unused', {
        Handler: 'index.handler',
        Code: {
          ZipFile:
            'let ticks = 0; setInterval(() => ticks++, 5);' +
            "exports.handler = async () => { console.log('leftover ran'); return ticks; };",
        },
      }),
      Tick: lambda('tick'),
      Api: {
        Type: 'AWS::ApiGateway::RestApi',
        Properties: { Name: 'sample', BinaryMediaTypes: ['application/zip'] },
      },
      Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: ref('Api') } },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        Properties: { RestApiId: ref('Api'), StageName: 'live', DeploymentId: ref('Deployment') },
      },
      Things: resource('things', getAtt('Api', 'RootResourceId')),
      Thing: resource('{thing}', ref('Things')),
      Odd: resource('odd', getAtt('Api', 'RootResourceId')),
      PostThing: method(ref('Thing'), 'POST', 'Echo'),
      GetOdd: method(ref('Odd'), 'GET', 'Gateway'),
      MayPostThing: permission('Echo', 'apigateway', apiArn('/POST/things/*')),
      MayGetOdd: permission('Gateway', 'apigateway', apiArn('/GET/odd')),
      Unknown: gatewayResponse(
        'MISSING_AUTHENTICATION_TOKEN',
        '404',
        '{"error":{"code":"NOT_FOUND","requestId":"$context.requestId"}}',
        { 'gatewayresponse.header.Cache-Control': "'no-store'" },
      ),
      AnyServerError: gatewayResponse('DEFAULT_5XX', undefined, '{"error":$context.error.messageString}'),
      MachineRole: role('states'),
      MachinePolicy: policy('MachineRole', [['lambda:InvokeFunction', [getAtt('Step'), getAtt('Register')]]]),
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: {
          RoleArn: getAtt('MachineRole'),
          DefinitionString: JSON.stringify(waitsAndRetries),
          DefinitionSubstitutions: { StepArn: getAtt('Step'), RegisterArn: getAtt('Register') },
        },
      },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: getAtt('Work'),
          FunctionName: ref('Consume'),
          BatchSize: 5,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
        },
      },
      PipeRole: role('pipes'),
      PipePolicy: policy('PipeRole', [
        [
          ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
          getAtt('Orders', 'StreamArn'),
        ],
        ['sqs:SendMessage', getAtt('Work')],
      ]),
      Pipe: {
        Type: 'AWS::Pipes::Pipe',
        Properties: {
          RoleArn: getAtt('PipeRole'),
          Source: getAtt('Orders', 'StreamArn'),
          SourceParameters: {
            DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON', BatchSize: 1 },
            FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
          },
          Target: getAtt('Work'),
          TargetParameters: { InputTemplate: 'order <$.dynamodb.NewImage.id.S>' },
        },
      },
      EveryMinute: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 minute)',
          State: 'ENABLED',
          Targets: [{ Arn: getAtt('Tick'), Id: 'T' }],
        },
      },
      MayTick: permission('Tick', 'events', getAtt('EveryMinute')),
    },
    Outputs: { ApiUrl: { Value: apiUrl } },
  };
}

const apiUrl = {
  'Fn::Join': [
    '',
    [
      'https://',
      ref('Api'),
      '.execute-api.',
      ref('AWS::Region'),
      '.',
      ref('AWS::URLSuffix'),
      '/',
      ref('Stage'),
      '/',
    ],
  ],
};

function accountKeyPolicy() {
  const Principal = {
    AWS: { 'Fn::Sub': `arn:${slot('AWS::Partition')}:iam::${slot('AWS::AccountId')}:root` },
  };
  return { Statement: [{ Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal }] };
}

let templates = 0;

/** Multiplies the time limits. On a busy machine a test then meets only the time-outs that it wants. */
const PATIENCE = 10;

/** Boots the sample with a changed template. */
async function bootSample(
  change: (it: Sample) => void = () => undefined,
  options: Partial<BootOptions> = {},
) {
  const template = sample();
  change(template);
  const stackName = `Sample${templates++}`;
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, `${stackName}.template.json`), JSON.stringify(template));
  const source = { path: `asset.${lambdaAssets}`, packaging: 'zip' };
  const destinations = {
    here: { bucketName: `assets-${slot('AWS::AccountId')}`, objectKey: `${lambdaAssets}.zip` },
  };
  writeFileSync(
    join(scratch, `${stackName}.assets.json`),
    JSON.stringify({ files: { [lambdaAssets]: { source, destinations } } }),
  );
  const cloud = await boot({ assembly: scratch, stackName, patience: PATIENCE, ...options });
  clouds.push(cloud);
  return cloud;
}

async function stopClouds(): Promise<void> {
  for (const cloud of clouds.splice(0)) await cloud.stop();
}

const clientOf = (cloud: Cloud) => ({
  endpoint: cloud.endpoint,
  region: cloud.region,
  credentials: { accessKeyId: 'operator', secretAccessKey: 'any' },
});

/** Invokes asynchronously, as the InvokeCommand of the SDK does. The project does not have that client. */
const asynchronously = (cloud: Cloud) => ({
  async lambda(logicalId: string, payload: Fields): Promise<void> {
    const url = `${cloud.endpoint}/2015-03-31/functions/${cloud.physical(logicalId)}/invocations`;
    const authorization =
      'AWS4-HMAC-SHA256 Credential=operator/20260101/us-east-1/lambda/aws4_request, Signature=0';
    const headers = { authorization, 'x-amz-invocation-type': 'Event' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(payload) });
    expect(answer.status).toBe(202);
  },
});

type Called = { output?: Fields; error?: string; message?: string };

async function call(cloud: Cloud, client: string, command: string, input: Fields): Promise<Called> {
  return (await cloud.invoke('Call', { client, command, input })).payload as Called;
}

async function notes(cloud: Cloud): Promise<Record<string, unknown>> {
  const client = new DynamoDBClient(clientOf(cloud));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: cloud.physical('Notes') }));
  return Object.fromEntries(Items.map(({ id, value }) => [id?.S, JSON.parse(value?.S ?? 'null')]));
}

async function until<T>(read: () => Promise<T | undefined | false>, limitMs = 240_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

beforeAll(writeAsset);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a booted stack', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    const start = performance.now();
    cloud = await bootSample();
    expect(performance.now() - start).toBeLessThan(60_000);
  });
  afterAll(stopClouds);

  test('gives functions the environment of the template and nothing of the laptop', async () => {
    const { payload } = await cloud.invoke('Environment', {});

    const { env, left } = payload as { env: Record<string, string>; left: number };
    expect(env).toMatchObject({
      NOTES: cloud.physical('Notes'),
      API: `${cloud.apis.sample}/`,
      AWS_LAMBDA_FUNCTION_NAME: cloud.physical('Environment'),
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: cloud.endpoint,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    });
    expect(env).not.toHaveProperty('PATH');
    expect(left).toBeGreaterThan(15_000);
    expect(cloud.outputs.ApiUrl).toBe(`${cloud.apis.sample}/`);
  });

  test('lets a role do what is granted, on indexes too, and nothing else', async () => {
    const TableName = cloud.physical('Orders');
    const put = await call(cloud, 'dynamodb', 'PutItem', {
      TableName,
      Item: { id: { S: 'o1' }, owner: { S: 'ann' } },
    });
    const query = await call(cloud, 'dynamodb', 'Query', {
      TableName,
      IndexName: 'byOwner',
      KeyConditionExpression: '#o = :o',
      ExpressionAttributeNames: { '#o': 'owner' },
      ExpressionAttributeValues: { ':o': { S: 'ann' } },
    });
    const scan = await call(cloud, 'dynamodb', 'Scan', { TableName });
    const remove = await call(cloud, 'dynamodb', 'TransactWriteItems', {
      TransactItems: [
        {
          ConditionCheck: {
            TableName: cloud.physical('Notes'),
            Key: { id: { S: 'x' } },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        },
        { Delete: { TableName, Key: { id: { S: 'o1' } } } },
      ],
    });

    expect(put.error).toBeUndefined();
    expect(query.output?.Count).toBe(1);
    expect(scan).toMatchObject({
      error: 'AccessDeniedException',
      message: expect.stringContaining('dynamodb:Scan'),
    });
    expect(remove).toMatchObject({
      error: 'AccessDeniedException',
      message: expect.stringContaining('dynamodb:DeleteItem'),
    });
  });

  test('encrypts under a context, and refuses another context', async () => {
    const KeyId = cloud.physical('Key');
    const EncryptionContext = { purpose: 'cpf' };
    const { output } = await call(cloud, 'kms', 'GenerateDataKey', {
      KeyId,
      KeySpec: 'AES_256',
      EncryptionContext,
    });
    const CiphertextBlob = output?.CiphertextBlob;

    const right = await call(cloud, 'kms', 'Decrypt', { CiphertextBlob, EncryptionContext });
    const wrong = await call(cloud, 'kms', 'Decrypt', {
      CiphertextBlob,
      EncryptionContext: { purpose: 'totp' },
    });

    expect(right.output?.Plaintext).toBe(output?.Plaintext);
    expect(wrong.error).toBe('InvalidCiphertextException');
  });

  test('reads a generated secret, and its file from a bucket', async () => {
    const secret = await call(cloud, 'secrets', 'GetSecretValue', { SecretId: cloud.physical('Secret') });
    const write = await call(cloud, 'secrets', 'PutSecretValue', {
      SecretId: cloud.physical('Secret'),
      SecretString: 'x',
    });
    await call(cloud, 's3', 'PutObject', { Bucket: cloud.physical('Files'), Key: 'a/b.txt', Body: 'hello' });
    const read = await call(cloud, 's3', 'GetObject', { Bucket: cloud.physical('Files'), Key: 'a/b.txt' });
    const remove = await call(cloud, 's3', 'DeleteObject', {
      Bucket: cloud.physical('Files'),
      Key: 'a/b.txt',
    });

    const parsed = JSON.parse(String(secret.output?.SecretString)) as Record<string, string>;
    expect(parsed.user).toBe('me');
    expect(parsed.password).toHaveLength(20);
    expect(write.error).toBe('AccessDeniedException');
    expect(read.output?.Body).toBe('hello');
    expect(remove.error).toBe('AccessDenied');
  });
});

describe('an API', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await bootSample();
  });
  afterAll(stopClouds);

  test('passes the request to the function in the proxy form, and returns its answer', async () => {
    const answer = await fetch(`${cloud.apis.sample}/things/a%20b?x=1&x=2&y=%C3%A9`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Mine': 'yes' },
      body: '{"n":1}',
    });
    const event = (await answer.json()) as Fields;

    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-one')).toBe('1');
    expect(answer.headers.getSetCookie()).toEqual(['a', 'b']);
    expect(event).toMatchObject({
      resource: '/things/{thing}',
      path: '/things/a%20b',
      httpMethod: 'POST',
      headers: { 'X-Mine': 'yes', 'X-Forwarded-For': '127.0.0.1' },
      multiValueHeaders: { 'X-Mine': ['yes'] },
      queryStringParameters: { x: '2', y: 'é' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['é'] },
      pathParameters: { thing: 'a b' },
      stageVariables: null,
      requestContext: {
        stage: 'live',
        path: '/live/things/a%20b',
        resourcePath: '/things/{thing}',
        identity: { sourceIp: '127.0.0.1' },
        requestId: answer.headers.get('x-amzn-requestid'),
      },
      body: '{"n":1}',
      isBase64Encoded: false,
    });
  });

  test('serves the form with the stage in front as well', async () => {
    const answer = await fetch(`${cloud.apis.sample}/live/things/1`, { method: 'POST' });

    expect(((await answer.json()) as Fields).path).toBe('/things/1');
  });

  test('answers an unknown route as the template says', async () => {
    const answer = await fetch(`${cloud.apis.sample}/nowhere`);

    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      error: { code: 'NOT_FOUND', requestId: answer.headers.get('x-amzn-requestid') },
    });
    expect((await fetch(`${cloud.apis.sample}/things/1`)).status).toBe(404);
  });

  test('answers a failed function and a malformed answer with 502 and the body of its class', async () => {
    for (const mode of ['throw', 'malformed']) {
      const answer = await fetch(`${cloud.apis.sample}/odd?mode=${mode}`);

      expect(answer.status).toBe(502);
      expect(await answer.json()).toEqual({ error: 'Internal server error' });
    }
  });

  test('decodes a base64 answer when the request accepts a binary type first', async () => {
    const ask = async (accept: string) => {
      const answer = await fetch(`${cloud.apis.sample}/odd?mode=bytes`, { headers: { accept } });
      expect(answer.status).toBe(201);
      return [...new Uint8Array(await answer.arrayBuffer())];
    };
    const encoded = [...Buffer.from(btoa('\x01\x02\x03'))];

    expect(await ask('application/zip, */*')).toEqual([1, 2, 3]);
    expect(await ask('*/*')).toEqual(encoded);
    expect(await ask('text/csv, application/zip')).toEqual(encoded);
  });

  test('refuses more than 10 MB', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'a');
    const answer = await fetch(`${cloud.apis.sample}/things/1`, { method: 'POST', body });

    expect(answer.status).toBe(413);
  });
});

describe('an API whose function is slow', () => {
  afterAll(stopClouds);

  test('gives up on it with 504', async () => {
    const cloud = await bootSample(undefined, { patience: 1 });
    const answer = await fetch(`${cloud.apis.sample}/odd?mode=slow`);

    expect(answer.status).toBe(504);
    expect(await answer.json()).toEqual({ error: 'Endpoint request timed out' });
  });
});

describe('the front', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await bootSample();
  });
  afterAll(stopClouds);

  async function post(target: string, body: Fields, accessKey = 'operator') {
    const scope = `Credential=${accessKey}/20260101/us-east-1/any/aws4_request`;
    const headers = { 'x-amz-target': target, authorization: `AWS4-HMAC-SHA256 ${scope}, Signature=0` };
    const answer = await fetch(cloud.endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, ...((await answer.json()) as Fields) };
  }

  test('keeps parameters, with their versions', async () => {
    expect(await post('AmazonSSM.GetParameter', { Name: cloud.physical('Limit') })).toMatchObject({
      Parameter: { Name: '/sample/limit', Value: '50000', Version: 1 },
    });
    const put = { Name: '/sample/limit', Value: '60000' };
    expect(await post('AmazonSSM.PutParameter', put)).toMatchObject({ __type: 'ParameterAlreadyExists' });
    expect(await post('AmazonSSM.PutParameter', { ...put, Overwrite: true })).toMatchObject({ Version: 2 });
    expect(await post('AmazonSSM.GetParameters', { Names: ['/sample/limit', '/none'] })).toMatchObject({
      Parameters: [{ Value: '60000' }],
      InvalidParameters: ['/none'],
    });
  });

  test('knows only the keys that it has issued', async () => {
    const answer = await post('DynamoDB_20120810.ListTables', {}, 'AKIASTRANGER');

    expect(answer).toMatchObject({ status: 403, __type: 'UnrecognizedClientException' });
  });

  async function identityOf(accessKeyId: string): Promise<string> {
    const client = makeClient({ ...clientOf(cloud), credentials: { accessKeyId, secretAccessKey: 'any' } });
    return stsCaller(client, { endpoint: cloud.endpoint, fetch, timeoutMs: 10_000 }).findArn();
  }

  test('tells each caller who it is, and takes each name of an operator as another person', async () => {
    const session = 'arn:aws:sts::000000000000:assumed-role/Operators/';

    expect(await identityOf('operator')).toBe(`${session}operator`);
    expect(await identityOf('operator-ana@onramp.example')).toBe(`${session}ana@onramp.example`);
    await expect(identityOf('AKIASTRANGER')).rejects.toThrow('does not know these credentials: 403');
    await expect(identityOf('operator-a b')).rejects.toThrow('does not know these credentials: 403');
  });

  test('refuses a delay over 15 minutes, as SQS does and the emulator does not', async () => {
    const sqs = new SQSClient(clientOf(cloud));
    const late = new SendMessageCommand({
      QueueUrl: cloud.physical('Dead'),
      MessageBody: 'x',
      DelaySeconds: 901,
    });

    await expect(sqs.send(late)).rejects.toThrow('DelaySeconds must be >= 0 and <= 900');
  });
});

describe('a function', () => {
  let cloud: Cloud;
  const lines: string[] = [];
  beforeAll(async () => {
    cloud = await bootSample(undefined, {
      minuteMs: 250,
      patience: 5,
      onLog: ({ line }) => lines.push(line),
    });
  });
  afterAll(stopClouds);

  test('reports a thrown error by its name, message and trace', async () => {
    const { payload, error } = await cloud.invoke('Step', { fail: 'Custom', message: 'why' });

    expect(error).toBe('Custom');
    expect(payload).toMatchObject({ errorType: 'Custom', errorMessage: 'why', trace: expect.any(Array) });
  });

  test('is replaced after it exits, hangs or leaves a rejection', async () => {
    expect((await cloud.invoke('Misbehave', { how: 'exit' })).error).toBe('Runtime.ExitError');
    const started = Date.now();
    expect((await cloud.invoke('Misbehave', { how: 'spin' })).error).toBe('Sandbox.Timedout');
    expect(Date.now() - started).toBeLessThan(60_000);
    expect((await cloud.invoke('Misbehave', { how: 'reject' })).payload).toMatchObject({
      errorMessage: 'floating',
    });

    expect((await cloud.invoke('Misbehave', {})).payload).toBe('fine');
    await until(async () => lines.includes('behaves'));
  });

  test('retries an asynchronous event twice, then sends it to the dead-letter queue', async () => {
    await asynchronously(cloud).lambda('Step', { fail: 'Async', times: 99 });

    expect(await deadLetter()).toBe('{"fail":"Async","times":99}');
    expect(lines.filter((line) => line === 'step Async')).toHaveLength(3);
  });

  test('does not retry an event that would be too old then', async () => {
    await asynchronously(cloud).lambda('Brief', { fail: 'Old', times: 99 });

    expect(await deadLetter()).toBe('{"fail":"Old","times":99}');
    expect(lines.filter((line) => line === 'step Old')).toHaveLength(1);
  });

  /** Takes the next message out of the dead-letter queue. */
  async function deadLetter(): Promise<string | undefined> {
    const sqs = new SQSClient(clientOf(cloud));
    const QueueUrl = cloud.physical('Dead');
    const { Body, ReceiptHandle } = await until(
      async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }))).Messages?.[0],
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return Body;
  }

  test('never has more than ten instances; further events wait', async () => {
    const answers = await Promise.all(Array.from({ length: 13 }, () => cloud.invoke('Inline', {})));

    const counts = answers.map(({ payload }) => payload as number);
    expect(counts.filter((count) => count === 1)).toHaveLength(10);
    expect(counts.filter((count) => count > 1)).toHaveLength(3);
  });

  test('freezes an idle instance: its timers stand still, and its lines are passed on', async () => {
    await cloud.invoke('Leftover', {});
    await expect.poll(() => lines).toContain('leftover ran');
    await new Promise((resolve) => setTimeout(resolve, 500));

    const { payload: ticks } = await cloud.invoke('Leftover', {});

    // Without the freeze it would be a hundred.
    expect(ticks).toBeLessThan(20);
  });

  test('runs one event at a time per instance: idle instances first, otherwise a new one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => cloud.invoke('Busy', { ms: 150 })));
    const later = await cloud.invoke('Busy', { ms: 0 });

    const names = answers.map(({ payload }) => (payload as Fields).mine);
    expect(new Set(names).size).toBe(3);
    expect(names).toContain((later.payload as Fields).mine);
    expect((later.payload as Fields).runs).toBe(2);
  });
});

describe('a state machine', () => {
  let cloud: Cloud;
  let sfn: SFNClient;
  let count = 0;
  beforeAll(async () => {
    cloud = await bootSample();
    sfn = new SFNClient({ ...clientOf(cloud), maxAttempts: 1 });
  });
  afterAll(stopClouds);

  const startMachine = (input: Fields, name = `run-${count++}`) =>
    sfn.send(
      new StartExecutionCommand({
        stateMachineArn: cloud.physical('Machine'),
        name,
        input: JSON.stringify(input),
      }),
    );

  async function finished(executionArn: string | undefined) {
    return until(async () => {
      const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      return execution.status !== 'RUNNING' && execution;
    });
  }

  async function historyOf(executionArn: string | undefined) {
    return (await sfn.send(new GetExecutionHistoryCommand({ executionArn }))).events ?? [];
  }

  const token = (label: string) =>
    until(async () => (await notes(cloud))[`token-${label}`] as string | undefined);

  test('writes the history of a direct call in the words of AWS', async () => {
    const { executionArn } = await startMachine({ route: 'direct', n: 1 });
    const execution = await finished(executionArn);
    const events = await historyOf(executionArn);

    expect(execution.output).toBe('{"done":true,"route":"direct","n":1}');
    expect(events.map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'ChoiceStateEntered',
      'ChoiceStateExited',
      'TaskStateEntered',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(events.map(({ previousEventId }) => previousEventId)).toEqual([0, 0, 2, 3, 4, 5, 6, 7, 8]);
    expect(events[0]?.executionStartedEventDetails?.input).toBe('{"route":"direct","n":1}');
    expect(events[4]?.lambdaFunctionScheduledEventDetails).toMatchObject({ timeoutInSeconds: 2 });
    expect(events[6]?.lambdaFunctionSucceededEventDetails?.output).toContain('"done":true');
    expect(events[7]?.stateExitedEventDetails?.name).toBe('Direct');
    expect(events[8]?.timestamp).toBeInstanceOf(Date);
  });

  test('retries by its own counters inside one entered state, then catches error and cause', async () => {
    const started = Date.now();
    const { executionArn } = await startMachine({ route: 'direct', fail: 'NotYet', n: 2 });
    const execution = await finished(executionArn);
    const types = (await historyOf(executionArn)).map(({ type }) => type);

    const { Error: error, Cause } = JSON.parse(execution.output ?? '').error as Record<string, string>;
    expect(error).toBe('NotYet');
    expect(JSON.parse(Cause ?? '')).toMatchObject({ errorType: 'NotYet', errorMessage: 'no' });
    expect(types.filter((type) => type === 'LambdaFunctionFailed')).toHaveLength(3);
    expect(types.filter((type) => type === 'TaskStateEntered')).toHaveLength(1);
    expect(types.slice(-5)).toEqual([
      'LambdaFunctionFailed',
      'TaskStateExited',
      'PassStateEntered',
      'PassStateExited',
      'ExecutionSucceeded',
    ]);
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  test('fails with the error that nothing catches', async () => {
    const { executionArn } = await startMachine({ route: 'direct', fail: 'Other', n: 3 });
    const execution = await finished(executionArn);
    const events = await historyOf(executionArn);

    expect(execution).toMatchObject({ status: 'FAILED', error: 'Other' });
    expect(events.at(-1)?.executionFailedEventDetails?.error).toBe('Other');
    expect(events.filter(({ type }) => type === 'LambdaFunctionFailed')).toHaveLength(2);
  });

  test('times a task out', async () => {
    // The function lasts far longer than the state's time limit, however slow this machine is.
    const { executionArn } = await startMachine({ route: 'direct', ms: 600_000 });
    const execution = await finished(executionArn);
    const types = (await historyOf(executionArn)).map(({ type }) => type);

    expect(execution).toMatchObject({ status: 'FAILED', error: 'TooLate', cause: 'nobody came' });
    expect(types).toContain('LambdaFunctionTimedOut');
    expect(types.slice(-2)).toEqual(['FailStateEntered', 'ExecutionFailed']);
  });

  test('calls lambda:invoke with fields of the context', async () => {
    const { executionArn } = await startMachine({ route: 'invoke' }, 'named');
    const execution = await finished(executionArn);

    expect(JSON.parse(execution.output ?? '')).toEqual({ done: true, name: 'named', state: 'Invoke' });
    expect((await historyOf(executionArn)).map(({ type }) => type).slice(4, 8)).toEqual([
      'TaskScheduled',
      'TaskStarted',
      'TaskSucceeded',
      'TaskStateExited',
    ]);
  });

  test('waits for its token and goes on with the output, once', async () => {
    const { executionArn } = await startMachine({ route: 'wait', label: 'a' });
    const taskToken = await token('a');
    // The function publishes its token before it returns, but the task is submitted only after it has returned.
    await until(async () => (await historyOf(executionArn)).some(({ type }) => type === 'TaskSubmitted'));
    await sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{"paid":true}' }));
    const execution = await finished(executionArn);

    expect(execution.output).toBe('{"paid":true}');
    expect((await historyOf(executionArn)).map(({ type }) => type).slice(4, 8)).toEqual([
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
    ]);
    const again = sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
    await expect(again).rejects.toMatchObject({ name: 'TaskTimedOut' });
  });

  test('times out without an answer, and refuses a late one', async () => {
    const { executionArn } = await startMachine({ route: 'wait briefly', label: 'b' });
    const execution = await finished(executionArn);
    const answer = (taskToken: string) => sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
    const stale = await token('b');

    expect(execution).toMatchObject({ status: 'FAILED', error: 'TooLate' });
    expect((await historyOf(executionArn)).map(({ type }) => type)).toContain('TaskTimedOut');
    await expect(answer(stale)).rejects.toMatchObject({ name: 'TaskTimedOut' });
    await expect(answer('garbage')).rejects.toMatchObject({ name: 'InvalidToken' });
    await expect(answer(newToken())).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
  });

  test('starts each name once: the same input joins the running execution, any other start is refused', async () => {
    const first = await startMachine({ route: 'wait', label: 'c' }, 'once');
    const joined = await startMachine({ route: 'wait', label: 'c' }, 'once');
    const other = startMachine({ route: 'wait', label: 'd' }, 'once');

    expect(joined.executionArn).toBe(first.executionArn);
    await expect(other).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await sfn.send(new StopExecutionCommand({ executionArn: first.executionArn, cause: 'enough' }));
    const stopped = await finished(first.executionArn);
    expect(stopped).toMatchObject({ status: 'ABORTED', cause: 'enough' });
    const afterwards = startMachine({ route: 'wait', label: 'c' }, 'once');
    await expect(afterwards).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  test('gives each branch its own token', async () => {
    const { executionArn } = await startMachine({ route: 'fork' });
    for (const label of ['Right', 'Left']) {
      const taskToken = await token(label);
      await sfn.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(label) }));
    }

    expect((await finished(executionArn)).output).toBe('["Left","Right"]');
  });

  test('pages its history, also backwards', async () => {
    const { executionArn } = await startMachine({ route: 'direct', n: 9 });
    await finished(executionArn);
    const first = await sfn.send(
      new GetExecutionHistoryCommand({ executionArn, maxResults: 4, reverseOrder: true }),
    );
    const { nextToken } = first;
    const second = await sfn.send(
      new GetExecutionHistoryCommand({ executionArn, maxResults: 4, reverseOrder: true, nextToken }),
    );

    expect(first.events?.map(({ id }) => id)).toEqual([9, 8, 7, 6]);
    expect(second.events?.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
  });
});

describe('event sources', () => {
  let cloud: Cloud;
  let sqs: SQSClient;
  beforeAll(async () => {
    cloud = await bootSample(undefined, { minuteMs: 300 });
    sqs = new SQSClient(clientOf(cloud));
  });
  afterAll(stopClouds);

  test('delete the good messages of a batch and give the bad one up to the dead-letter queue', async () => {
    for (const MessageBody of ['good', 'bad']) {
      await sqs.send(new SendMessageCommand({ QueueUrl: cloud.physical('Work'), MessageBody }));
    }

    const dead = await until(async () => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: cloud.physical('Dead'), AttributeNames: ['All'] }),
      );
      return Attributes?.ApproximateNumberOfMessages === '1' && Attributes;
    });
    expect(dead).toBeDefined();
    // The queue may give up a message while the function still records its last delivery.
    await expect
      .poll(async () => Object.keys(await notes(cloud)))
      .toEqual(expect.arrayContaining(['message-good', 'message-bad-1', 'message-bad-2']));
  });

  test('carry an inserted item through the pipe to the queue to the function within moments', async () => {
    const client = new DynamoDBClient(clientOf(cloud));
    const Item = { id: { S: 'o7' }, owner: { S: 'bob' } };
    await client.send(new PutItemCommand({ TableName: cloud.physical('Orders'), Item }));
    const started = Date.now();

    await until(async () => 'message-order "o7"' in (await notes(cloud)));
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  test('fire the schedule each minute of the sandbox', async () => {
    const tick = await until(async () => (await notes(cloud)).tick);

    expect(tick).toMatchObject({ 'detail-type': 'Scheduled Event', source: 'aws.events' });
  });
});

describe('the cloud lacks a part that the template lacks:', () => {
  afterEach(stopClouds);

  test('a grant', async () => {
    const cloud = await bootSample(({ Resources }) => {
      Resources.FunctionPolicy = policy('FunctionRole', [['sqs:*', getAtt('Work')]]);
    });
    const put = await call(cloud, 'dynamodb', 'PutItem', { TableName: cloud.physical('Notes'), Item: {} });

    expect(put.error).toBe('AccessDeniedException');
  });

  test('the key policy that lets IAM decide', async () => {
    const cloud = await bootSample(({ Resources }) => {
      Resources.Key!.Properties.KeyPolicy = { Statement: [] };
    });
    const { error } = await call(cloud, 'kms', 'Encrypt', {
      KeyId: cloud.physical('Key'),
      Plaintext: 'YQ==',
    });

    expect(error).toBe('AccessDeniedException');
  });

  test('the use of the key under which a table lies', async () => {
    const put = async (statements: [string | string[], unknown][]) => {
      const cloud = await bootSample(({ Resources }) => {
        delete Resources.Mapping;
        Resources.Notes!.Properties.SSESpecification = { SSEEnabled: true, KMSMasterKeyId: getAtt('Key') };
        Resources.FunctionPolicy = policy('FunctionRole', [
          ['dynamodb:PutItem', getAtt('Notes')],
          ...statements,
        ]);
      });
      const TableName = cloud.physical('Notes');
      return call(cloud, 'dynamodb', 'PutItem', { TableName, Item: { id: { S: 'x' } } });
    };

    expect((await put([])).message).toContain('kms:Decrypt');
    expect((await put([['kms:Decrypt', getAtt('Key')]])).error).toBeUndefined();
  });

  test('an explicit refusal wins over a grant', async () => {
    const cloud = await bootSample(({ Resources }) => {
      const document = Resources.FunctionPolicy!.Properties.PolicyDocument as { Statement: Fields[] };
      document.Statement.push({ Effect: 'Deny', Action: 'dynamodb:Put*', Resource: '*' });
    });
    const put = await call(cloud, 'dynamodb', 'PutItem', { TableName: cloud.physical('Notes'), Item: {} });

    expect(put.error).toBe('AccessDeniedException');
  });

  test('a variable, unless the boot gives it to every function', async () => {
    const onlyHere = { environment: { ONLY_HERE: 'true' } };
    const [cloud, other] = [await bootSample(undefined, onlyHere), await bootSample()];

    for (const each of [cloud, other]) {
      const { payload } = await each.invoke('Environment', {});
      const { env } = payload as { env: Record<string, string> };
      expect(env).toMatchObject({ NOTES: each.physical('Notes') });
      expect(env.ONLY_HERE).toBe(each === cloud ? 'true' : undefined);
    }
  });

  test('a variable, an index and a route', async () => {
    const cloud = await bootSample(({ Resources }) => {
      delete Resources.Environment!.Properties.Environment;
      delete Resources.Orders!.Properties.GlobalSecondaryIndexes;
      Resources.Orders!.Properties.AttributeDefinitions = [{ AttributeName: 'id', AttributeType: 'S' }];
      delete Resources.PostThing;
    });
    const { payload } = await cloud.invoke('Environment', {});
    const query = await call(cloud, 'dynamodb', 'Query', {
      TableName: cloud.physical('Orders'),
      IndexName: 'byOwner',
      KeyConditionExpression: 'id = :o',
      ExpressionAttributeValues: { ':o': { S: 'ann' } },
    });

    expect((payload as { env: Fields }).env).not.toHaveProperty('NOTES');
    expect(query.error).toBe('ValidationException');
    expect((await fetch(`${cloud.apis.sample}/things/1`, { method: 'POST' })).status).toBe(404);
  });

  test('the permission of the API to invoke', async () => {
    const cloud = await bootSample(({ Resources }) => {
      delete Resources.MayPostThing;
    });

    expect((await fetch(`${cloud.apis.sample}/things/1`, { method: 'POST' })).status).toBe(500);
  });

  test("the machine's permission to call a function", async () => {
    const cloud = await bootSample(({ Resources }) => {
      Resources.MachinePolicy = policy('MachineRole', [['lambda:InvokeFunction', getAtt('Register')]]);
    });
    const sfn = new SFNClient(clientOf(cloud));
    const stateMachineArn = cloud.physical('Machine');
    const { executionArn } = await sfn.send(
      new StartExecutionCommand({ stateMachineArn, input: '{"route":"x"}' }),
    );
    const execution = await until(async () => {
      const found = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      return found.status === 'FAILED' && found;
    });

    expect(execution.error).toBe('Lambda.AWSLambdaException');
  });

  test("the pipe's permission to send, and the schedule's to invoke", async () => {
    const lines: string[] = [];
    const cloud = await bootSample(
      ({ Resources }) => {
        Resources.PipePolicy = policy('PipeRole', [['dynamodb:*', getAtt('Orders', 'StreamArn')]]);
        delete Resources.MayTick;
      },
      { minuteMs: 250, onLog: ({ line }) => lines.push(line) },
    );
    const client = new DynamoDBClient(clientOf(cloud));
    const Item = { id: { S: 'o8' }, owner: { S: 'bob' } };
    await client.send(new PutItemCommand({ TableName: cloud.physical('Orders'), Item }));

    await until(async () => lines.some((line) => line.includes('sqs:SendMessage')));
    await until(async () => lines.some((line) => line.includes('may not invoke')));
    expect(await notes(cloud)).toEqual({});
  });

  test('a pipe that may not send gives its batch up to its dead-letter queue', async () => {
    const cloud = await bootSample(({ Resources }) => {
      Resources.PipePolicy = policy('PipeRole', [
        ['dynamodb:*', getAtt('Orders', 'StreamArn')],
        ['sqs:SendMessage', getAtt('Dead')],
      ]);
      Resources.Pipe!.Properties.SourceParameters = {
        DynamoDBStreamParameters: {
          StartingPosition: 'TRIM_HORIZON',
          MaximumRetryAttempts: 1,
          DeadLetterConfig: { Arn: getAtt('Dead') },
        },
      };
    });
    const client = new DynamoDBClient(clientOf(cloud));
    const Item = { id: { S: 'o9' }, owner: { S: 'bob' } };
    await client.send(new PutItemCommand({ TableName: cloud.physical('Orders'), Item }));

    const sqs = new SQSClient(clientOf(cloud));
    const dead = await until(async () => {
      const QueueUrl = cloud.physical('Dead');
      return (await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }))).Messages?.[0];
    });
    expect(JSON.parse(dead.Body ?? '')).toMatchObject({ DDBStreamBatchInfo: { batchSize: 1 } });
  });

  test('nothing at all where AWS would refuse to deploy, or for an unknown type', async () => {
    const withoutGrant = bootSample(({ Resources }) => {
      Resources.FunctionPolicy = policy('FunctionRole', [['dynamodb:*', '*']]);
    });
    await expect(withoutGrant).rejects.toThrow('does not have permissions to call ReceiveMessage on SQS');
    const withoutTrust = bootSample(({ Resources }) => {
      Resources.FunctionRole = role('edgelambda');
    });
    await expect(withoutTrust).rejects.toThrow('cannot be assumed by lambda.amazonaws.com');
    const tooShort = bootSample(({ Resources }) => {
      Resources.Consume!.Properties.Timeout = 7;
    });
    await expect(tooShort).rejects.toThrow(
      'visibility timeout: 6 seconds is less than Function timeout: 7 seconds',
    );
    const reserved = bootSample(({ Resources }) => {
      Resources.Echo!.Properties.Environment = { Variables: { AWS_REGION: 'eu-west-1' } };
    });
    await expect(reserved).rejects.toThrow('Echo sets reserved variables: AWS_REGION');
    const unknown = bootSample(({ Resources }) => {
      Resources.Cluster = { Type: 'AWS::ECS::Cluster', Properties: {} };
    });
    await expect(unknown).rejects.toThrow('Cluster (AWS::ECS::Cluster)');
  });
});

describe('the signing key', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await bootSample();
  });
  afterAll(stopClouds);

  test('signs digests that its public key verifies, with high s as well as low', async () => {
    const kms = new KMSClient(clientOf(cloud));
    const KeyId = cloud.physical('Signer');
    const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }));
    const key = createPublicKey({ key: Buffer.from(PublicKey!), type: 'spki', format: 'der' });
    const highs: boolean[] = [];
    for (let round = 0; round < 24; round++) {
      const message = Buffer.from(`message ${round}`);
      const Message = createHash('sha256').update(message).digest();
      const { Signature } = await kms.send(
        new SignCommand({ KeyId, Message, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' }),
      );
      expect(verify('sha256', message, key, Signature!)).toBe(true);
      highs.push(isHigh(Buffer.from(Signature!)));
    }

    expect(new Set(highs).size).toBe(2);
  });
});

/** True when the second integer of a DER signature is above half of the curve's order. */
function isHigh(signature: Buffer): boolean {
  const s = signature.subarray(6 + signature[3]!);
  return (
    BigInt(`0x${s.toString('hex')}`) > 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
  );
}

describe('injected faults', () => {
  let cloud: Cloud;
  let fault: Awaited<ReturnType<NonNullable<Faults['before']>>>;
  const seen: string[] = [];
  beforeAll(async () => {
    const before: Faults['before'] = async ({ service, operation, functionName }) => {
      seen.push(`${service}.${operation} ${functionName ?? ''}`);
      return service === 'apigateway' || operation === 'PutItem' || operation === 'Invoke'
        ? fault
        : undefined;
    };
    cloud = await bootSample(undefined, { faults: { before } });
  });
  afterEach(() => {
    fault = undefined;
  });
  afterAll(stopClouds);

  const put = () =>
    call(cloud, 'dynamodb', 'PutItem', { TableName: cloud.physical('Notes'), Item: { id: { S: 'f' } } });

  test("surface as the named exception, with the caller's name", async () => {
    fault = { error: { name: 'ThrottlingException', message: 'slow down' } };

    expect(await put()).toEqual({ error: 'ThrottlingException', message: 'slow down' });
    expect(seen).toContain(`dynamodb.PutItem ${cloud.physical('Call')}`);
  });

  test('can lose an answer after the effect', async () => {
    fault = 'drop-answer';
    const { error } = await put();
    fault = undefined;

    expect(error).toBeDefined();
    expect(await notes(cloud)).toHaveProperty('f');
  });

  test('reach Step Functions as errors of the Lambda service', async () => {
    fault = { error: { name: 'TooManyRequestsException', message: 'busy', status: 429 } };
    const sfn = new SFNClient(clientOf(cloud));
    const stateMachineArn = cloud.physical('Machine');
    const { executionArn } = await sfn.send(
      new StartExecutionCommand({ stateMachineArn, input: '{"route":"x"}' }),
    );

    const execution = await until(async () => {
      const found = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      return found.status === 'FAILED' && found;
    });
    expect(execution.error).toBe('Lambda.TooManyRequestsException');
  });

  test('answer for API Gateway itself', async () => {
    fault = { error: { name: 'THROTTLED', message: 'Too Many Requests', status: 429 } };

    expect((await fetch(`${cloud.apis.sample}/odd`)).status).toBe(429);
  });
});

describe('the end', () => {
  test('leaves no port, no emulator and no folder, whether stopped or killed', async () => {
    const folders = inlineFolders();
    const cloud = await bootSample();
    const started = emulatorsOf(process.pid);
    await cloud.invoke('Inline', {});
    await cloud.stop();
    clouds.length = 0;

    expect(started).toHaveLength(1);
    await until(async () => !existsSync(`/proc/${started[0]}`));
    await expect(fetch(cloud.endpoint)).rejects.toThrow();
    await expect(fetch(cloud.apis.sample!)).rejects.toThrow();
    expect(inlineFolders().filter((name) => !folders.includes(name))).toEqual([]);
  });

  test('takes the emulator along when the process is killed outright', async () => {
    await bootSample();
    await stopClouds();
    const stackName = `Sample${templates - 1}`;
    const boot = new URL('../../sandbox/cloud/boot.ts', import.meta.url).href;
    const script = `const { boot } = await import(${JSON.stringify(boot)});
      await boot(${JSON.stringify({ assembly: scratch, stackName })}); console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const started = emulatorsOf(child.pid);
    child.kill('SIGKILL');

    expect(started).toHaveLength(1);
    await until(async () => !existsSync(`/proc/${started[0]}`));
  });
});

function inlineFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('cloud-inline-'));
}

/** The process ids of the DynamoDB emulators that are children of a process. */
function emulatorsOf(parent: number | undefined): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => read(pid, 'cmdline').split('\0')[0]?.endsWith('/dynoxide'))
    .filter((pid) => read(pid, 'stat').split(') ')[1]?.split(' ')[1] === String(parent));
}
