import type { Act, ActEvent } from './act.ts';

/** The audit of what operators do. Events are only ever added. */
export type Acts = {
  /** Adds an event. False if the act already has an event at this place. */
  add(event: ActEvent): Promise<boolean>;
  findAct(id: string): Promise<Act | undefined>;
  /**
   * Lists the events from `since` to before `until`. The index may lag, so an event of the last second may be
   * missing.
   */
  listBetween(since: number, until: number): Promise<ActEvent[]>;
  listOfSubject(subject: string): Promise<ActEvent[]>;
};
