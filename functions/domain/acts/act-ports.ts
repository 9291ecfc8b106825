import type { Act, ActEvent } from './act.ts';

/** The audit log of what operators do. Events are added, and never changed or removed. */
export type Acts = {
  /**
   * Adds an event. False if the act already has an event with the same `place`, the event's number within
   * its act.
   */
  add(event: ActEvent): Promise<boolean>;
  findAct(id: string): Promise<Act | undefined>;
  /**
   * Lists the events from `since` to before `until`. The index may lag, so an event of the last second may be
   * missing.
   */
  listBetween(since: number, until: number): Promise<ActEvent[]>;
  listOfSubject(subject: string): Promise<ActEvent[]>;
};
