import type { Decision } from '../../sandbox/cloud/iam.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { matchesWildcard } from '../../sandbox/cloud/wire.ts';
import { PATIENCE, STACK } from '../../sandbox/sandbox.ts';
import { synthesize } from '../../sandbox/synthesize.ts';
import { type ChainKind, readDecisions } from './decisions.ts';
import { HURRIED_MINUTE_MS } from './hurried.ts';
import { type Grant, grantsOf } from './policy-requests.ts';
import { secondEvaluator } from './second-evaluator.ts';
import { reasonOf } from './unused-grants.ts';

/** The decisions of a run about which the second evaluator says the opposite. */
export async function differing(template: Template, decisions: Decision[]): Promise<Decision[]> {
  const judge = secondEvaluator(template);
  const found: Decision[] = [];
  for (const decision of decisions) {
    if ((await judge(decision.roleArn, decision)) !== decision.isAllowed) found.push(decision);
  }
  return found;
}

/** The grants that no allowed call of a run used, one line for each role and action. */
export function unusedGrants(template: Template, decisions: Decision[]): string[] {
  const used = decisions.filter(({ isAllowed }) => isAllowed);
  const isUsed = (grant: Grant) =>
    used.some(
      ({ roleArn, action, resource }) =>
        roleArn === grant.roleArn &&
        matchesWildcard(grant.action, action) &&
        matchesWildcard(grant.resource, resource),
    );
  return grantsOf(template)
    .filter((grant) => !isUsed(grant))
    .map(describeGrant)
    .sort();
}

/** A line such as `CancelTransactionRole dynamodb:GetItem table/OnrampSandboxState-TablesHolds`. */
function describeGrant({ roleArn, action, resource }: Grant): string {
  const name = (arn: string) => arn.split(':').slice(5).join(':');
  const withoutHash = (text: string) => text.replaceAll(/[0-9A-F]{8}(?=$|\/|:|-)/g, '');
  const role = withoutHash(name(roleArn)).replace(/^role\/[^-]+-/, '');
  return `${role} ${action} ${withoutHash(name(resource) || resource)}`;
}

/** The template of the shared sandbox, with the ARNs of its streams. */
async function sharedTemplate(): Promise<Template> {
  const assembly = await synthesize({ minuteSeconds: HURRIED_MINUTE_MS / 1000, patience: PATIENCE });
  return templateIn(assembly);
}

/** The template of an assembly, with the ARNs of its streams. */
export function templateIn(assembly: string): Template {
  const template = loadTemplate(assembly, STACK);
  for (const { logicalId } of template.ofType('AWS::DynamoDB::Table'))
    template.learn(logicalId, { StreamArn: `${template.attribute(logicalId, 'Arn')}/stream/now` });
  return template;
}

export type GrantReport = {
  decisions: number;
  differing: Decision[];
  unused: string[];
  unexplained: string[];
};

/** Replays the policies' answers of the last run with these chains, and lists the grants that it did not use. */
export async function reportGrants(chains: ChainKind[]): Promise<GrantReport> {
  const template = await sharedTemplate();
  const decisions = chains.flatMap(readDecisions).map((decision) => ({
    ...decision,
    resource: decision.resource.replace(/\/stream\/.*/, '/stream/now'),
  }));
  const unused = unusedGrants(template, decisions);
  return {
    decisions: decisions.length,
    differing: await differing(template, decisions),
    unused,
    unexplained: unused.filter((line) => reasonOf(line) === undefined),
  };
}
