import { switchesAt } from '../switches.ts';
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

const switches = switchesAt<Switches>('identity/switches', { outageCalls: 0, webhooks: 'normal' });

export const { read: readSwitches, set: setSwitches } = switches;

export const outage = (world: World) =>
  switches.outage(world, () => problemResponse(503, 'Service Unavailable'));
