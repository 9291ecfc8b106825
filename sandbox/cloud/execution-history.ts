import type { Fields } from './wire.ts';

/** An event in the form of GetExecutionHistory. Times are epoch seconds, as in AWS's JSON. */
export type HistoryEvent = Fields & { id: number; previousEventId: number; timestamp: number; type: string };

export type History = {
  events: HistoryEvent[];
  add(type: string, details?: Fields): void;
  /**
   * Adds the engine's event to the history under the name that AWS gives it. `task-run.ts` adds the events of
   * tasks.
   */
  translate(event: EngineEvent): void;
};

export type EngineEvent = {
  type: string;
  input?: unknown;
  output?: unknown;
  Error?: string;
  Cause?: unknown;
  index?: number;
  state?: { name: string; type: string; input: unknown; output?: unknown };
  parentState?: { name: string; type: string };
};

export function openHistory(roleArn: string): History {
  const events: HistoryEvent[] = [];

  function add(type: string, details?: Fields): void {
    const id = events.length + 1;
    // AWS numbers events from 1. The second event also has `previousEventId` 0, like the first.
    const previousEventId = id <= 2 ? 0 : id - 1;
    const own = details ? { [detailsKey(type)]: details } : {};
    events.push({ timestamp: Date.now() / 1000, type, id, previousEventId, ...own });
  }

  function entered({ name, type, input }: NonNullable<EngineEvent['state']>): void {
    add(`${type}StateEntered`, { name, ...data('input', input) });
    if (type === 'Parallel') add('ParallelStateStarted');
    if (type === 'Map') add('MapStateStarted', { length: Array.isArray(input) ? input.length : 0 });
  }

  function exited({ name, type, output }: NonNullable<EngineEvent['state']>): void {
    if (type === 'Parallel') add('ParallelStateSucceeded');
    if (type === 'Map') add('MapStateSucceeded');
    add(`${type}StateExited`, { name, ...data('output', output) });
  }

  function translate(event: EngineEvent): void {
    const { type, state, parentState, index } = event;
    if (type === 'ExecutionStarted') add(type, { ...data('input', event.input), roleArn });
    if (type === 'StateEntered' && state) entered(state);
    if (type === 'StateExited' && state) exited(state);
    if (type.startsWith('MapIteration')) add(type, { name: parentState?.name, index });
    if (type === 'ExecutionSucceeded') add(type, data('output', event.output));
    if (type === 'ExecutionFailed') add(type, failure(event));
    if (type === 'ExecutionTimeout') add('ExecutionTimedOut', {});
  }

  return { events, add, translate };
}

/**
 * The error and its cause, as history events hold them. After a time-out the engine gives the error's name as
 * the cause. AWS gives no cause then, and so this code leaves it out.
 */
export function failure({ Error: error, Cause }: EngineEvent): Fields {
  if (Cause === undefined || Cause === error) return { error };
  return { error, cause: typeof Cause === 'string' ? Cause : JSON.stringify(Cause) };
}

export function data(kind: 'input' | 'output', value: unknown): Fields {
  return { [kind]: JSON.stringify(value ?? null), [`${kind}Details`]: { truncated: false } };
}

function detailsKey(type: string): string {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}EventDetails`;
}

/** One page of the list. `nextToken` holds the index of the next page's first item. */
export function page<T>(all: T[], { maxResults, nextToken }: { maxResults?: number; nextToken?: string }) {
  const from = nextToken ? Number(Buffer.from(nextToken, 'base64url').toString()) : 0;
  const to = from + Math.min(maxResults || 100, 1000);
  const more = to < all.length ? { nextToken: Buffer.from(String(to)).toString('base64url') } : {};
  return { items: all.slice(from, to), ...more };
}

export function withoutData(event: HistoryEvent): HistoryEvent {
  const hidden = new Set(['input', 'output', 'parameters', 'cause']);
  const strip = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(key)))
      : value;
  return Object.fromEntries(Object.entries(event).map(([key, value]) => [key, strip(value)])) as HistoryEvent;
}
