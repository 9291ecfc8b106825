/** What happens at one call to the outside: the process is killed, or the call fails, with or without its effect. */
export type Fate = { at: number | string; kind: 'killed' | 'failed'; when: 'before' | 'after' };

type Effect<Answer> = () => Promise<Answer>;
type AsyncMethod = (...args: unknown[]) => Promise<unknown>;

/** A killed process says nothing any more, not even an error: nothing of it goes on. */
const never = () => new Promise<never>(() => undefined);

/**
 * Where processes meet the outside: each call is numbered from one and named. `run` starts a new process, in which
 * fate strikes once.
 */
export function mortalOutside() {
  let process = startProcess();
  return {
    reach: <Answer>(name: string, effect: Effect<Answer>) => process.reach(name, effect),
    /** The work's answer, or `KILLED`. */
    run<Answer>(work: Effect<Answer>, fate?: Fate): Promise<Answer | 'KILLED'> {
      process = startProcess(fate);
      return Promise.race([work(), process.death]);
    },
    /** Whether the last process met its fate, and where. */
    struckAt: () => process.struckAt(),
    /** The port with these methods reaching for the outside. */
    around<Port extends object>(name: string, port: Port, ...methods: (keyof Port & string)[]): Port {
      const wrap = (method: keyof Port & string) => [
        method,
        (...args: unknown[]) =>
          process.reach(`${name}.${method}`, () => (port[method] as AsyncMethod)(...args)),
      ];
      return { ...port, ...Object.fromEntries(methods.map(wrap)) };
    },
  };
}

function startProcess(fate?: Fate) {
  let calls = 0;
  let isDead = false;
  let struck: string | undefined;
  let die: (death: 'KILLED') => void = () => undefined;
  const death = new Promise<'KILLED'>((resolve) => {
    die = resolve;
  });

  async function strike<Answer>(effect: Effect<Answer>): Promise<Answer> {
    isDead = fate!.kind === 'killed';
    if (fate!.when === 'after') await effect();
    if (!isDead) throw new Error('socket hang up');
    die('KILLED');
    return never();
  }

  async function reach<Answer>(name: string, effect: Effect<Answer>): Promise<Answer> {
    if (isDead) return never();
    calls++;
    if (struck === undefined && (fate?.at === calls || fate?.at === name)) {
      struck = name;
      return strike(effect);
    }
    const answer = await effect();
    return isDead ? never() : answer;
  }

  return { reach, death, struckAt: () => struck };
}
