import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { onrampApp } from '../../infra/onramp-app.ts';
import type { Stage } from '../../infra/stage.ts';
import { linkStacks } from '../../sandbox/cloud/stacks.ts';
import { runFolder } from '../support/run-folder.ts';
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
  attempt?: string;
  region?: Partial<Record<Stage, string>>;
  replicaRegions?: Partial<Record<Stage, string[]>>;
  trail?: unknown;
  monthlyBudgetUsd?: Partial<Record<Stage, number | null>>;
  operators?: unknown;
  chargeLimits?: unknown;
  listEffects?: unknown;
};

type Policy = { PolicyDocument: { Statement: Statement[] } };
const read = ({ PolicyDocument }: Policy) => ({ statements: PolicyDocument.Statement });

const made = new Map<string, ReturnType<typeof synthesize>>();

/**
 * The templates of the stage's stacks as one, synthesized from the sources in this folder. A worker synthesizes the
 * same settings once, so a test must not change them.
 */
export function synthesized(stage: Stage, context: Context = {}) {
  const key = JSON.stringify([stage, context]);
  const found = made.get(key) ?? synthesize(stage, context);
  made.set(key, found);
  return found;
}

async function synthesize(stage: Stage, { isValidated = false, ...context }: Context) {
  const outdir = mkdtempSync(join(runFolder(), 'synthesized-'));
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

  /**
   * Each policy of the templates, in a role, attached to it or by itself, with its statements and the roles that have
   * it.
   */
  function policies() {
    const inside = Object.entries(resources('AWS::IAM::Role')).flatMap(([id, { Properties }]) =>
      ((Properties.Policies ?? []) as Policy[]).map((policy) => ({ id, roles: [id], ...read(policy) })),
    );
    const alone = Object.entries(resources('AWS::IAM::Policy')).map(([id, { Properties }]) => {
      const roles = referencesOf(Properties.Roles).map((reference) => reference.id);
      return { id, roles, ...read(Properties as Policy) };
    });
    const attached = Object.entries(resources('AWS::IAM::ManagedPolicy')).map(([id, { Properties }]) => {
      const isAttached = ([, role]: [string, Resources[string]]) =>
        referencesOf(role.Properties.ManagedPolicyArns).some((reference) => reference.id === id);
      const roles = Object.entries(resources('AWS::IAM::Role')).filter(isAttached);
      return { id, roles: roles.map(([role]) => role), ...read(Properties as Policy) };
    });
    return [...inside, ...attached, ...alone];
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
