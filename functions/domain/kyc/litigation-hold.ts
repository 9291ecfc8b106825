/**
 * A litigation hold: while it is in force no row about the person ends. See docs/operations.md, "A client's rights".
 */

import { HOUR_MS } from '../time.ts';
import type { Ruling } from './person-block.ts';

export type LitigationHold = Ruling & {
  /** Keyed hash of the CPF, which is the same at all partners. */
  personId: string;
  state: 'HELD' | 'FREED';
  /** The ids of the person at each partner that existed at the latest order. */
  clientIds: readonly string[];
  freed?: Ruling;
  /** When the service last looked for new rows. */
  keptAt?: number;
};

/** New rows of these tables end soonest, after 90 days, so a look each quarter of a day comes in time. */
const LOOK_MS = 6 * HOUR_MS;

/** Whether the service must look for new rows of the person. */
export const isLookDue = ({ keptAt = 0 }: Pick<LitigationHold, 'keptAt'>, now: number): boolean =>
  now - keptAt >= LOOK_MS;
