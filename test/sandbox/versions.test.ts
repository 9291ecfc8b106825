import { DescribeExecutionCommand, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionArnOf } from '../../sandbox/cloud/arns.ts';
import type { Cloud } from '../../sandbox/cloud/boot.ts';
import { readIam } from '../../sandbox/cloud/iam.ts';
import { loadTemplate } from '../../sandbox/cloud/template.ts';
import {
  bootLimits,
  clientsOf,
  type Fields,
  limitsAssembly,
  refusalOf,
  STACK_NAME,
} from '../support/limits-cloud.ts';
import { eventually } from '../support/sandbox.ts';

const ref = (id: string) => ({ Ref: id });
const version = { Type: 'AWS::Lambda::Version', Properties: { FunctionName: ref('Producer') } };
const alias = {
  Type: 'AWS::Lambda::Alias',
  Properties: { FunctionName: ref('Producer'), Name: 'live', FunctionVersion: '1' },
};
const permission = (FunctionName: Fields) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { FunctionName, Principal: 'apigateway.amazonaws.com', Action: 'lambda:InvokeFunction' },
});
const machineVersion = {
  Type: 'AWS::StepFunctions::StateMachineVersion',
  Properties: { StateMachineArn: ref('Machine') },
};
const machineAlias = {
  Type: 'AWS::StepFunctions::StateMachineAlias',
  Properties: { Name: 'live', DeploymentPreference: { StateMachineVersionArn: ref('MachineVersion') } },
};

/** A machine with a version and an alias. Its tasks call the function at `target`; its role may call `allowed`. */
function assemblyOf(target: unknown, allowed: unknown): string {
  return limitsAssembly(({ Resources }) => {
    const all = Resources as unknown as Record<string, { Properties: Fields }>;
    all.Machine!.Properties.DefinitionSubstitutions = { ProducerArn: target };
    const [policy] = all.MachineRole!.Properties.Policies as {
      PolicyDocument: { Statement: { Resource: unknown }[] };
    }[];
    policy!.PolicyDocument.Statement[0]!.Resource = allowed;
    Object.assign(Resources, { ProducerVersion: version, ProducerAlias: alias });
    Object.assign(Resources, { MachineVersion: machineVersion, MachineAlias: machineAlias });
    Object.assign(Resources, { OfFunction: permission(ref('Producer')) });
  });
}

const arn = { 'Fn::GetAtt': ['Producer', 'Arn'] };
const everyVersion = { 'Fn::Join': ['', [arn, ':*']] };

/** Starts an execution that calls the function at once, and answers its end. */
async function endOf(cloud: Cloud, stateMachineArn: string) {
  const { sfn } = clientsOf(cloud, 'operator');
  const { executionArn } = await sfn.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify({ size: 1 }) }),
  );
  return eventually(
    () => sfn.send(new DescribeExecutionCommand({ executionArn })),
    ({ status }) => status !== 'RUNNING',
  );
}

describe('a machine and a function with a version and an alias', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await bootLimits(assemblyOf(ref('ProducerVersion'), everyVersion));
  });
  afterAll(() => cloud?.stop());

  test('begin an execution by the alias, which the execution names and its ARN does not', async () => {
    const machine = cloud.physical('Machine');

    const ended = await endOf(cloud, `${machine}:live`);

    expect(ended).toMatchObject({
      status: 'SUCCEEDED',
      output: '"x"',
      stateMachineArn: machine,
      stateMachineAliasArn: `${machine}:live`,
      stateMachineVersionArn: `${machine}:1`,
    });
    expect(ended.executionArn).toMatch(/:execution:[^:]+:[^:]+$/);
    expect(await endOf(cloud, machine)).not.toHaveProperty('stateMachineVersionArn');
  });

  test.each(['other', '2'])('begin none by %s, which the template lacks', async (qualifier) => {
    const stateMachineArn = `${cloud.physical('Machine')}:${qualifier}`;
    const start = clientsOf(cloud, 'operator').sfn.send(new StartExecutionCommand({ stateMachineArn }));

    expect(await refusalOf(start)).toMatchObject({ name: 'StateMachineDoesNotExist' });
  });
});

test.each([
  ['a version that the template lacks', { 'Fn::Join': ['', [arn, ':7']] }, '*', 'ResourceNotFoundException'],
  ['a version by a grant on the function alone', ref('ProducerVersion'), arn, 'not authorized'],
  ['the function by a grant on its versions', arn, everyVersion, 'not authorized'],
])('a machine cannot call %s', async (_, target, allowed, reason) => {
  const cloud = await bootLimits(assemblyOf(target, allowed));
  try {
    const { status, output } = await endOf(cloud, `${cloud.physical('Machine')}:live`);

    expect(status).toBe('SUCCEEDED');
    expect(output).toContain(reason);
  } finally {
    await cloud.stop();
  }
});

test('a permission to invoke a function does not hold for its alias', () => {
  const template = loadTemplate(assemblyOf(arn, '*'), STACK_NAME);
  const { mayInvoke } = readIam(template);
  const invoked = functionArnOf(template.ref('Producer'));

  expect(mayInvoke(invoked, 'apigateway.amazonaws.com', 'arn:x')).toBe(true);
  expect(mayInvoke(`${invoked}:live`, 'apigateway.amazonaws.com', 'arn:x')).toBe(false);
});
