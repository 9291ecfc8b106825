/**
 * The fate of one call: the process is killed, or the call fails. `when` says whether the call takes effect before
 * that.
 */
export type Fate = { at: number | string; kind: 'killed' | 'failed'; when: 'before' | 'after' };

type Effect<Answer> = () => Promise<Answer>;
type AsyncMethod = (...args: unknown[]) => Promise<unknown>;

/** A promise that never settles. A killed process gives no answer and no error. */
const never = () => new Promise<never>(() => undefined);

/**
 * The border between processes and the outside. Each call has a name and a number, from one on. `run` starts a new
 * process, whose fate strikes once.
 */
export function mortalOutside() {
  let process = startProcess();
  return {
    reach: <Answer>(name: string, effect: Effect<Answer>) => process.reach(name, effect),
    /** Returns the answer of the work, or `KILLED`. */
    run<Answer>(work: Effect<Answer>, fate?: Fate): Promise<Answer | 'KILLED'> {
      process = startProcess(fate);
      return Promise.race([work(), process.death]);
    },
    /** The call at which the fate struck the last process. Undefined when it did not strike. */
    struckAt: () => process.struckAt(),
    /** The same port, whose named methods go through this border. */
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
    // The effect may be refused. The process that dies here never learns that.
    if (fate!.when === 'after') await effect().catch(() => undefined);
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
