import type { MiddlewareHandler } from 'hono';
import { switchesAt } from '../switches.ts';
import { takeTrigger } from '../triggers.ts';
import type { World } from '../world.ts';
import { personOf } from './applicants.ts';
import { problemResponse } from './problem.ts';

export const WEBHOOK_MODES = ['normal', 'drop', 'duplicate', 'reorder'] as const;

/** Faults of this simulated provider. The sandbox's tools can turn them on. */
export type Switches = {
  /** The number of API calls that answer 503. The hosted page keeps working. */
  outageCalls: number;
  /**
   * The fate of webhooks about reviews that end from now on. They are sent once, never sent, sent twice, or
   * kept until the tick, which sends the newest first.
   */
  webhooks: (typeof WEBHOOK_MODES)[number];
};

const switches = switchesAt<Switches>('identity/switches', { outageCalls: 0, webhooks: 'normal' });

export const { read: readSwitches, set: setSwitches } = switches;

const down = () => problemResponse(503, 'Service Unavailable');

export const outage = (world: World) => switches.outage(world, down);

/** Refuses a call about a person for whom a partner has caused an outage. */
export function outageOfPerson(world: World): MiddlewareHandler {
  return async (c, next) => {
    if (await takeTrigger('IDENTITY_OUTAGE', await personOf(c, world), world)) return down();
    await next();
  };
}
