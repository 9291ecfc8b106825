/** `npm run simulate -- --seed N --purchases M` (docs/simulation.md). */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { takeOverProcess } from './process.ts';
import { countsReport, failureReport } from './report.ts';
import { shrink } from './shrink.ts';
import { type Outcome, simulateWorld } from './world.ts';

/** The number of purchases that share one chain, one provider and one set of tables. */
const IN_ONE_WORLD = 50;
const WORLDS_BETWEEN_WORDS = 20;
const MS_PER_SECOND = 1000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    purchases: { type: 'string', default: '100' },
    /** These three options replay one world of the seed, or only some of its purchases and faults. */
    world: { type: 'string' },
    only: { type: 'string' },
    faults: { type: 'string' },
  },
});

takeOverProcess();
process.exitCode = await simulate();

async function simulate(): Promise<number> {
  const startedAt = Date.now();
  const seed = whole(values.seed, 'seed');
  const total = whole(values.purchases, 'purchases');
  const worlds = values.world === undefined ? Math.ceil(total / IN_ONE_WORLD) : 1;
  const outcomes: Pick<Outcome, 'counts'>[] = [];
  const digest = createHash('sha256');
  let isBroken = false;
  for (let at = 0; at < worlds && !isBroken; at++) {
    const world = values.world === undefined ? at : whole(values.world, 'world');
    const options = { seed: `${seed}/${world}`, purchases: purchasesOf(world, total), only: faultsOf() };
    const outcome = await simulateWorld(options);
    digest.update(outcome.digest);
    outcomes.push({ counts: outcome.counts });
    isBroken = outcome.violations.length > 0;
    // A long run prints its counts only at the end, so it reports its progress.
    if ((at + 1) % WORLDS_BETWEEN_WORDS === 0) console.error(`${at + 1} of ${worlds} worlds`);
    if (isBroken) console.log(failureReport(seed, world, await shrink(options, outcome)));
  }
  const seconds = Math.round((Date.now() - startedAt) / MS_PER_SECOND);
  console.log(`\nseed ${seed}, ${worlds} worlds, ${isBroken ? 'BROKEN' : 'every invariant held'}`);
  console.log(`digest ${digest.digest('hex')}\n${countsReport(outcomes)}\nreal seconds ${seconds}`);
  return isBroken ? 1 : 0;
}

function purchasesOf(world: number, total: number): number[] {
  if (values.only !== undefined) return values.only.split(',').map(Number);
  const count =
    values.world === undefined ? Math.min(IN_ONE_WORLD, total - world * IN_ONE_WORLD) : IN_ONE_WORLD;
  return Array.from({ length: count }, (_, index) => index);
}

function faultsOf(): ReadonlySet<string> | undefined {
  if (values.faults === undefined) return undefined;
  return new Set(values.faults === 'none' ? [] : values.faults.split(','));
}

function whole(text: string, name: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}
