/**
 * Simulates worlds until an invariant breaks or all worlds are done. The last line of the output is the result as
 * JSON.
 */
import { parseArgs } from 'node:util';
import { takeOverProcess } from '../process.ts';
import { historyOf } from '../report.ts';
import { shrink } from '../shrink.ts';
import { simulateWorld } from '../world.ts';

/**
 * `broken` holds the numbers of the broken invariants. `lines` is the length of the shortest history that breaks one
 * of them.
 */
export type Prey = {
  worlds: number;
  purchases: number;
  broken: number[];
  says?: string;
  shortest?: { purchases: number; faults: number; lines: number };
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '20' },
    purchases: { type: 'string', default: '50' },
    shrinks: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

takeOverProcess();
console.log(JSON.stringify(await hunt()));

async function hunt(): Promise<Prey> {
  const inOne = Number(values.purchases);
  const purchases = Array.from({ length: inOne }, (_, index) => index);
  for (let world = 0; world < Number(values.worlds); world++) {
    const options = { seed: `${values.seed}/${world}`, purchases, stopsEarly: true };
    const outcome = await simulateWorld(options);
    console.error(`${options.seed}: ${outcome.violations.length} violations`);
    if (outcome.violations.length === 0) continue;
    const shrunk = values.shrinks ? await shrink(options, outcome) : { options, outcome, runs: 0 };
    const [first] = shrunk.outcome.violations;
    return {
      worlds: world + 1,
      purchases: (world + 1) * inOne,
      broken: [...new Set(shrunk.outcome.violations.map(({ invariant }) => invariant))].sort(),
      says: first!.says.split('\n')[0]!,
      shortest: {
        purchases: shrunk.options.purchases.length,
        faults: shrunk.outcome.injected.length,
        lines: historyOf(shrunk).length,
      },
    };
  }
  return { worlds: Number(values.worlds), purchases: Number(values.worlds) * inOne, broken: [] };
}
