import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLLBACK_ALARMS } from '../../infra/rollback-alarms.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';
import { StateStack } from '../../infra/state-stack.ts';
import { everySetting } from './every-setting.ts';
import { madeBefore, referencesOf } from './references.ts';
import { type Resources, type Synthesized, synthesized } from './synthesized.ts';

/**
 * CloudFormation allows 500 resources in a stack. At this number, move a kind of callers with its functions into a
 * nested stack as `infra/watch-stack.ts` does: docs/architecture.md, "The parts".
 */
const MOST_RESOURCES = 400;
/** CloudFormation reads templates up to 1 MB. */
const MOST_BYTES = 900_000;

/** The types of a stack that only watches. It can be removed and made again at any time. */
const WATCHING = [
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::MetricFilter',
  'AWS::Budgets::Budget',
];

/** The types whose resources hold what a new resource would lack: rows, objects, and keys of both. */
const STATE = ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket'];

// docs/architecture.md, "The parts"
describe.each(STAGES)('of the stacks of %s', (stage) => {
  let made: Synthesized;
  let state: Template;
  let service: Template;
  let watch: Template;
  beforeAll(async () => {
    made = await synthesized(stage);
    [state, service] = [Template.fromStack(made.state), Template.fromStack(made.stack)];
    watch = Template.fromJSON(JSON.parse(read(filesOf().find((name) => name.includes('Watch'))!)));
  });
  const resourcesIn = (template: Template) => template.toJSON().Resources as Resources;
  const filesOf = () => readdirSync(made.outdir).filter((name) => name.endsWith('.template.json'));
  const read = (name: string) => readFileSync(join(made.outdir, name), 'utf8');

  it('each has room for more resources', () => {
    expect(filesOf()).toHaveLength(stage === 'sandbox' ? 6 : 5);
    for (const name of filesOf()) {
      const { Resources } = JSON.parse(read(name)) as { Resources: Resources };
      expect(Object.keys(Resources).length, name).toBeLessThanOrEqual(MOST_RESOURCES);
      expect(read(name).length, name).toBeLessThanOrEqual(MOST_BYTES);
    }
  });

  it('the one inside the second only watches, and nothing refers to it', () => {
    const nested = Object.keys(service.findResources('AWS::CloudFormation::Stack'));
    const types = new Set(Object.values(resourcesIn(watch)).map(({ Type }) => Type));

    expect(nested.sort()).toEqual(
      stage === 'sandbox'
        ? ['Account', 'SandboxOnly', 'Scheduled', 'Watch']
        : ['Account', 'Scheduled', 'Watch'],
    );
    expect([...types].sort()).toEqual([...WATCHING].sort());
    expect(watch.toJSON().Outputs).toBeUndefined();
    const users = Object.values(resourcesIn(service)).flatMap((each) => [
      ...referencesOf(each.Properties).map((reference) => reference.id),
      ...[each.DependsOn ?? []].flat(),
    ]);
    expect(users).not.toContain('Watch');
  });

  it('the second has the alarms that stop its deployment, so that they are made before what they stop', () => {
    const alarms = Object.keys(service.findResources('AWS::CloudWatch::Alarm'));
    const stopped = ['AWS::StepFunctions::StateMachineAlias', 'AWS::CodeDeploy::DeploymentGroup'];
    const stopping = Object.values(resourcesIn(service))
      .filter(({ Type }) => stopped.includes(Type))
      .map(({ Properties }) => referencesOf(Properties).map((reference) => reference.id));

    expect(alarms).toHaveLength(ROLLBACK_ALARMS.length);
    expect(stopping.length).toBeGreaterThan(stage === 'production' ? 5 : 0);
    for (const names of stopping) expect(names).toEqual(expect.arrayContaining(alarms));
  });

  it('those inside the second that have functions are made one after another', async () => {
    const { outdir, stack } = await synthesized(stage, everySetting(stage));
    const source = Template.fromStack(stack).toJSON().Resources as Resources;
    const fileOf = (id: string) =>
      readdirSync(outdir).find((name) => name.startsWith(`${stack.stackName}${id}`))!;
    const hasFunctions = (id: string) =>
      readFileSync(join(outdir, fileOf(id)), 'utf8').includes('"AWS::Lambda::Function"');
    const inside = Object.keys(source).filter((id) => source[id]!.Type === 'AWS::CloudFormation::Stack');
    const parts = inside.filter((id) => id !== 'Watch');
    const earlier = parts.map((id) => parts.filter((each) => madeBefore(id, source).has(each)).length);

    expect(inside.filter(hasFunctions).sort()).toEqual(parts.sort());
    expect(earlier.sort()).toEqual(parts.map((_, index) => index));
  });

  it('the second makes its domains one after another, each when the former has its API', async () => {
    const { stack } = await synthesized(stage, everySetting(stage));
    const source = Template.fromStack(stack).toJSON().Resources as Resources;
    const idsOf = (type: string) => Object.keys(source).filter((id) => source[id]!.Type === type);
    const mappings = idsOf('AWS::ApiGateway::BasePathMapping');
    const places = [...idsOf('AWS::ApiGateway::DomainName'), 'Console'];
    const earlier = places.map((id) => mappings.filter((each) => madeBefore(id, source).has(each)).length);

    expect(earlier.sort()).toEqual(places.map((_, index) => index));
  });

  it('the first needs nothing of the second, so that it can be made before it', () => {
    expect(JSON.stringify(state.toJSON())).not.toContain('Fn::ImportValue');
    expect(made.stack.dependencies).toEqual([made.state]);
    expect(made.state.dependencies).toEqual([]);
  });

  it('the first has every table, key and bucket, and every secret that is generated', () => {
    const isState = ({ Type, Properties }: Resources[string]) =>
      STATE.includes(Type) || 'GenerateSecretString' in (Properties ?? {});

    expect(Object.values(resourcesIn(state)).filter(isState).length).toBeGreaterThan(20);
    expect(Object.values(resourcesIn(service)).filter(isState)).toEqual([]);
  });

  it('the first exports the same, whatever the second uses', async () => {
    const app = new App({ context: { ...readContext(), stage } });
    const alone = new StateStack(app, made.state.stackName, { settings: await readSettings(app.node) });

    expect(Template.fromStack(alone).toJSON().Outputs).toEqual(state.toJSON().Outputs);
  });

  it('neither with data of clients can be deleted by mistake', () => {
    const isProtected = [made.state, made.stack].map(({ terminationProtection }) => terminationProtection);

    expect(isProtected).toEqual([true, stage === 'production']);
  });
});
