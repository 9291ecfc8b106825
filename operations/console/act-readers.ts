import type { Act } from '../../functions/domain/acts/act.ts';
import { isOneOf } from '../../functions/domain/acts/act-policy.ts';
import type { ActRule } from '../../functions/domain/acts/act-rules.ts';
import { isSamePerson } from '../../functions/domain/acts/operator.ts';
import type { Desk } from '../desk.ts';
import type { Session } from './session.ts';

/**
 * Whether the person may see the act. Only roles that may do or approve the act see it, because it names its
 * subject. An act about a listed person is therefore seen only by roles that read reviews.
 */
export async function maySee(act: Act, { role }: Session, { policy }: Desk): Promise<boolean> {
  const rule = await policy.findRule(act.first.name);
  return rule !== undefined && isOneOf([role], [...rule.by, ...approversOf(rule)]);
}

export async function mayApprove(act: Act, { person, role }: Session, { policy }: Desk): Promise<boolean> {
  const rule = await policy.findRule(act.first.name);
  return !isSamePerson(act.first.who, person) && rule !== undefined && isOneOf([role], approversOf(rule));
}

/**
 * The roles that may approve an act, as in `acts approve`. If the policy demands no second person, they are
 * the roles that may do the act.
 */
const approversOf = ({ by, second }: ActRule) => second?.by ?? by;

/** Keeps the items that pass a check which reads the policy. All of them are checked at once. */
export async function passing<Item>(
  items: readonly Item[],
  isFit: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const fits = await Promise.all(items.map(isFit));
  return items.filter((_, at) => fits[at]);
}
