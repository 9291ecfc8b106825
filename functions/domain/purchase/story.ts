/**
 * Tells the story of a purchase from its rows: its events, where it stands and since when, and what comes next.
 * Partners see a part of it: docs/decisions.md, "Facts that partners learn".
 */
import type { Instant } from '../time.ts';
import type { Words } from '../wording.ts';
import { type Happening, happeningsOf, type StoryFacts } from './story-happenings.ts';
import {
  nextByOf,
  type PurchaseStanding,
  purchaseStanding,
  STANDING_WORDS,
  sinceOf,
} from './story-standings.ts';

export type Story = {
  /** The events, the oldest first. */
  happened: Happening[];
  standing: { what: PurchaseStanding; since: number; words: Words };
  /**
   * The next thing that happens. `by` is the deadline of the client, or the earliest instant of a refund's
   * next try.
   */
  next: { by?: number; words: Words };
};

export function storyOf(facts: StoryFacts, at: Instant): Story {
  const { transaction } = facts;
  const what = purchaseStanding(transaction, at);
  const { now, next } = STANDING_WORDS[what](transaction);
  return {
    happened: happeningsOf(facts),
    standing: { what, since: sinceOf(transaction, what), words: now },
    next: { by: nextByOf(transaction, what), words: next },
  };
}
