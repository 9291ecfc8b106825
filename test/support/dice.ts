import { randomBytes } from 'node:crypto';
import type { Random } from '../../functions/domain/ports.ts';

/** Real random numbers, for stores that wait a random time. */
export const dice: Random = { bytes: (length) => randomBytes(length) };
