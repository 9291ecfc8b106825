import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { boot, type Cloud } from '../../sandbox/cloud/boot.ts';
import { accessKeyOf } from '../../sandbox/cloud/function-config.ts';

export type Fields = Record<string, unknown>;
const getAtt = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
export const KB = 1024;

function roleOf(service: string, actions: string[]): Fields {
  const Principal = { Service: `${service}.amazonaws.com` };
  const trust = { Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal }] };
  const PolicyDocument = { Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] };
  return {
    Type: 'AWS::IAM::Role',
    Properties: { AssumeRolePolicyDocument: trust, Policies: [{ PolicyName: 'own', PolicyDocument }] },
  };
}

function functionOf(ZipFile: string): Fields {
  const Properties = {
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Role: getAtt('Role'),
    Code: { ZipFile },
  };
  return { Type: 'AWS::Lambda::Function', Properties };
}

const machine = {
  StartAt: 'Route',
  States: {
    Route: {
      Type: 'Choice',
      Choices: [{ Variable: '$.size', NumericGreaterThan: 0, Next: 'Produce' }],
      Default: 'Wait',
    },
    Produce: {
      Type: 'Task',
      Resource: '$'.concat('{ProducerArn}'),
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
      End: true,
    },
    Caught: { Type: 'Pass', End: true },
    Wait: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: '$'.concat('{ProducerArn}'), Payload: { 'token.$': '$$.Task.Token' } },
      End: true,
    },
  },
};

/** A table with an index, a queue, a machine, and two functions of one role. */
const TEMPLATE = {
  Resources: {
    Orders: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: 'orders',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'S' },
          { AttributeName: 'sweep', AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'due',
            KeySchema: [{ AttributeName: 'sweep', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
      },
    },
    Work: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work' } },
    Role: roleOf('lambda', ['dynamodb:*', 'states:*', 'sqs:*']),
    Caller: functionOf('exports.handler = async () => "called";'),
    Producer: functionOf('exports.handler = async ({ size = 0 }) => "x".repeat(size);'),
    MachineRole: roleOf('states', ['lambda:InvokeFunction']),
    Machine: {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        RoleArn: getAtt('MachineRole'),
        DefinitionString: JSON.stringify(machine),
        DefinitionSubstitutions: { ProducerArn: getAtt('Producer') },
      },
    },
  },
};

export const STACK_NAME = 'Limits';

/** The folder of the template. `change` may alter a copy of it. */
export function limitsAssembly(change: (template: typeof TEMPLATE) => void = () => undefined): string {
  const template = structuredClone(TEMPLATE);
  change(template);
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  writeFileSync(join(folder, `${STACK_NAME}.template.json`), JSON.stringify(template));
  return folder;
}

/** How late the cloud of `bootLimits` describes an execution to a function. */
export const LAG_MS = 1500;

export function bootLimits(assembly = limitsAssembly()): Promise<Cloud> {
  return boot({ assembly, stackName: STACK_NAME, describeLagMs: LAG_MS });
}

/** Clients of the function `Caller`, or of the operator. AWS's rates count for the function, because it has a role. */
export function clientsOf(cloud: Cloud, who: 'operator' | 'Caller' = 'Caller') {
  const accessKeyId = who === 'operator' ? who : accessKeyOf(who);
  const credentials = { accessKeyId, secretAccessKey: 'any' };
  const options = { endpoint: cloud.endpoint, region: cloud.region, credentials, maxAttempts: 1 };
  return { dynamodb: new DynamoDBClient(options), sfn: new SFNClient(options), sqs: new SQSClient(options) };
}

/** The name, status and message with which AWS refuses a request. */
export async function refusalOf(request: Promise<unknown>) {
  const error = (await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as (Error & { $metadata: { httpStatusCode: number } }) | undefined;
  return error && { name: error.name, status: error.$metadata.httpStatusCode, message: error.message };
}
