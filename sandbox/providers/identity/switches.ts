import type { MiddlewareHandler } from 'hono';
import { switchesAt } from '../switches.ts';
import { takeTrigger } from '../triggers.ts';
import type { World } from '../world.ts';
import { personOf } from './applicants.ts';
import { problemResponse } from './problem.ts';

export const WEBHOOK_MODES = ['normal', 'drop', 'duplicate', 'reorder'] as const;

/** Faults of this simulated provider. The sandbox's tools can turn them on. */
export type Switches = {
  /** How many of the next API calls answer 503. The page on which the person is checked still works. */
  outageCalls: number;
  /**
   * How the webhooks of reviews that end from now on are sent: once, not at all, or twice. With `reorder`
   * they wait until the next tick, which sends the newest first.
   */
  webhooks: (typeof WEBHOOK_MODES)[number];
};

const switches = switchesAt<Switches>('identity/switches', { outageCalls: 0, webhooks: 'normal' });

export const { read: readSwitches, set: setSwitches } = switches;

const down = () => problemResponse(503, 'Service Unavailable');

export const outage = (world: World) => switches.outage(world, down);

/** Answers 503 to a call about a person for whom a partner has requested an outage. */
export function outageOfPerson(world: World): MiddlewareHandler {
  return async (c, next) => {
    if (await takeTrigger('IDENTITY_OUTAGE', await personOf(c, world), world)) return down();
    await next();
  };
}
