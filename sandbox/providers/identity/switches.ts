import { switchesAt } from '../switches.ts';
import type { World } from '../world.ts';
import { problemResponse } from './problem.ts';

export const WEBHOOK_MODES = ['normal', 'drop', 'duplicate', 'reorder'] as const;

/** Faults of this provider that the sandbox's tools can turn on. */
export type Switches = {
  /** The number of API calls that answer 503. The hosted page keeps working. */
  outageCalls: number;
  /**
   * Webhooks of later reviews: sent as usual, never sent, sent twice, or kept until the tick, which sends the newest
   * first.
   */
  webhooks: (typeof WEBHOOK_MODES)[number];
};

const switches = switchesAt<Switches>('identity/switches', { outageCalls: 0, webhooks: 'normal' });

export const { read: readSwitches, set: setSwitches } = switches;

export const outage = (world: World) =>
  switches.outage(world, () => problemResponse(503, 'Service Unavailable'));
