/** The facts of the operators' view of a story: the rows, and where the state machine stands. */
import type { KycRecord } from '../kyc/kyc.ts';
import type { Delivery } from '../partners/deliveries.ts';
import type { EventType } from '../partners/events.ts';
import type { Evidence } from './evidence.ts';
import type { StoryFacts } from './story-happenings.ts';
import type { Obstacle, Remedy } from './story-obstacles.ts';

/** The settlement, as far as the story tells it. */
export type Transfer = {
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

/** An event about the purchase on its way to one endpoint. */
export type Webhook = { type: EventType; delivery: Delivery };

/** A case of money or of a review. */
export type PersonCase = Remedy & { id: string; openedAt: number; isOpen: boolean };

/** The execution that drives the purchase. `LOST`: it is gone, or it stopped before the purchase was over. */
export type Visit = {
  name: string;
  status: 'RUNNING' | 'ENDED' | 'LOST';
  step?: string;
  enteredAt?: number;
  obstacle?: Obstacle;
  /** The description of the wait of settlement that is the obstacle. */
  wait?: Remedy;
};

export type DeskFacts = StoryFacts & {
  record?: KycRecord;
  evidence: readonly Evidence[];
  transfer?: Transfer;
  webhooks: readonly Webhook[];
  cases: readonly PersonCase[];
  visit?: Visit;
};

/** Why it stands where it stands, since when, when the service acts next, and what a person can do. */
export type Cause = { why: string; since?: number; times?: number; nextAt?: number; todo: string };

export type DeskHappening = { what: string; at: number; text: string };
