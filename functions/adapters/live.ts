/**
 * The ports as Lambda has them. A port's module is imported when a function first needs the port, so a cold start loads
 * only the modules of its own function.
 */
import type { Need, Needs, Ports } from '../domain/ports.ts';
import { assemble, load } from './live/assemble.ts';
import { lambda } from './live/environment.ts';
import { MAKERS } from './live/makers.ts';

const parts = assemble(MAKERS, lambda);

/**
 * The ports that a function declares. For a need `x:read` it gets the whole port, but the type and the grant allow only
 * reads.
 */
export async function live<const List extends readonly Need[]>(needs: List): Promise<Needs<List>> {
  const names = [...new Set(needs.map((need) => need.replace(/:read$/, '') as keyof Ports))];
  await load(MAKERS, names);
  return parts.pick(names as (keyof typeof MAKERS)[]) as unknown as Needs<List>;
}
