import type { MiddlewareHandler } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { problemResponse } from './problem.ts';

export const WEBHOOK_MODES = ['normal', 'drop', 'duplicate', 'reorder'] as const;

/** What the sandbox's tooling can turn on to make this provider misbehave as real ones do. */
export type Switches = {
  /** The next calls of the API that answer 503; the hosted page stays up. */
  outageCalls: number;
  /**
   * The webhooks of reviews that end from now on: never sent, sent twice, or kept for the tick, which then sends the
   * newest first.
   */
  webhooks: (typeof WEBHOOK_MODES)[number];
};

const KEY = 'identity/switches';
const off: Switches = { outageCalls: 0, webhooks: 'normal' };

export async function readSwitches(world: World): Promise<Switches> {
  return { ...off, ...(await world.store.get<Partial<Switches>>(KEY))?.value };
}

export async function setSwitches(world: World, wanted: Partial<Switches>): Promise<Switches> {
  const next = await change<Partial<Switches>>(world.store, KEY, (now) => ({ ...now, ...wanted }));
  return { ...off, ...next };
}

/** Answers 503 while an outage lasts; each refused call counts, whoever makes it. */
export function outage(world: World): MiddlewareHandler {
  return async (_, next) => {
    if ((await readSwitches(world)).outageCalls > 0 && (await takeOutageCall(world))) {
      return problemResponse(503, 'Service Unavailable');
    }
    await next();
  };
}

async function takeOutageCall(world: World): Promise<boolean> {
  let taken = false;
  await change<Partial<Switches>>(world.store, KEY, (now) => {
    const left = now?.outageCalls ?? 0;
    taken = left > 0;
    return taken ? { ...now, outageCalls: left - 1 } : undefined;
  });
  return taken;
}
