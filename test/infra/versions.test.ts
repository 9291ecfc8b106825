import { beforeAll, describe, expect, it } from 'vitest';
import { readDefinition, tasksOf } from '../../infra/machine.ts';
import { STAGES } from '../../infra/stage.ts';
import { type Resources, referencesOf } from './references.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

const idsIn = (value: unknown) => referencesOf(value).map(({ id }) => id);

// docs/architecture.md, "The parts"
describe.each(STAGES)('a deployment of %s', (stage) => {
  let made: Synthesized;
  beforeAll(async () => {
    made = await synthesized(stage);
  });
  const all = (type: string): Resources => made.resources(type);
  const only = (type: string) => {
    const [found, ...others] = Object.entries(all(type));
    if (!found || others.length > 0) throw new Error(`There is not exactly one ${type}`);
    return { id: found[0], ...found[1] };
  };

  it('keeps every former version, because executions that began with it still run', () => {
    const versions = Object.values({
      ...all('AWS::Lambda::Version'),
      ...all('AWS::StepFunctions::StateMachineVersion'),
    });

    expect(versions.length).toBeGreaterThan(tasksOf(readDefinition()).length);
    for (const { DeletionPolicy, UpdateReplacePolicy } of versions)
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  it('lets the state machine call any version of its steps, and nothing else', () => {
    const { Properties } = only('AWS::StepFunctions::StateMachine');
    const [role] = idsIn(Properties.RoleArn);
    const statements = made.policies().flatMap((each) => (each.roles.includes(role!) ? each.statements : []));
    const [invoke] = statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
    const steps = tasksOf(readDefinition()).map((name) => made.find('AWS::Lambda::Function', name));
    const versionsOf = (id: string) => ({ 'Fn::Join': ['', [{ 'Fn::GetAtt': [id, 'Arn'] }, ':*']] });

    expect(invoke!.Resource).toEqual(steps.sort().map(versionsOf));
  });

  it('makes a version of the state machine for each change, and gives it a tenth of the new executions', () => {
    const machine = only('AWS::StepFunctions::StateMachine').id;
    const version = only('AWS::StepFunctions::StateMachineVersion');

    expect(version.Properties).toMatchObject({
      StateMachineArn: { Ref: machine },
      StateMachineRevisionId: { 'Fn::GetAtt': [machine, 'StateMachineRevisionId'] },
    });
    expect(only('AWS::StepFunctions::StateMachineAlias').Properties).toMatchObject({
      Name: 'live',
      DeploymentPreference: {
        Type: 'CANARY',
        Percentage: 10,
        Interval: 5,
        StateMachineVersionArn: { Ref: version.id },
      },
    });
  });

  it('takes the alias of the state machine back if executions, steps, requests, callbacks or messages fail', () => {
    const { DeploymentPreference } = only('AWS::StepFunctions::StateMachineAlias').Properties;
    const alarms = idsIn((DeploymentPreference as { Alarms: unknown }).Alarms);

    expect(alarms.map((id) => id.slice('Alarms'.length, -8)).sort()).toEqual([
      'ApiErrors',
      'CallbackFailed',
      'ExecutionsAborted',
      'ExecutionsFailed',
      'MessageFailed',
      'RequestFailed',
      'StepFailed',
    ]);
  });

  it('has an alias with the newest version for endpoints, callbacks and consumers of queues', () => {
    const aliases = Object.values(all('AWS::Lambda::Alias')).map(({ Properties }) => Properties);

    expect(aliases.length).toBeGreaterThan(8);
    for (const { Name, FunctionName, FunctionVersion } of aliases) {
      const [version] = idsIn(FunctionVersion);
      expect(Name).toBe('live');
      expect(all('AWS::Lambda::Version')[version!]!.Properties.FunctionName).toEqual(FunctionName);
    }
  });
});

describe('the aliases of production', () => {
  let production: Synthesized;
  beforeAll(async () => {
    production = await synthesized('production');
  });

  it('move a tenth of the calls first, and back if an alarm is raised', () => {
    const groups = production.resources('AWS::CodeDeploy::DeploymentGroup');
    const aliases = Object.values(production.resources('AWS::Lambda::Alias'));
    const moved = aliases.filter(({ UpdatePolicy }) => UpdatePolicy);
    const used = moved.map(({ UpdatePolicy }) => {
      const { DeploymentGroupName } = (
        UpdatePolicy as Record<string, { DeploymentGroupName: { Ref: string } }>
      ).CodeDeployLambdaAliasUpdate!;
      return DeploymentGroupName.Ref;
    });

    expect(used.sort()).toEqual(Object.keys(groups).sort());
    expect(aliases.length).toBeGreaterThan(moved.length);
    for (const { Properties } of Object.values(groups)) {
      const { Enabled, Alarms } = Properties.AlarmConfiguration as { Enabled: boolean; Alarms: unknown[] };
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect({ Enabled, alarms: Alarms.length }).toEqual({ Enabled: true, alarms: 7 });
      expect(Properties.AutoRollbackConfiguration).toMatchObject({ Enabled: true });
    }
  });

  // A change of shared code starts all of them at once. With 15 AWS has throttled them: aws/aws-cdk#21516.
  it('are few that move slowly: those of the main endpoints, callbacks and consumers', () => {
    const groups = Object.keys(production.resources('AWS::CodeDeploy::DeploymentGroup'));

    expect(groups.map((id) => id.slice('Canaries'.length, -8)).sort()).toEqual([
      ...['ConfirmMfa', 'CreateQuote', 'DeliverWebhook', 'GetKycStatus', 'GetTransactionStatus'],
      ...['InitiateTransaction', 'LivenessReviewed', 'PixReceived', 'ProcessCallback', 'SubmitKyc'],
    ]);
  });

  it('may each be moved by CodeDeploy with a role of its own, which may change nothing else', () => {
    const groups = Object.values(production.resources('AWS::CodeDeploy::DeploymentGroup'));
    const roles = groups.flatMap(({ Properties }) => idsIn(Properties.ServiceRoleArn));

    expect(new Set(roles).size).toBe(groups.length);
    for (const role of roles) {
      const statements = production
        .policies()
        .flatMap((each) => (each.roles.includes(role) ? each.statements : []));
      const moved = statements.find(({ Action }) => [Action].flat().includes('lambda:UpdateAlias'));

      expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([
        'cloudwatch:DescribeAlarms',
        'lambda:GetAlias',
        'lambda:GetProvisionedConcurrencyConfig',
        'lambda:UpdateAlias',
      ]);
      expect([moved!.Resource].flat()).not.toContain('*');
      expect(new Set(idsIn(moved!.Resource)).size, role).toBe(1);
    }
  });
});

describe('a deployment while an alarm rings, with canary=off', () => {
  it('gives a new version all calls and executions at once, and no alarm stops it', async () => {
    const made = await synthesized('production', { canary: 'off' });
    const [alias] = Object.values(made.resources('AWS::StepFunctions::StateMachineAlias'));
    const groups = Object.values(made.resources('AWS::CodeDeploy::DeploymentGroup'));

    expect(alias!.Properties.DeploymentPreference).toEqual({
      StateMachineVersionArn: expect.anything(),
      Type: 'ALL_AT_ONCE',
    });
    expect(groups.length).toBeGreaterThan(0);
    for (const { Properties } of groups)
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
        AlarmConfiguration: { Enabled: false },
      });
  });

  it('is refused for another word', async () => {
    await expect(synthesized('production', { canary: 'no' })).rejects.toThrow('canary may be on or off');
  });
});

describe('the same commit, deployed again after AWS took it back', () => {
  const versionsOf = ({ resources }: Synthesized) => Object.keys(resources('AWS::Lambda::Version'));

  it('makes no new version without attempt=2, and then Lambda answers that the version exists', async () => {
    const again = await synthesized('production', { attempt: '1' });

    expect(versionsOf(again)).toEqual(versionsOf(await synthesized('production')));
  });

  it('makes a new version of every function with attempt=2, because the function itself has changed', async () => {
    const [former, made] = [
      await synthesized('production'),
      await synthesized('production', { attempt: '2' }),
    ];
    const versions = Object.values(made.resources('AWS::Lambda::Version'));
    const functions = made.resources('AWS::Lambda::Function');

    expect(versionsOf(made)).toHaveLength(versionsOf(former).length);
    expect(versionsOf(made).filter((id) => versionsOf(former).includes(id))).toEqual([]);
    for (const [id] of versions.map(({ Properties }) => idsIn(Properties.FunctionName)))
      expect(functions[id!]!.Properties.Description).toBe('Attempt 2');
  });

  it.each(['0', 'two', '1.5'])('is refused with attempt=%s', async (attempt) => {
    await expect(synthesized('production', { attempt })).rejects.toThrow('attempt must be');
  });
});
