import { caseMarkStore } from '../../functions/adapters/dynamodb/case-marks.ts';
import { listPublishers } from '../../functions/adapters/lists/publishers.ts';
import type { ListStore } from '../../functions/adapters/lists/s3.ts';
import { listArchive } from '../../functions/adapters/lists/store.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { simulatorLists } from '../../infra/sandbox.ts';
import { providers } from '../../sandbox/providers/app.ts';
import type { Fault } from '../../sandbox/providers/lists/edits.ts';
import { memoryStore } from '../../sandbox/providers/store.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { dice } from './dice.ts';
import { stubClock } from './stub-clock.ts';
import { stubLog } from './stub-log.ts';
import { memoryTables } from './tables.ts';

export type MemoryLists = ListStore & {
  objects: Map<string, { bytes: Uint8Array; revision: string }>;
  /** The names that were written, in order. Refused writes are not in it. */
  written: string[];
  /** Called before each write. It may throw or write something itself. */
  beforeWrite: (name: string) => void | Promise<void>;
};

/** A bucket in memory with conditional writes. */
export function memoryLists(): MemoryLists {
  let revision = 0;
  const store: MemoryLists = {
    objects: new Map(),
    written: [],
    beforeWrite: () => undefined,
    read: async (name) => store.objects.get(name),
    async write(name, bytes, replaces) {
      await store.beforeWrite(name);
      if (store.objects.get(name)?.revision !== replaces) return false;
      revision += 1;
      store.objects.set(name, { bytes, revision: `"${revision}"` });
      store.written.push(name);
      return true;
    },
  };
  return store;
}

/**
 * The ports of RefreshLists in memory, with simulated publishers. It also offers calls that change the publishers'
 * lists.
 */
export function listWorld() {
  const clock = stubClock('2026-11-20T12:00:00Z');
  // The publishers have their own clock, because the portal's files change from day to day.
  const publishersClock = stubClock('2026-11-20T12:00:00Z');
  const app = providers({
    store: memoryStore(),
    now: () => new Date(publishersClock.now()),
    fetch,
    settings: defaultSettings,
  });
  const store = memoryLists();
  const records = new Map<string, Evidence>();
  const tables = memoryTables();
  /** Files that replace those of the simulators, by the publisher's file name. */
  const serve: Record<string, Uint8Array<ArrayBuffer>> = {};
  const control = async (method: string, path: string, body?: object) => {
    const answer = await app.request(`/control/lists${path}`, { method, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  const ports = {
    clock,
    log: stubLog(),
    publishers: listPublishers({
      sources: simulatorLists('http://simulators'),
      fetch: async (input, init) => {
        const served = serve[String(input).split('/').at(-1) ?? ''];
        return served ? new Response(served) : app.request(String(input), init);
      },
      clock,
      timeoutMs: 5_000,
    }),
    listArchive: listArchive(store),
    caseMarks: caseMarkStore(tables.client, tables.names.cases, dice),
    evidence: {
      async record(evidence: Evidence) {
        const key = `${evidence.subject}#${evidence.kind}#${evidence.at}`;
        if (!records.has(key)) records.set(key, structuredClone(evidence));
      },
    },
  };
  return {
    ports,
    tables,
    clock,
    publishersClock,
    store,
    app,
    serve,
    records: () => [...records.values()],
    list: (list: 'OFAC_SDN' | 'UN_SC', id: string, name: string, birthDate = '1970-01-01') =>
      control('PUT', `/people/${list}/${id}`, { name, birthDate }),
    unlist: (list: ListId, id: string) => control('DELETE', `/people/${list}/${id}`),
    break: (faults: Partial<Record<ListId, Fault>>) => control('PUT', '/faults', faults),
  };
}
