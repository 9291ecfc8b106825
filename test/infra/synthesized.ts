import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { onrampApp } from '../../infra/onramp-app.ts';
import type { Stage } from '../../infra/stage.ts';
import { linkStacks } from '../../sandbox/cloud/stacks.ts';
import { type Properties, type Resources, referencesOf } from './references.ts';

export type { Properties, Resources } from './references.ts';

export type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Principal?: unknown;
  Condition?: unknown;
};

type Context = {
  isValidated?: boolean;
  minuteSeconds?: number;
  patience?: number;
  walletScreening?: string;
  treasuryWallets?: number | string;
  alarmsTo?: string;
  edge?: unknown;
  console?: unknown;
  canary?: string;
  region?: Partial<Record<Stage, string>>;
  replicaRegions?: Partial<Record<Stage, string[]>>;
};

type Policy = { PolicyDocument: { Statement: Statement[] } };
const read = ({ PolicyDocument }: Policy) => ({ statements: PolicyDocument.Statement });

/** The templates of the stage's stacks as one, synthesized from the sources in this folder. */
export async function synthesized(stage: Stage, { isValidated = false, ...context }: Context = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'onramp-'));
  const props = { outdir, builtinCloudFormationValidation: isValidated };
  const { app, state, stack } = await onrampApp({ stage, ...context }, props);
  app.synth();
  const template = Template.fromJSON(linkStacks(outdir, stack.stackName).template);
  const resources = (type: string) => template.findResources(type) as Resources;

  /** The logical id of the only resource of `type` with the construct id `name`. */
  function find(type: string, name: string): string {
    const [id, ...others] = Object.keys(resources(type)).filter((each) =>
      new RegExp(`^${name}[0-9A-F]{8}$`).test(each),
    );
    if (!id || others.length > 0) throw new Error(`There is not exactly one ${type} ${name}`);
    return id;
  }

  /** The statements of a function's policies. */
  function statementsOf(functionName: string): Statement[] {
    const [role] = referencesOf(propertiesOf(functionName).Role);
    return policies().flatMap(({ roles, statements }) => (roles.includes(role!.id) ? statements : []));
  }

  /** Each policy of the templates, in a role or by itself, with its statements and the roles that have it. */
  function policies() {
    const inside = Object.entries(resources('AWS::IAM::Role')).flatMap(([id, { Properties }]) =>
      ((Properties.Policies ?? []) as Policy[]).map((policy) => ({ id, roles: [id], ...read(policy) })),
    );
    const alone = Object.entries(resources('AWS::IAM::Policy')).map(([id, { Properties }]) => {
      const roles = referencesOf(Properties.Roles).map((reference) => reference.id);
      return { id, roles, ...read(Properties as Policy) };
    });
    return [...inside, ...alone];
  }

  function propertiesOf(functionName: string): Properties {
    return resources('AWS::Lambda::Function')[find('AWS::Lambda::Function', functionName)]!.Properties;
  }

  function environmentOf(functionName: string): Record<string, unknown> {
    return (propertiesOf(functionName).Environment as { Variables: Record<string, unknown> }).Variables;
  }

  return { app, state, stack, template, outdir, resources, find, policies, statementsOf, environmentOf };
}

export type Synthesized = Awaited<ReturnType<typeof synthesized>>;

export const actionsOf = (statements: Statement[]) => statements.flatMap(({ Action }) => Action).sort();
