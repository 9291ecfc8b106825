import type { Act, ActEvent } from './act.ts';

/** The audit of what operators do. Events are only ever added. */
export type Acts = {
  /** False: the act has another event at this place already. */
  add(event: ActEvent): Promise<boolean>;
  findAct(id: string): Promise<Act | undefined>;
  /** The events from `since` to before `until`, the oldest first. An event of the last second may be missing. */
  listBetween(since: number, until: number): Promise<ActEvent[]>;
  listOfSubject(subject: string): Promise<ActEvent[]>;
};
