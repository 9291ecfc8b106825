/** Returns the same ports, but each call of the named ones fails while `isDead` is true, and has no effect. */
export function mortal<Ports extends object>(
  ports: Ports,
  names: readonly (keyof Ports)[],
  isDead: () => boolean,
): Ports {
  const dying = names.map((name) => [name, mortalPort(ports[name] as object, isDead)] as const);
  return { ...ports, ...Object.fromEntries(dying) };
}

function mortalPort<Port extends object>(port: Port, isDead: () => boolean): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (isDead()) throw new Error('the function died');
        return (value as (...given: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}
