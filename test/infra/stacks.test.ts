import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';
import { StateStack } from '../../infra/state-stack.ts';
import { type Resources, type Synthesized, synthesized } from './synthesized.ts';

/** CloudFormation allows 500 resources in a stack. At this number it is time for a third stack. */
const MOST_RESOURCES = 400;

/** The types whose resources hold what a new resource would lack: rows, objects, and keys of both. */
const STATE = ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket'];

// docs/decisions.md, "Two stacks"
describe.each(STAGES)('of the two stacks of %s', (stage) => {
  let made: Synthesized;
  let state: Template;
  let service: Template;
  beforeAll(async () => {
    made = await synthesized(stage);
    [state, service] = [Template.fromStack(made.state), Template.fromStack(made.stack)];
  });
  const resourcesIn = (template: Template) => template.toJSON().Resources as Resources;

  it('each has room for more resources', () => {
    for (const template of [state, service])
      expect(Object.keys(resourcesIn(template)).length).toBeLessThanOrEqual(MOST_RESOURCES);
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
