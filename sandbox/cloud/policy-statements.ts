import type { Need } from './access.ts';
import { holds } from './policy-conditions.ts';
import { type Fields, fields, list, matchesWildcard, text } from './wire.ts';

export type Statement = {
  effect: string;
  actions: string[];
  notActions: string[];
  resources: string[];
  notResources: string[];
  principals: string[];
  condition: Fields;
};

export function statementsOf(document: unknown): Statement[] {
  return list(fields(document).Statement)
    .map(fields)
    .map((statement) => ({
      effect: text(statement.Effect),
      actions: list(statement.Action).map(text),
      notActions: list(statement.NotAction).map(text),
      resources: list(statement.Resource).map(text),
      notResources: list(statement.NotResource).map(text),
      principals: principalsOf(statement.Principal),
      condition: fields(statement.Condition),
    }));
}

function principalsOf(principal: unknown): string[] {
  if (typeof principal === 'string') return [principal];
  return Object.values(fields(principal)).flatMap(list).map(text);
}

export function aboutPrincipal(all: Statement[], arn: string): Statement[] {
  return all.filter(({ principals }) => principals.some((one) => one === '*' || one === arn));
}

type AccessVerdict = 'allow' | 'deny' | 'silent';

export function judge(all: Statement[], need: Need): AccessVerdict {
  const about = all.filter((statement) => covers(statement, need));
  if (about.some(({ effect, condition }) => effect === 'Deny' && holds(condition, need) === 'yes'))
    return 'deny';
  // A condition may have an operator that this code does not know. A Deny with such a condition does not
  // apply, and an Allow does. A call may thus succeed here that AWS refuses, but never the other way round.
  const allowed = about.some(
    ({ effect, condition }) => effect === 'Allow' && holds(condition, need) !== 'no',
  );
  return allowed ? 'allow' : 'silent';
}

function covers({ actions, notActions, resources, notResources }: Statement, need: Need): boolean {
  const hit = (patterns: string[]) =>
    patterns.some((pattern) => matchesWildcard(pattern.toLowerCase(), need.action.toLowerCase()));
  const about = notActions.length > 0 ? !hit(notActions) : hit(actions);
  if (!about) return false;
  const within = (patterns: string[]) => patterns.some((pattern) => matchesWildcard(pattern, need.resource));
  if (notResources.length > 0) return !within(notResources);
  return resources.length === 0 || within(resources);
}
