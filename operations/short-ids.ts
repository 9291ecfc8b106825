import { refuseOrder } from './words.ts';

/** The fewest characters of an id that are looked up. A shorter text could match another id by chance. */
const LEAST_CHARACTERS = 4;

/**
 * Finds the only element whose id begins with the text. Undefined if no id does, and for a text of fewer than
 * four characters. If several ids do, refuses and names them, so that the operator can choose.
 */
export function onlyOne<Each extends { id: string }>(text: string, all: readonly Each[]): Each | undefined {
  if (text.length < LEAST_CHARACTERS) return undefined;
  const found = all.filter(({ id }) => id.toLowerCase().startsWith(text.toLowerCase()));
  if (found.length > 1)
    refuseOrder(`${found.length} begin with ${text}: ${found.map(({ id }) => id).join(', ')}`);
  return found[0];
}
