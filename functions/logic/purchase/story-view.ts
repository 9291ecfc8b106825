import { storyOf } from '../../domain/purchase/story.ts';
import { HAPPENINGS, type StoryFacts } from '../../domain/purchase/story-happenings.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';

/**
 * The part of a purchase's story (`storyOf`) that the partner sees. It has only the fields named here and the
 * events that are marked `isForPartner` in `HAPPENINGS`.
 */
export function storyView(facts: StoryFacts, at: Instant) {
  const { happened, standing, next } = storyOf(facts, at);
  const told = happened.filter(({ what }) => HAPPENINGS[what].isForPartner);
  return {
    happened: told.map(({ what, at: instant, words: text }) => ({ what, at: isoInstant(instant), text })),
    standing: { what: standing.what, since: isoInstant(standing.since), text: standing.words },
    next: { ...(next.by !== undefined && { by: isoInstant(next.by) }), text: next.words },
  };
}
