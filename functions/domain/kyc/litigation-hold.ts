/**
 * A litigation hold: while it is in force no row about the person ends. See docs/operations.md, "A client's rights".
 */

import { HOUR_MS } from '../time.ts';
import type { Ruling } from './person-block.ts';

export type LitigationHold = Ruling & {
  /** Keyed hash of the CPF, which is the same at all partners. */
  personId: string;
  state: 'HELD' | 'FREED';
  /** The person's ids at the partners, as the operators' orders of the hold have named them. */
  clientIds: readonly string[];
  freed?: Ruling;
  /** When the service last looked for new rows. */
  keptAt?: number;
};

/**
 * The service looks for a held person's new rows at this interval. Such a row would be deleted after 90
 * days at the earliest, so the look comes in time.
 */
const LOOK_MS = 6 * HOUR_MS;

/** Whether the service must look for new rows of the person. */
export const isLookDue = ({ keptAt = 0 }: Pick<LitigationHold, 'keptAt'>, now: number): boolean =>
  now - keptAt >= LOOK_MS;
