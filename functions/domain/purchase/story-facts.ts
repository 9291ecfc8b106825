/**
 * The facts from which the operators' story of a purchase is told: rows of tables, and the state machine's position.
 */
import type { KycRecord } from '../kyc/kyc.ts';
import type { Delivery } from '../partners/deliveries.ts';
import type { EventType } from '../partners/events.ts';
import type { Evidence } from './evidence.ts';
import type { StoryFacts } from './story-happenings.ts';
import type { Obstacle, Remedy } from './story-obstacles.ts';
import type { Outage } from './story-outages.ts';

/** The facts of a settlement (`treasury/settlement.ts`) that the story shows. */
export type StoryTransfer = {
  state: string;
  wallet?: string;
  nonce?: number;
  tries: readonly string[];
  attempts?: readonly { kind: string; hash: string; at: number }[];
  cancel?: { reason: string; at: number };
  confirmedAt?: number;
  blockNumber?: number;
  txHash?: string;
};

/** An event about the purchase, with its delivery to one endpoint. */
export type StoryWebhook = { type: EventType; delivery: Delivery };

/** A case that a person must decide: a case of money or a review. */
export type PersonCase = Remedy & { id: string; openedAt: number; isOpen: boolean };

/**
 * The execution of the state machine that drives the purchase. `LOST`: it no longer exists, or it stopped before the
 * purchase was over.
 */
export type StepVisit = {
  name: string;
  status: 'RUNNING' | 'ENDED' | 'LOST';
  step?: string;
  enteredAt?: number;
  obstacle?: Obstacle;
  /**
   * If the step waits for a reason in `treasury/doing.ts`: what this wait means, and what an operator can do.
   */
  wait?: Remedy;
};

export type DeskFacts = StoryFacts & {
  record?: KycRecord;
  evidence: readonly Evidence[];
  transfer?: StoryTransfer;
  webhooks: readonly StoryWebhook[];
  cases: readonly PersonCase[];
  visit?: StepVisit;
  /** Past failures of steps, which no longer delay the purchase. */
  outages?: readonly Outage[];
  /** Payments after this instant may be unread. Present only if the purchase waits for one, and this is long ago. */
  pixReadUpTo?: number;
};

/** Why the purchase does not move on, since when, when the service acts next, and what a person can do. */
export type Cause = { why: string; since?: number; times?: number; nextAt?: number; todo: string };

export type DeskHappening = { what: string; at: number; text: string };
