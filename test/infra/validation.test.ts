import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RegoEngine, type StandardDiagnostic, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { everySetting } from './every-setting.ts';
import { synthesized } from './synthesized.ts';

const REGIONS = ['sa-east-1', 'us-east-1'];

/** The warnings that stay in the templates, with the reason. Any other warning fails the test. */
const ACCEPTED: Record<string, string> = {
  W3005:
    'The CDK writes a dependency on a role together with one on its policy. The first is implied, and it is harmless.',
};

let engine: InstanceType<typeof RegoEngine>;
beforeAll(() => {
  engine = new RegoEngine();
});
afterAll(() => engine?.free());

/** A parameter of a nested stack that CDK makes. It holds the ARN of a secret, and never the secret. */
const isReference = ({ ruleId, message }: StandardDiagnostic) =>
  ruleId === 'W2509' && message.startsWith("Parameter 'referenceto");

/** A domain names its certificate in ACM, which is a setting and no resource of the stack. */
const isCertificate = ({ ruleId, entity }: StandardDiagnostic) =>
  ['W9002', 'W9013'].includes(ruleId) && entity?.resourceType === 'AWS::ApiGateway::DomainName';

function findingsIn(file: string, region: string): StandardDiagnostic[] {
  const report = engine.validateStandard(new TemplateFile(file), { pseudoParameterOverrides: { region } });
  expect(report.status, file).toBe('OK');
  return report.diagnostics.filter(
    (each) => !['INFO', 'DEBUG'].includes(each.severity) && !isReference(each) && !isCertificate(each),
  );
}

const templatesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => join(directory, name));

describe.each(STAGES)('CloudFormation’s validator, about %s', (stage) => {
  const every = REGIONS.map((region) => ({
    region,
    name: 'every optional setting',
    context: everySetting(stage, region),
  }));
  const defaults = { region: 'sa-east-1', name: 'the defaults', context: {} };

  it.each([defaults, ...every])(
    'finds no error and no unexplained warning for $region with $name',
    async ({ region, context }) => {
      const { outdir } = await synthesized(stage, context);
      const findings = templatesIn(outdir).flatMap((file) => findingsIn(file, region));

      expect(templatesIn(outdir).length).toBeGreaterThan(0);
      expect(findings.filter(({ ruleId, severity }) => severity !== 'WARN' || !(ruleId in ACCEPTED))).toEqual(
        [],
      );
      expect(new Set(findings.map(({ ruleId }) => ruleId))).toEqual(new Set(Object.keys(ACCEPTED)));
    },
  );
});

describe('CloudFormation’s validator', () => {
  type Changed = { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };
  let outdir: string;
  beforeAll(async () => {
    ({ outdir } = await synthesized('sandbox'));
  });

  it.each([
    ['a table without a key', 'AWS::DynamoDB::Table', 'KeySchema', undefined],
    ['a function without a role', 'AWS::Lambda::Function', 'Role', undefined],
    ['a schedule with an unknown property', 'AWS::Events::Rule', 'Speed', 'high'],
  ])('finds %s', (_, type, property, value) => {
    const changed = mkdtempSync(join(tmpdir(), 'changed-'));
    for (const file of templatesIn(outdir)) {
      const template = JSON.parse(readFileSync(file, 'utf8')) as Changed;
      const first = Object.values(template.Resources).find(({ Type }) => Type === type);
      if (first) first.Properties[property] = value;
      writeFileSync(join(changed, basename(file)), JSON.stringify(template));
    }
    const errors = templatesIn(changed)
      .flatMap((file) => findingsIn(file, 'sa-east-1'))
      .filter(({ severity }) => severity !== 'WARN');

    expect(errors.map(({ entity, message }) => `${entity?.resourceType}: ${message}`)).toContainEqual(
      expect.stringMatching(new RegExp(`^${type}: .*(${property}|${value})`)),
    );
  });
});
