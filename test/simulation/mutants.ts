/** `npm run simulate:mutants` shows that the simulation finds each planted bug (docs/simulation.md). */
import { execFile } from 'node:child_process';
import { parseArgs, promisify, stripVTControlCharacters } from 'node:util';
import type { Prey } from './mutants/hunt.ts';
import type { Edit, Mutant } from './mutants/mutant.ts';
import { inCopy, MUTANTS } from './mutants/tree.ts';
import { keptVerdicts, type Verdict } from './mutants/verdicts.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** The number of worlds in which a mutant must be found. */
    worlds: { type: 'string', default: '20' },
    purchases: { type: 'string', default: '50' },
    /** Tries only the mutants whose name contains one of these parts, separated by commas. */
    only: { type: 'string', default: '' },
    /** Goes on with a hunt of the same code and options that was broken off. */
    resume: { type: 'boolean', default: false },
    /** `--no-shrinks` does not look for the shortest history. */
    shrinks: { type: 'boolean', default: true },
    /** Prints the mutants, and hunts none. */
    list: { type: 'boolean', default: false },
  },
  allowNegative: true,
});

const VITEST = 'node_modules/vitest/vitest.mjs';

const words = values.only.split(',');
const tried = MUTANTS.filter(({ name }) => words.some((word) => name.includes(word)));
if (values.list) list();
else process.exitCode = await run();

function list(): void {
  console.log('| Mutant | Mistake | Caught by |');
  console.log('| ------ | ------- | --------- |');
  for (const { name, says, test } of tried)
    console.log(`| ${name} | ${says} | ${test ? `\`${test}\`` : 'the simulation'} |`);
}

async function run(): Promise<number> {
  const { seed, worlds, purchases, resume } = values;
  const verdicts = keptVerdicts(JSON.stringify({ seed, worlds, purchases }), { resumes: resume });
  const missed: string[] = [];
  let longest = 1;
  console.log('| Mutant | Caught within | Invariants | Shortest history | What is seen |');
  console.log('| ------ | ------------- | ---------- | ---------------- | ------------ |');
  for (const mutant of tried) {
    const verdict = verdicts.find(mutant) ?? (await judge(mutant));
    verdicts.keep(mutant, verdict);
    if (!verdict.isCaught) missed.push(mutant.name);
    longest = Math.max(longest, verdict.worlds);
    console.log(verdict.row);
  }
  const isSound = await holdsWithout(longest);
  const names = missed.length > 0 ? `; missed: ${missed.join(', ')}` : '';
  console.log(`${tried.length - missed.length} of ${tried.length} mutants caught${names}`);
  return missed.length === 0 && isSound ? 0 : 1;
}

/** Whether nothing breaks without a mutant, in the same worlds and tests. */
async function holdsWithout(worlds: number): Promise<boolean> {
  const sound = await huntIn([], worlds);
  const verdict = sound.broken.length === 0 ? 'every invariant held' : `BROKEN: ${sound.says}`;
  console.log(`\nwithout a mutant: ${sound.purchases} purchases, ${verdict}`);
  const tests = new Set(tried.flatMap(({ test }) => test ?? []));
  const failing: string[] = [];
  for (const test of tests) if (await failsIn([], test)) failing.push(test);
  console.log(`without a mutant: ${tests.size} tests, ${failing.join(', ') || 'none fails'}`);
  return sound.broken.length === 0 && failing.length === 0;
}

async function judge({ name, edits, test }: Mutant): Promise<Verdict> {
  if (test === undefined) {
    const prey = await huntIn(edits, Number(values.worlds));
    return { isCaught: prey.broken.length > 0, worlds: prey.worlds, row: row(name, prey) };
  }
  const isCaught = await failsIn(edits, test);
  return { isCaught, worlds: 0, row: `| ${name} | ${isCaught ? '' : 'not '}by \`${test}\` | | | |` };
}

async function huntIn(edits: readonly Edit[], worlds: number): Promise<Prey> {
  return inCopy(edits, async (folder) => {
    const { seed, purchases, shrinks } = values;
    const options = ['--seed', seed, '--worlds', String(worlds), '--purchases', purchases];
    if (!shrinks) options.push('--no-shrinks');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['test/simulation/mutants/hunt.ts', ...options],
      { cwd: folder },
    );
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Prey;
  });
}

/** Whether the test fails in a copy with these edits. */
function failsIn(edits: readonly Edit[], test: string): Promise<boolean> {
  return inCopy(edits, async (folder) => {
    const vitest = [VITEST, 'run', '--project', 'pure', '--maxWorkers', '1', test];
    const ran = await promisify(execFile)(process.execPath, vitest, { cwd: folder }).catch(
      (error: unknown) => error,
    );
    const told = stripVTControlCharacters(String((ran as { stdout?: string }).stdout));
    return /Tests +\d+ failed/.test(told);
  });
}

function row(name: string, { purchases, broken, shortest, says }: Prey): string {
  if (!shortest) return `| ${name} | not within ${purchases} purchases | | | |`;
  const history = `${shortest.purchases} purchases, ${shortest.faults} faults, ${shortest.lines} lines`;
  const seen = says?.replace(/^[0-9A-Z]{26}: /, '').replace(/0x[0-9a-f]{64} /, '');
  return `| ${name} | ${purchases} purchases | ${broken.join(', ')} | ${history} | ${seen} |`;
}
