import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkStacks } from '../../sandbox/cloud/stacks.ts';

const queue = { Type: 'AWS::SQS::Queue', Properties: {} };
const exporting = (name: string, Value: unknown) => ({ Out: { Value, Export: { Name: name } } });

/** Writes an assembly. The stacks depend on each other as the lists say. */
function assemblyOf(stacks: Record<string, { template: object; after?: string[] }>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  const artifacts = Object.entries(stacks).map(([name, { after = [] }]) => [
    name,
    { type: 'aws:cloudformation:stack', dependencies: [...after, `${name}.assets`] },
  ]);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: Object.fromEntries(artifacts) }));
  for (const [name, { template }] of Object.entries(stacks))
    writeFileSync(join(folder, `${name}.template.json`), JSON.stringify(template));
  return folder;
}

const importing = (name: unknown) => ({
  Resources: {
    Function: { Type: 'AWS::Lambda::Function', Properties: { Value: { 'Fn::ImportValue': name } } },
  },
});

describe('a stack that imports from another', () => {
  it('is read after the other, with the exported value in the place of the import', () => {
    const state = { Resources: { Queue: queue }, Outputs: exporting('State:Queue', { Ref: 'Queue' }) };
    const folder = assemblyOf({
      Service: { template: importing('State:Queue'), after: ['State'] },
      State: { template: state },
    });

    const { template, stackNames, stackOf } = linkStacks(folder, 'Service');

    expect(stackNames).toEqual(['State', 'Service']);
    expect(template.Resources).toMatchObject({
      Queue: queue,
      Function: { Properties: { Value: { Ref: 'Queue' } } },
    });
    expect([stackOf('Queue'), stackOf('Function')]).toEqual(['State', 'Service']);
  });

  it('cannot be read where no stack exports the value', () => {
    const folder = assemblyOf({
      Service: { template: importing('State:Other'), after: ['State'] },
      State: { template: { Resources: { Queue: queue }, Outputs: exporting('State:Queue', 'q') } },
    });

    expect(() => linkStacks(folder, 'Service')).toThrow('Service: No export named "State:Other" found');
  });

  it('cannot be read where the other is not made before it', () => {
    const folder = assemblyOf({
      Service: { template: importing('State:Queue') },
      State: { template: { Resources: { Queue: queue }, Outputs: exporting('State:Queue', 'q') } },
    });

    expect(() => linkStacks(folder, 'Service')).toThrow('No export named');
  });

  it('cannot be read together with one that exports under the same name', () => {
    const folder = assemblyOf({
      Service: { template: { Resources: { A: queue }, Outputs: exporting('Same', 'a') }, after: ['State'] },
      State: {
        template: { Resources: { B: queue }, Outputs: { Other: { Value: 'b', Export: { Name: 'Same' } } } },
      },
    });

    expect(() => linkStacks(folder, 'Service')).toThrow('Same is already exported');
  });
});

describe('a stack inside another', () => {
  const hash = 'a'.repeat(64);
  const nested = (Parameters: object) => ({
    Type: 'AWS::CloudFormation::Stack',
    Properties: { Parameters, TemplateURL: { 'Fn::Join': ['', ['https://s3/', `/${hash}.json`]] } },
    DependsOn: 'Policy',
  });
  const inner = {
    Parameters: { Watched: { Type: 'String' } },
    Resources: {
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { Value: { Ref: 'Watched' }, Own: { Ref: 'AWS::StackName' } },
      },
    },
    Outputs: { Seen: { Value: { 'Fn::Join': ['-', ['seen', { Ref: 'Watched' }]] } } },
  };
  const outer = {
    Resources: {
      Queue: queue,
      Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: {} },
      Watch: nested({ Watched: { 'Fn::GetAtt': ['Queue', 'QueueName'] } }),
      Reader: { ...queue, Properties: { Value: { 'Fn::GetAtt': ['Watch', 'Outputs.Seen'] } } },
      Later: { ...queue, DependsOn: ['Policy', 'Watch'] },
    },
  };

  function folderOf(template: object): string {
    const folder = assemblyOf({ Service: { template } });
    const files = { [hash]: { source: { path: `${hash}.json` } } };
    writeFileSync(join(folder, 'Service.assets.json'), JSON.stringify({ files }));
    writeFileSync(join(folder, `${hash}.json`), JSON.stringify(inner));
    return folder;
  }

  it('is read in its place, with what the other passes and what it answers', () => {
    const { template, stackOf } = linkStacks(folderOf(outer), 'Service');
    const name = { 'Fn::GetAtt': ['Queue', 'QueueName'] };

    expect(template.Resources).toMatchObject({
      Alarm: { Properties: { Value: name, Own: 'Service-Watch' }, DependsOn: ['Policy'] },
      Reader: { Properties: { Value: { 'Fn::Join': ['-', ['seen', name]] } } },
      Later: { DependsOn: ['Policy', 'Alarm'] },
    });
    expect(template.Resources).not.toHaveProperty('Watch');
    expect([stackOf('Queue'), stackOf('Alarm')]).toEqual(['Service', 'Service-Watch']);
  });

  it('cannot be read where both have one logical id', () => {
    const folder = folderOf({ Resources: { ...outer.Resources, Alarm: queue } });

    expect(() => linkStacks(folder, 'Service')).toThrow('Two stacks have Alarm in Resources');
  });

  it('cannot be read without its template', () => {
    const folder = folderOf(outer);
    writeFileSync(join(folder, 'Service.assets.json'), JSON.stringify({ files: {} }));

    expect(() => linkStacks(folder, 'Service')).toThrow('The assembly holds no template');
  });
});

it('the name of a stack is that of the stack with the reference', () => {
  const named = (id: string) => ({
    Resources: {
      [id]: {
        ...queue,
        Properties: {
          Name: { Ref: 'AWS::StackName' },
          Text: { 'Fn::Sub': ['$', '{AWS::StackName}-x'].join('') },
        },
      },
    },
  });
  const folder = assemblyOf({
    Service: { template: named('A'), after: ['State'] },
    State: { template: named('B') },
  });

  expect(linkStacks(folder, 'Service').template.Resources).toMatchObject({
    A: { Properties: { Name: 'Service', Text: { 'Fn::Sub': 'Service-x' } } },
    B: { Properties: { Name: 'State', Text: { 'Fn::Sub': 'State-x' } } },
  });
});
