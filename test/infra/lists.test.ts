import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledLists, warningOfLists } from '../../infra/bundled-lists.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

let production: Synthesized;
let sandbox: Synthesized;
beforeAll(async () => {
  production = await synthesized('production');
  sandbox = await synthesized('sandbox');
});

const propertiesOf = ({ resources, find }: Synthesized, name: string) =>
  resources('AWS::Lambda::Function')[find('AWS::Lambda::Function', name)]!.Properties;

describe('RefreshLists', () => {
  it('asks the official publishers over https, and keeps the minimum numbers of entries', () => {
    const sources = JSON.parse(String(production.environmentOf('RefreshLists').LIST_SOURCES));

    expect(sources).toEqual({
      addresses: {
        ofac: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports',
        un: 'https://scsanctions.un.org',
        portal: 'https://portaldatransparencia.gov.br',
      },
    });
  });

  it('asks the simulators in a sandbox', () => {
    const sources = JSON.stringify(sandbox.environmentOf('RefreshLists').LIST_SOURCES);

    expect(sources).toContain('/lists/ofac');
    expect(sources).not.toContain('gov');
  });

  it('runs every two hours, with time for slow publishers and memory for all lists', () => {
    const target = production.find('AWS::Lambda::Function', 'RefreshLists');
    const rules = Object.values(production.resources('AWS::Events::Rule')).filter(({ Properties }) =>
      JSON.stringify(Properties.Targets).includes(`"${target}"`),
    );

    expect(rules.map(({ Properties }) => Properties.ScheduleExpression)).toEqual(['rate(2 hours)']);
    expect(propertiesOf(production, 'RefreshLists')).toMatchObject({ Timeout: 600, MemorySize: 2048 });
  });

  it('alone may write lists, below their folder, and no function may delete them', () => {
    const functions = Object.keys(production.resources('AWS::Lambda::Function')).map((id) => id.slice(0, -8));
    const onLists = (name: string) =>
      production.statementsOf(name).filter(({ Resource }) => JSON.stringify(Resource).includes('"Lists'));
    const mayDo = (action: string) =>
      functions.filter((name) => onLists(name).some(({ Action }) => [Action].flat().includes(action)));

    expect(mayDo('s3:PutObject')).toEqual(['RefreshLists']);
    expect(mayDo('s3:DeleteObject')).toEqual([]);
    const [statement] = production
      .statementsOf('RefreshLists')
      .filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    expect(JSON.stringify(statement!.Resource)).toContain('/lists/*');
  });
});

describe('the bucket of the lists', () => {
  it('keeps every version of the lists', () => {
    const [bucket] = Object.values(production.resources('AWS::S3::Bucket'));

    expect(bucket!.Properties).toMatchObject({ VersioningConfiguration: { Status: 'Enabled' } });
  });
});

describe('a synthesis', () => {
  const warningsOf = ({ stack }: Synthesized) =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.stringLikeRegexp('onramp:bundledLists'))
      .map(({ entry }) => String(entry.data));

  it('warns about the bundled lists of production, and goes on', async () => {
    const warning = warningOfLists(await bundledLists('production'), Date.now());

    const warnings = warningsOf(production);

    expect(warnings).toHaveLength(warning ? 1 : 0);
    for (const text of warnings) expect(text).toContain(warning!);
  });

  it('of a sandbox gives no warning', () => {
    expect(warningsOf(sandbox)).toEqual([]);
  });
});
