import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { onrampApp } from '../../infra/onramp-app.ts';
import type { Stage } from '../../infra/stage.ts';

export type Properties = Record<string, unknown>;
export type Resources = Record<string, { Type: string; Properties: Properties; [key: string]: unknown }>;
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
};

/** The stage's template, synthesized from the sources in this folder. */
export async function synthesized(stage: Stage, { isValidated = false, ...context }: Context = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'onramp-'));
  const props = { outdir, builtinCloudFormationValidation: isValidated };
  const { app, stack } = await onrampApp({ stage, ...context }, props);
  const template = Template.fromStack(stack);
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
    const role = find('AWS::IAM::Role', `${functionName}Role`);
    return Object.values(resources('AWS::IAM::Policy'))
      .filter(({ Properties }) => (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role))
      .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement);
  }

  function environmentOf(functionName: string): Record<string, unknown> {
    const { Properties } = resources('AWS::Lambda::Function')[find('AWS::Lambda::Function', functionName)]!;
    return (Properties.Environment as { Variables: Record<string, unknown> }).Variables;
  }

  return { app, stack, template, outdir, resources, find, statementsOf, environmentOf };
}

export type Synthesized = Awaited<ReturnType<typeof synthesized>>;

export const actionsOf = (statements: Statement[]) => statements.flatMap(({ Action }) => Action).sort();
