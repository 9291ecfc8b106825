/**
 * The ports as the Lambda functions get them. The module of a port is imported when a function first needs
 * the port. A cold start therefore loads only the modules of its own function.
 */
import type { Need, Needs, Ports } from '../domain/ports.ts';
import { assemble, load } from './live/assemble.ts';
import { lambda } from './live/environment.ts';
import { MAKERS } from './live/makers.ts';

const parts = assemble(MAKERS, lambda);

/**
 * Returns the ports that a function declares. For `x:read` it also returns the whole port. TypeScript's type
 * and the function's IAM permissions allow only reads.
 */
export async function live<const List extends readonly Need[]>(needs: List): Promise<Needs<List>> {
  const names = [...new Set(needs.map((need) => need.replace(/:read$/, '') as keyof Ports))];
  await load(MAKERS, names);
  return parts.pick(names as (keyof typeof MAKERS)[]) as unknown as Needs<List>;
}
