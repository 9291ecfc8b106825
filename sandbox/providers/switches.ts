import type { MiddlewareHandler } from 'hono';
import { change } from './store.ts';
import type { World } from './world.ts';

/**
 * The faults of a simulated provider that the sandbox's own tools can turn on. `off` are the values without
 * faults.
 */
export function switchesAt<Switches extends { outageCalls: number }>(key: string, off: Switches) {
  async function read(world: World): Promise<Switches> {
    return { ...off, ...(await world.store.get<Partial<Switches>>(key))?.value };
  }

  async function set(world: World, wanted: Partial<Switches>): Promise<Switches> {
    const next = await change<Partial<Switches>>(world.store, key, (now) => ({ ...now, ...wanted }));
    return { ...off, ...next };
  }

  async function takeOutageCall(world: World): Promise<boolean> {
    let taken = false;
    await change<Partial<Switches>>(world.store, key, (now) => {
      const left = now?.outageCalls ?? 0;
      taken = left > 0;
      return now && taken ? { ...now, outageCalls: left - 1 } : undefined;
    });
    return taken;
  }

  /** Refuses all calls while `outageCalls` is above zero. Each refused call lowers it by one. */
  function outage(world: World, refuse: () => Response): MiddlewareHandler {
    return async (_, next) => {
      if ((await read(world)).outageCalls > 0 && (await takeOutageCall(world))) return refuse();
      await next();
    };
  }

  return { read, set, outage };
}
