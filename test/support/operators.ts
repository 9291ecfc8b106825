import { policyOf } from '../../functions/domain/acts/act-policy.ts';
import type { Acts } from '../../functions/domain/acts/act-ports.ts';
import type { Order } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';

/** The parts of the desk by which an operator of this name is signed in, in a sandbox whose acts nobody reads. */
export function signedIn(name: string): Pick<Desk, 'caller' | 'policy' | 'acts'> {
  const { operatorOf, findRule, getReviewHours } = policyOf('sandbox', {});
  return {
    caller: { findArn: async () => `arn:aws:sts::000000000000:assumed-role/Operators/${name}` },
    policy: {
      operatorOf: async (person) => operatorOf(person),
      findRule: async (act) => findRule(act),
      getReviewHours: async () => getReviewHours(),
    },
    acts: { add: async () => true } as unknown as Acts,
  };
}

export const anOrder = (changes: Partial<Order> = {}): Order => ({
  by: 'ana',
  at: Date.UTC(2026, 10, 20, 12),
  reason: 'ticket 1',
  ...changes,
});
