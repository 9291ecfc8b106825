import { randomBytes } from 'node:crypto';
import type { Random } from '../../functions/domain/ports.ts';

/** Real dice, for stores that wait a random while. */
export const dice: Random = { bytes: (length) => randomBytes(length) };
