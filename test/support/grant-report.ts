import { readSandbox } from '../../infra/sandbox.ts';
import { readSources } from '../../infra/sources.ts';
import type { Decision } from '../../sandbox/cloud/iam.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { matchesWildcard } from '../../sandbox/cloud/wire.ts';
import { PATIENCE, STACK } from '../../sandbox/sandbox.ts';
import { synthesize } from '../../sandbox/synthesize.ts';
import { type ChainKind, readDecisions } from './decisions.ts';
import { HURRIED_MINUTE_MS } from './hurried.ts';
import { type Grant, grantsOf } from './policy-requests.ts';
import { secondEvaluator } from './second-evaluator.ts';
import { judge, type NeedsOf, type Right, type Verdicts } from './unused-grants.ts';

const FUNCTIONS = new URL('../../functions/', import.meta.url).pathname;

/** The decisions of a run about which the second evaluator says the opposite. */
export async function differing(template: Template, decisions: Decision[]): Promise<Decision[]> {
  const judge = secondEvaluator(template);
  const found: Decision[] = [];
  for (const decision of decisions) {
    if ((await judge(decision.roleArn, decision)) !== decision.isAllowed) found.push(decision);
  }
  return found;
}

/** The rights of the template's roles: those that an allowed call of a run used, and those that none used. */
export function rightsIn(template: Template, decisions: Decision[]): { used: Right[]; unused: Right[] } {
  const calls = Map.groupBy(
    decisions.filter((each) => each.isAllowed && !isThroughTable(each)),
    ({ roleArn }) => roleArn,
  );
  const isUsed = ({ roleArn, ...grant }: Grant) =>
    calls
      .get(roleArn)
      ?.some(
        ({ action, resource }) =>
          matchesWildcard(grant.action, action) && matchesWildcard(grant.resource, resource),
      ) === true;
  const { used = [], unused = [] } = Object.groupBy(grantsOf(template), (grant) =>
    isUsed(grant) ? 'used' : 'unused',
  );
  return { used: used.map(rightOf), unused: unused.map(rightOf) };
}

/** Calls of KMS that a table makes. The key’s own policy allows them: `infra/keys.ts`. */
const isThroughTable = ({ context = {} }: Decision) =>
  String(context['kms:ViaService']).startsWith('dynamodb.');

/** A right such as `CancelTransactionRole` and `dynamodb:GetItem table/OnrampSandboxState-TablesHolds`. */
function rightOf({ roleArn, action, resource }: Grant): Right {
  const name = (arn: string) => arn.split(':').slice(5).join(':');
  const withoutHash = (text: string) => text.replaceAll(/[0-9A-F]{8}(?=$|\/|:|-)/g, '');
  const role = withoutHash(name(roleArn)).replace(/^role\/[^-]+-/, '');
  return { role, right: `${action} ${withoutHash(name(resource) || resource)}` };
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

export type GrantReport = Verdicts & { decisions: number; differing: Decision[]; unused: number };

/** The needs of each function of the sandbox. */
export async function readNeeds(): Promise<NeedsOf> {
  const [own, { sources, instead }] = await Promise.all([readSources(FUNCTIONS), readSandbox()]);
  return new Map([...own, ...sources, ...instead].map(({ id, needs }) => [id, needs]));
}

/** Replays the policies' answers of the last run with these chains, and judges the grants that it did not use. */
export async function reportGrants(chains: ChainKind[]): Promise<GrantReport> {
  const [template, needsOf] = await Promise.all([sharedTemplate(), readNeeds()]);
  const decisions = chains.flatMap(readDecisions).map((decision) => ({
    ...decision,
    resource: decision.resource.replace(/\/stream\/.*/, '/stream/now'),
  }));
  const rights = rightsIn(template, decisions);
  return {
    decisions: decisions.length,
    differing: await differing(template, decisions),
    unused: rights.unused.length,
    ...judge({ ...rights, needsOf }),
  };
}
