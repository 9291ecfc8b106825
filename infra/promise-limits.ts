import type { Node } from 'constructs';
import { AMOUNT_LIMITS_CENTAVOS, brlOf } from '../functions/domain/money.ts';
import { PROMISE_SCOPES, type PromiseLimits } from '../functions/domain/purchase/open-promise.ts';
import type { Stage } from './stage.ts';

const LEAST = brlOf(AMOUNT_LIMITS_CENTAVOS.maximum);

// Reads the limits of open promises. A promise is a price at which a client can still buy. The limits are
// required, because they limit how much a jump of the market can cost.
export function promiseLimitsOf(stage: Stage, node: Node): PromiseLimits {
  const ofStages = node.tryGetContext('promiseLimits') as Partial<Record<Stage, PromiseLimits>> | undefined;
  const limits = ofStages?.[stage];
  for (const scope of PROMISE_SCOPES) {
    const sum = limits?.[`${scope}Brl`] ?? NaN;
    if (!Number.isSafeInteger(sum) || sum < LEAST)
      throw new Error(
        `promiseLimits of ${stage}: ${scope}Brl must be whole BRL, ${LEAST} at least, as a purchase may be`,
      );
  }
  return limits as PromiseLimits;
}
