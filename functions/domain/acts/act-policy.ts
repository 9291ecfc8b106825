import { REVIEW_HOURS, type ReviewHours } from '../review-hours.ts';
import {
  ACT_RULES,
  type ActName,
  type ActRule,
  type ActRules,
  ROLES,
  type Role,
  type Second,
} from './act-rules.ts';
import type { AwsPerson, Operator } from './operator.ts';

/**
 * The changes that a stage makes to the rules in `act-rules.ts`: `operators` in `cdk.json`. `second: null`
 * means that the act needs no second person.
 */
export type PolicyChanges = {
  /**
   * The operator's roles, by the name of the AWS role that the person has assumed. The name `user` stands for
   * every IAM user.
   */
  roles?: Readonly<Record<string, readonly Role[]>>;
  acts?: { readonly [Name in ActName]?: { by?: readonly Role[]; second?: Second | null } };
  /** The hours until a review case is overdue. */
  reviewHours?: Partial<ReviewHours>;
};

type ActPolicy = {
  operatorOf(person: AwsPerson): Operator;
  /** Finds the rule of an act by its name. Undefined if there is no such act. */
  findRule(name: string): ActRule | undefined;
  getReviewHours(): ReviewHours;
};

/** The roles of operators, by the names of the permission sets of IAM Identity Center. */
const SSO_ROLES: Readonly<Record<string, readonly Role[]>> = {
  AWSReservedSSO_OnrampViewer: ['viewer'],
  AWSReservedSSO_OnrampOperator: ['operator'],
  AWSReservedSSO_OnrampCompliance: ['compliance'],
  AWSReservedSSO_OnrampAdmin: ['admin'],
};

/**
 * Applies the changes of a stage to the rules. In the sandbox an act needs a second person only if the
 * changes say so. There a person whose AWS role has no entry in `roles` is an admin. A sandbox has no real
 * money, and a partner's developer has no colleague.
 */
export function policyOf(stage: string, { roles = {}, acts = {}, reviewHours }: PolicyChanges): ActPolicy {
  const isSandbox = stage === 'sandbox';
  // This is a map, because an object would also find inherited names such as `constructor`.
  const rolesOf = new Map(Object.entries({ ...SSO_ROLES, ...roles }));
  const everybody: readonly Role[] = isSandbox ? ['admin'] : [];
  const rules = Object.entries(ACT_RULES as ActRules).map(([name, rule]) => {
    const { second, ...alone } = rule;
    const { second: changed, ...others } = acts[name as ActName] ?? {};
    const wanted = changed === undefined && !isSandbox ? second : (changed ?? undefined);
    return [name, { ...alone, ...others, ...(wanted && { second: wanted }) }] as const;
  });
  const byName = new Map<string, ActRule>(rules);
  return {
    operatorOf: ({ role, ...person }) => ({ ...person, roles: rolesOf.get(role) ?? everybody }),
    findRule: (name) => byName.get(name),
    getReviewHours: () => ({ ...REVIEW_HOURS, ...reviewHours }),
  };
}

/**
 * Whether a person with `roles` may do an act for which one of the roles `wanted` is enough. An admin may do
 * every act.
 */
export function isOneOf(roles: readonly Role[], wanted: readonly Role[]): boolean {
  return roles.includes('admin') || wanted.some((role) => roles.includes(role));
}

const MOST_HOURS = 7 * 24;

type PolicyFields = Readonly<Record<string, unknown>>;

/** The first mistake in a stage's changes to the rules of acts, in words. Undefined where there is none. */
export function faultOfPolicy(changes: unknown): string | undefined {
  const { roles = {}, acts = {}, reviewHours = {}, ...others } = policyFields(changes) ?? { '': 0 };
  const known = policyFields(roles) && policyFields(acts);
  if (!known || Object.keys(others).length > 0)
    return 'it must be an object with roles, acts, reviewHours or several of them';
  if (!isHours(reviewHours)) return `reviewHours must have PENDING, REJECTED or both, as 1 to ${MOST_HOURS}`;
  const wrong = Object.entries(roles as PolicyFields).find(([, value]) => !isRoles(value));
  if (wrong) return `roles of ${wrong[0]} must be some of ${ROLES.join(', ')}`;
  const faults = Object.entries(acts as PolicyFields).map(([name, change]) => faultOfAct(name, change));
  return faults.find((fault) => fault !== undefined);
}

function isHours(value: unknown): boolean {
  const { PENDING = 1, REJECTED = 1, ...others } = policyFields(value) ?? { '': 0 };
  return [PENDING, REJECTED].every(isHour) && Object.keys(others).length === 0;
}

const isHour = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_HOURS;

const policyFields = (value: unknown): PolicyFields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PolicyFields) : undefined;

function faultOfAct(name: string, change: unknown): string | undefined {
  const rule = new Map<string, ActRule>(Object.entries(ACT_RULES)).get(name);
  if (!rule) return `there is no act ${name}`;
  const { by = rule.by, second = null, ...others } = policyFields(change) ?? { '': 0 };
  if (Object.keys(others).length > 0) return `${name} must be an object with by, second or both`;
  if (!isRoles(by)) return `${name}: by must be some of ${ROLES.join(', ')}`;
  if (second === null) return undefined;
  if (rule.isPersonal) return `${name}: its call names a client, so it cannot wait for a second person`;
  return isSecond(second) ? undefined : `${name}: ${SECOND_FORM}`;
}

const SECOND_FORM =
  `second must have some of ${ROLES.join(', ')} as by, ` + `and 1 to ${MOST_HOURS} as withinHours`;

function isSecond(value: unknown): boolean {
  const { by, withinHours, ...others } = policyFields(value) ?? {};
  return isRoles(by) && isHour(withinHours) && Object.keys(others).length === 0;
}

const isRoles = (value: unknown): value is readonly Role[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => ROLES.some((role) => role === each));
