import { beforeAll, describe, expect, it, test } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { type Changeable, changedAssembly, type Properties } from '../support/assemblies.ts';
import { deploymentFaults } from '../support/deployment-rules.ts';
import { synthesized } from './synthesized.ts';

type Statement = { Sid?: string; Action: string | string[]; Principal?: { Service?: string } };

const statementsIn = (document: unknown) => (document as { Statement: Statement[] }).Statement;

function withoutAction(policies: Properties[], action: string): void {
  for (const { PolicyDocument } of policies) {
    for (const statement of statementsIn(PolicyDocument))
      statement.Action = [statement.Action].flat().filter((each) => each !== action);
  }
}

function withoutService(document: unknown, service: string): void {
  const { Statement: all } = document as { Statement: Statement[] };
  const kept = all.filter(({ Principal }) => Principal?.Service !== service);
  expect(kept.length).toBeLessThan(all.length);
  Object.assign(document as object, { Statement: kept });
}

const policies = (template: Changeable, prefix: string) =>
  template.propertiesOf(prefix, 'AWS::IAM::Role').Policies as Properties[];

/** Parts that are removed on purpose, and the report of each. */
const REMOVED: [string, (template: Changeable) => void, RegExp][] = [
  [
    'the policy of a function’s role in that role',
    (template) => template.separatePolicy('CancelTransactionRole'),
    /^CancelTransaction\w+ is made before CancelTransactionRole\w+Policy/,
  ],
  [
    'the policy of the pipe’s role in that role',
    (template) => template.separatePolicy('OutboxRole'),
    /^OutboxPipe\w+ is made before OutboxRole\w+Policy/,
  ],
  [
    'the policy of the state machine’s role in that role',
    (template) => template.separatePolicy('MachineRole'),
    /^MachineOnramp\w+ is made before MachineRole\w+Policy/,
  ],
  [
    'the dependency of the function that signs on its policy',
    (template) => template.forgetOrder('SettleStablecoin', 'AWS::Lambda::Function'),
    /^SettleStablecoin\w+ is made before SettleStablecoinRolePolicy/,
  ],
  [
    'the dependency of the API’s stage on the account’s role for logs',
    (template) => template.forgetOrder('OnrampApiDeploymentStage', 'AWS::ApiGateway::Stage'),
    /^OnrampApiDeploymentStage\w+ is made before an AWS::ApiGateway::Account/,
  ],
  [
    'the grant of a consumer to read its queue',
    (template) => withoutAction(policies(template, 'DeliverWebhookRole'), 'sqs:ReceiveMessage'),
    /^DeliverWebhook\w+ may not sqs:ReceiveMessage/,
  ],
  [
    'the grant of the pipe to read the stream',
    (template) => withoutAction(policies(template, 'OutboxRole'), 'dynamodb:GetRecords'),
    /^OutboxPipe\w+ may not dynamodb:GetRecords/,
  ],
  [
    'the grant of the pipe to send to its queues',
    (template) => withoutAction(policies(template, 'OutboxRole'), 'sqs:SendMessage'),
    /^OutboxPipe\w+ may not sqs:SendMessage on \S+QueuesWebhook/,
  ],
  [
    'the grant of the state machine to call functions',
    (template) => withoutAction(policies(template, 'MachineRole'), 'lambda:InvokeFunction'),
    /^MachineOnramp\w+ may not lambda:InvokeFunction/,
  ],
  [
    'the grant of the state machine to deliver logs',
    (template) => withoutAction(policies(template, 'MachineRole'), 'logs:CreateLogDelivery'),
    /^MachineOnramp\w+ may not logs:CreateLogDelivery/,
  ],
  [
    'the statement of the alarms’ topic for CloudWatch',
    (template) =>
      withoutService(
        template.propertiesOf('AlarmsTopicPolicy', 'AWS::SNS::TopicPolicy').PolicyDocument,
        'cloudwatch.amazonaws.com',
      ),
    /^Alarms\w+: sns:Publish on /,
  ],
  [
    'the statement of the topic’s key for CloudWatch',
    (template) =>
      withoutService(
        template.propertiesOf('KeysData', 'AWS::KMS::Key').KeyPolicy,
        'cloudwatch.amazonaws.com',
      ),
    /^Alarms\w+: kms:Decrypt on /,
  ],
];

const certificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/1';
const trustStore = { key: 'truststore.pem', version: 'aVersion' };
/** The settings that are off by default. */
const ALL_ON = {
  edge: {
    accountConcurrency: 1000,
    reservedConcurrency: { SettleStablecoin: 100 },
    callbackDomain: { name: 'pix.example.com', certificateArn, trustStore },
    apiDomain: { name: 'api.example.com', certificateArn },
    requestsPerIp: 3000,
  },
  console: {},
  region: 'us-east-1',
};

test('a deployment of production with every setting has no fault that can be found before it', async () => {
  const settings = Object.entries(ALL_ON).map(([name, value]) => [name, { production: value }]);
  const { outdir, stack } = await synthesized('production', Object.fromEntries(settings));

  expect(deploymentFaults(outdir, stack.stackName)).toEqual([]);
});

describe.each(STAGES)('a deployment of %s', (stage) => {
  let assembly: string;
  let stackName: string;
  beforeAll(async () => {
    const { outdir, stack } = await synthesized(stage, { region: { [stage]: 'us-east-1' } });
    [assembly, stackName] = [outdir, stack.stackName];
  });

  it('has no fault that can be found before it', () => {
    expect(deploymentFaults(assembly, stackName)).toEqual([]);
  });

  it.each(REMOVED)('is found faulty without %s', (_, remove, report) => {
    const changed = changedAssembly(assembly, remove);

    expect(deploymentFaults(changed, stackName)).toContainEqual(expect.stringMatching(report));
  });

  it('is found faulty if a resource waits for itself', () => {
    const changed = changedAssembly(assembly, (template) => {
      const { FunctionVersion } = template.propertiesOf('CancelTransactionAlias', 'AWS::Lambda::Alias');
      const version = template.propertiesOf('CancelTransactionCurrentVersion', 'AWS::Lambda::Version');
      version.Description = FunctionVersion;
    });

    const report = expect.stringMatching(/^CancelTransactionCurrentVersion\w+ waits for itself/);
    expect(deploymentFaults(changed, stackName)).toContainEqual(report);
  });

  it('is found faulty without the permissions of its routes and schedules', () => {
    const changed = changedAssembly(assembly, (template) => template.removeAll('AWS::Lambda::Permission'));
    const faults = deploymentFaults(changed, stackName);

    for (const caller of [
      'POST/v1/laas/transactions/initiate',
      'POST/callbacks/identity',
      'SchedulesReconcilePix',
    ])
      expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${caller}\\w* may not invoke`)));
  });
});
