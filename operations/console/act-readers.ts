import type { Act } from '../../functions/domain/acts/act.ts';
import { isOneOf } from '../../functions/domain/acts/act-policy.ts';
import type { ActRule } from '../../functions/domain/acts/act-rules.ts';
import type { Desk } from '../desk.ts';
import type { Session } from './session.ts';

/**
 * An act is shown to those who may do or approve it, because it names its subject. An act about a listed person is thus
 * shown to the roles that read reviews.
 */
export async function maySee(act: Act, { role }: Session, { policy }: Desk): Promise<boolean> {
  const rule = await policy.findRule(act.first.name);
  return rule !== undefined && isOneOf([role], [...rule.by, ...approversOf(rule)]);
}

export async function mayApprove(act: Act, { person, role }: Session, { policy }: Desk): Promise<boolean> {
  const rule = await policy.findRule(act.first.name);
  return act.first.who.id !== person.id && rule !== undefined && isOneOf([role], approversOf(rule));
}

/** The same as in `acts approve`: without a second person in the policy, those who may do the act. */
const approversOf = ({ by, second }: ActRule) => second?.by ?? by;
