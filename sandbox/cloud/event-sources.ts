import type { EventWork, Start } from './event-work.ts';
import { mapping } from './mappings.ts';
import { pipe } from './pipes.ts';
import { rule, schedule } from './schedules.ts';
import { type Fields, sleep } from './wire.ts';

/**
 * Everything that starts work without a request: event source mappings for queues and streams, pipes, and
 * schedules.
 */
type EventSources = { stop(): Promise<void> };

export function startEventSources(parts: Omit<EventWork, 'signal'>): EventSources {
  const stopping = new AbortController();
  const work = { ...parts, signal: stopping.signal };
  const { template } = parts;
  const all = (type: string, begin: (properties: Fields, logicalId: string) => Start) =>
    template.ofType(type).map(({ logicalId }) => begin(template.properties(logicalId), logicalId));
  // All mappings, pipes, rules and schedules are checked before the first one starts. A template that AWS
  // would refuse thus starts nothing.
  const checked = [
    ...all('AWS::Lambda::EventSourceMapping', (properties) => mapping(work, properties)),
    ...all('AWS::Pipes::Pipe', (properties, logicalId) => pipe(work, logicalId, properties)),
    ...all('AWS::Events::Rule', (properties, logicalId) => rule(work, logicalId, properties)),
    ...all('AWS::Scheduler::Schedule', (properties) => schedule(work, properties)),
  ];
  const begun = checked.map((start) => start());
  return {
    async stop() {
      stopping.abort();
      // Waits at most 50 ms for open long polls, which take up to a second. They fail when the queues stop,
      // which happens after this.
      await Promise.race([Promise.allSettled(begun), sleep(50)]);
    },
  };
}
