/**
 * Tells a purchase from its rows: the facts, where it stands, since when, and which move comes next. Partners get a
 * part of it: docs/decisions.md, "The story of a purchase".
 */
import type { Instant } from '../time.ts';
import type { Words } from '../wording.ts';
import { type Happening, happeningsOf, type StoryFacts } from './story-happenings.ts';
import { nextByOf, STANDING_WORDS, type Standing, sinceOf, standingOf } from './story-standings.ts';

export type Story = {
  /** The oldest first. */
  happened: Happening[];
  standing: { what: Standing; since: number; words: Words };
  /** `by`: the move comes at this instant at the latest. */
  next: { by?: number; words: Words };
};

export function storyOf(facts: StoryFacts, at: Instant): Story {
  const { transaction } = facts;
  const what = standingOf(transaction, at);
  const { now, next } = STANDING_WORDS[what](transaction);
  return {
    happened: happeningsOf(facts),
    standing: { what, since: sinceOf(transaction, what), words: now },
    next: { by: nextByOf(transaction, what), words: next },
  };
}
