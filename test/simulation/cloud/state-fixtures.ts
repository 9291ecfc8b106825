import type { State, StateMachine, Task } from './state-definition.ts';
import { type Host, type Outcome, runExecution } from './states.ts';

export type Answer = unknown | Error;
/** A host whose function gives `answers` one after the other. Only `sleep` moves its time. */
export function hostOf(
  answers: Answer[],
  { tokens = [], jitter = () => 0.5 }: { tokens?: Answer[]; jitter?: () => number } = {},
) {
  const seen: { calls: unknown[]; sleeps: number[]; waits: unknown[]; dropped: string[]; entered: string[] } =
    {
      calls: [],
      sleeps: [],
      waits: [],
      dropped: [],
      entered: [],
    };
  const given = async (from: Answer[]) => {
    const answer = from.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  let made = 0;
  const host: Host = {
    async invoke(fn, payload, timeoutSeconds) {
      seen.calls.push([fn, payload, timeoutSeconds]);
      return given(answers);
    },
    async sleep(ms) {
      seen.sleeps.push(ms / 1000);
    },
    taskToken: () => `token${++made}`,
    awaitToken(token, timeoutMs) {
      seen.waits.push([token, timeoutMs]);
      // The token comes after the function has run, as is usual.
      return new Promise((resolve, reject) => setImmediate(() => given(tokens).then(resolve, reject)));
    },
    dropToken: (token) => void seen.dropped.push(token),
    jitter,
    onEnter: (state) => void seen.entered.push(state),
  };
  return { host, seen };
}

export const placeholder = (name: string) => `\${${name}}`;
export const named = (name: string, message = 'of the test') => Object.assign(new Error(message), { name });
export const times = (count: number, name: string) => Array.from({ length: count }, () => named(name));

/** A state machine with one task `Work` that ends the execution. */
export function machineOf(task: Partial<Task>, more: Record<string, State> = {}): StateMachine {
  const Work = {
    Type: 'Task',
    Resource: placeholder('Work'),
    TimeoutSeconds: 45,
    End: true,
    ...task,
  } as State;
  return { StartAt: 'Work', States: { Work, ...more } };
}
export const done: State = { Type: 'Succeed' };
export const run = (machine: StateMachine, host: Host, input: unknown = { id: 1 }): Promise<Outcome> =>
  runExecution(machine, input, host);
