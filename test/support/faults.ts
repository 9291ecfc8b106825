import type { DirectTreasury } from '../../functions/adapters/chain/visit.ts';

/** Stands for the death of the process. The product never catches it. */
export class Death extends Error {
  constructor(point: string) {
    super(`died ${point}`);
    this.name = 'Death';
  }
}

type Method = (...args: never[]) => Promise<unknown>;
type Around = (label: string, effect: () => Promise<unknown>) => Promise<unknown>;

/** The same ports with `around` at every call. The labels are `book.assign`, `rpc.broadcast` and so on. */
export function wrapped(ports: DirectTreasury, around: Around): DirectTreasury {
  return {
    ...ports,
    book: wrapAll('book', ports.book, around),
    rpc: {
      ...wrapAll('rpc', ports.rpc, around),
      nodes: async () => (await ports.rpc.nodes()).map((node) => wrapAll('rpc', node, around)),
    },
    signers: ports.signers.map((signer) => wrapAll('signer', signer, around)),
  };
}

function wrapAll<Port extends Record<string, unknown>>(name: string, port: Port, around: Around): Port {
  const wrap = ([key, method]: [string, unknown]) => [
    key,
    typeof method === 'function'
      ? (...args: never[]) => around(`${name}.${key}`, () => (method as Method)(...args))
      : method,
  ];
  return Object.fromEntries(Object.entries(port).map(wrap)) as Port;
}

/** Ports that die once, before or after the first effect with this label. */
export function mortal(ports: DirectTreasury, when: 'before' | 'after', label: string): DirectTreasury {
  let isAlive = true;
  return wrapped(ports, async (called, effect) => {
    if (!isAlive || called !== label) return effect();
    isAlive = false;
    if (when === 'after') await effect();
    throw new Death(`${when} ${label}`);
  });
}
