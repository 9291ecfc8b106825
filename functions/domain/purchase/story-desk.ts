/**
 * The story of a purchase for operators. It adds to the partners' story: the checks of client, wallet and
 * payment, and the cause of a delay. It is only in English. Besides wallets, amounts and end-to-end ids it
 * has no personal data.
 */
import type { Instant } from '../time.ts';
import { type Story, storyOf } from './story.ts';
import { causeOf } from './story-causes.ts';
import type { Cause, DeskFacts, DeskHappening } from './story-facts.ts';
import { type StoryPart, storyParts } from './story-parts.ts';
import { recordsOf } from './story-records.ts';

export type DeskStory = {
  state: { status: string; standing: Story['standing']['what']; since: number; text: string };
  cause: Cause;
  happened: DeskHappening[];
  parts: StoryPart[];
};

export function deskStoryOf(facts: DeskFacts, at: Instant): DeskStory {
  const story = storyOf(facts, at);
  const { what: standing, since } = story.standing;
  const told = story.happened.map((each) => ({ what: each.what, at: each.at, text: each.words.en }));
  return {
    state: { status: facts.transaction.status, standing, since, text: deskText(facts, story) },
    cause: causeOf(facts, story),
    happened: [...told, ...recordsOf(facts)].sort((one, other) => one.at - other.at),
    parts: storyParts(facts),
  };
}

/**
 * Says where the purchase stands, in the partners' words. If the transfer has not begun, it says that
 * instead.
 */
function deskText({ transaction, transfer }: DeskFacts, { standing: { what, words } }: Story): string {
  if (transfer || (what !== 'SENDING' && what !== 'SENDING_SLOWLY')) return words.en;
  return `The payment was received. The transfer of ${transaction.asset} has not begun.`;
}
