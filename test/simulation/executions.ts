import { readFileSync } from 'node:fs';
import { readDefinition } from './cloud/state-definition.ts';
import { type Host, runExecution } from './cloud/states.ts';
import type { openMachine } from './cloud-services.ts';
import { chance } from './dice.ts';
import type { Faults } from './faults.ts';
import { STEPS } from './functions.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Ended } from './tasks.ts';

const definition = readDefinition(
  readFileSync(new URL('../../statemachines/onramp.asl.json', import.meta.url), 'utf8'),
);

/** Ends an execution without a trace, as an operator's stop or a limit of the service would. */
class LostExecution extends Error {}

/** The share of executions that are lost when they enter a state or wake up. */
const LOST_SHARE = 0.02;
/** The added latency of each effect of a function that Step Functions gives up as slow and repeats. */
const SLOW_MS = 1500;

type Options = {
  kernel: Kernel;
  seed: string;
  faults: Faults;
  scopeOf: (transactionId: string) => string;
  call<Output>(
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<Output>,
    slowMs?: number,
  ): Promise<Ended<Output>>;
  machine: () => ReturnType<typeof openMachine>;
  onStep: (name: string, scope: string) => void;
  /** The probability that a step runs twice. */
  twinShare: (name: string, scope: string) => number;
};

/** Runs the real definition. Its steps are functions that may be late, be killed or start twice. */
export function openExecutions({ kernel, seed, faults, scopeOf, call, machine, onStep, twinShare }: Options) {
  const counts = { lost: 0, twins: 0, timedOut: 0 };
  const visits = new Map<string, number>();
  let tokens = 0;

  return { counts, begin };

  async function begin(name: string, input: object): Promise<string> {
    const { transactionId } = input as { transactionId: string };
    const scope = scopeOf(transactionId);
    let passed = 0;
    let drawn = 0;
    const happens = (share: number, ...words: string[]) =>
      !faults.isQuiet(kernel.now()) && faults.happens(share, scope, name.length, ...words);
    const loseSometimes = (when: string) => {
      if (!happens(LOST_SHARE, 'lost', when, String(passed++))) return;
      counts.lost++;
      throw new LostExecution();
    };
    const host: Host = {
      invoke: (fn, payload, timeoutSeconds) => invoke(fn, { payload, timeoutSeconds, scope, happens, name }),
      async sleep(ms) {
        await kernel.wait(ms);
        loseSometimes('slept');
      },
      taskToken: () => `token-${++tokens}-${scope}`,
      awaitToken: (token, timeoutMs) =>
        kernel.blocked(machine().awaitToken(token, timeoutMs, () => named('States.Timeout'))),
      dropToken: (token) => machine().forget(token),
      jitter: () => chance(seed, scope, name, 'jitter', drawn++),
      onEnter(state) {
        kernel.note(`execution ${name} enters ${state}`);
        loseSometimes('entered');
      },
    };
    try {
      return (await runExecution(definition, input, host)).status;
    } catch (error) {
      if (error instanceof LostExecution) return 'ABORTED';
      throw error;
    }
  }

  type Invocation = {
    payload: unknown;
    timeoutSeconds: number;
    scope: string;
    name: string;
    happens: (share: number, ...words: string[]) => boolean;
  };

  /** Step Functions gives up after the time-out. The function itself may start late and go on after that. */
  function invoke(fn: string, { payload, timeoutSeconds, scope, happens }: Invocation): Promise<unknown> {
    const step = STEPS[fn]!;
    onStep(fn, scope);
    const visit = String(visits.get(scope + fn) ?? 0);
    visits.set(scope + fn, Number(visit) + 1);
    const run = (slowMs?: number) =>
      call(fn, scope, (ports) => step(structuredClone(payload) as never, ports), slowMs);
    let lateMs = happens(0.01, fn, visit, 'late') ? 20_000 + chance(seed, scope, fn, visit) * 30_000 : 20;
    if (happens(twinShare(fn, scope), fn, visit, 'twin')) {
      counts.twins++;
      const apartMs = chance(seed, scope, fn, visit, 'twin late') ** 3 * 20_000;
      // In half of the cases the first run is slow and its repetition gives the answer. In the others the first run
      // gives it.
      const isRepeated = chance(seed, scope, fn, visit, 'twin heard') < 0.5;
      kernel.act(`twin ${fn}`, scope, async () => {
        await kernel.wait(isRepeated ? 20 : apartMs);
        await run(isRepeated ? SLOW_MS : undefined);
      });
      if (isRepeated) lateMs = 20 + apartMs;
    }
    return kernel.blocked(
      new Promise((resolve, reject) => {
        const timer = kernel.plan(timeoutSeconds * 1000, () => {
          counts.timedOut++;
          kernel.note(`${fn} of ${scope} timed out in the state machine`);
          reject(named('States.Timeout'));
        });
        kernel.act(`start ${fn}`, scope, async () => {
          await kernel.wait(lateMs);
          const ended = await run();
          timer.isCancelled = true;
          if (ended.end === 'DONE') resolve(ended.output);
          else if (ended.end === 'FAILED') reject(ended.error);
          else reject(named(ended.end === 'KILLED' ? 'Runtime.ExitError' : 'Sandbox.Timedout'));
        });
      }),
    );
  }
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}
