/**
 * Makes parts from other parts. A part is a port, or something from which ports are made, such as a database
 * client. Lambda, the operators' command and the tests use the same makers. Each of them gives its own clock,
 * database client or fake provider.
 */
import { once } from '../once.ts';

export type Maker<Parts, Part> = {
  /** The parts from which this one is made. */
  uses: readonly (keyof Parts)[];
  /** Imports the module of the part. `make` can then make the part without waiting. */
  load: () => Promise<void>;
  make: (parts: Parts) => Part;
};

/**
 * @returns a function that describes how one of `Parts` is made: from which parts (`uses`), and by which
 * module (`load`)
 */
export function makerOf<Parts>() {
  return <const Used extends keyof Parts, Part>(
    uses: readonly Used[],
    load: () => Promise<(parts: Pick<Parts, Used>) => Part>,
  ): Maker<Parts, Part> => {
    let loaded: ((parts: Pick<Parts, Used>) => Part) | undefined;
    return {
      uses,
      load: once(async () => {
        loaded = await load();
      }),
      make(parts) {
        if (!loaded) throw new Error(`a part of ${uses.join(', ')} is made before it was loaded`);
        return loaded(parts);
      },
    };
  };
}

type Makers<Parts> = { readonly [Name in string]?: Maker<Parts, unknown> };
type PartOf<M> = M extends { make: (parts: never) => infer Part } ? Part : never;
/** Parts by their names, each of the type that its maker makes. */
export type Made<M, Name extends keyof M> = { [Each in Name]: PartOf<M[Each]> };

/**
 * Imports the modules of these parts, and of all parts from which they are made. A part without a maker is
 * skipped: it must be in `given` of `assemble`.
 */
export async function load(
  makers: { readonly [Name in string]?: Pick<Maker<never, unknown>, 'uses' | 'load'> },
  names: readonly PropertyKey[],
): Promise<void> {
  const needed = names.map((name) => makers[name as string]).filter((maker) => maker !== undefined);
  await Promise.all(needed.flatMap((maker) => [maker.load(), load(makers, maker.uses)]));
}

/**
 * Returns the parts by name. Each part is made once, when it is first needed. A part in `given` is used as it
 * is. A test can replace a provider in this way.
 */
export function assemble<Parts, M extends object>(makers: M & Makers<Parts>, given: Partial<Parts>) {
  const made = new Map<PropertyKey, unknown>();

  function requireMaker(name: PropertyKey): Maker<Parts, unknown> {
    const maker = makers[name as string];
    if (!maker) throw new Error(`there is no maker of the part ${String(name)}`);
    return maker;
  }

  function partOf(name: PropertyKey): unknown {
    if (name in given) return given[name as keyof Parts];
    if (!made.has(name)) {
      const maker = requireMaker(name);
      made.set(name, maker.make(partsOf(maker.uses) as Parts));
    }
    return made.get(name);
  }

  const partsOf = (names: readonly PropertyKey[]) =>
    Object.fromEntries(names.map((name) => [name, partOf(name)]));

  return {
    /** Returns one part. Its module must be loaded. */
    get: <Name extends keyof M>(name: Name) => partOf(name) as PartOf<M[Name]>,
    /** Returns several parts. `load` must have imported their modules before. */
    pick: <Name extends keyof M>(names: readonly Name[]) => partsOf(names) as Made<M, Name>,
  };
}
