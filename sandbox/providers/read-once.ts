import type { Item, Store } from './store.ts';

/** A store that one request reads through. */
export type RequestStore = Store & {
  /** Begins the next request, which reads every item anew. */
  forget(): void;
};

type Found = Promise<Item<unknown> | undefined>;
type Wanted = { key: string; found: PromiseWithResolvers<Item<unknown> | undefined> };

/**
 * Reads each item once in a request, because several rules of one answer ask for the same settings. Items that are
 * asked for at the same time are read by one call. A function instance answers one request at a time. After a write,
 * successful or not, every item is read anew: a writer that was too slow must see what the faster one has written.
 */
export function readOnce(store: Store): RequestStore {
  const known = new Map<string, Found>();
  let wanted: Wanted[] = [];
  const forget = () => known.clear();

  function readLater(key: string): Found {
    const found = Promise.withResolvers<Item<unknown> | undefined>();
    if (wanted.push({ key, found }) === 1) queueMicrotask(readWanted);
    return found.promise;
  }

  async function readWanted(): Promise<void> {
    const batch = wanted;
    wanted = [];
    try {
      const items = await readAll(batch.map(({ key }) => key));
      for (const [index, { found }] of batch.entries()) found.resolve(items[index]);
    } catch (error) {
      for (const { found } of batch) found.reject(error);
    }
  }

  async function readAll(keys: readonly string[]): Promise<(Item<unknown> | undefined)[]> {
    const [only] = keys;
    return keys.length === 1 && only !== undefined ? [await store.get(only)] : store.getAll(keys);
  }

  function get(key: string): Found {
    const found = known.get(key) ?? readLater(key);
    known.set(key, found);
    return found;
  }

  return {
    forget,
    get: <T>(key: string) => get(key) as Promise<Item<T> | undefined>,
    getAll: (keys) => Promise.all(keys.map(get)),
    put: (...put) => store.put(...put).finally(forget),
    putAll: (puts) => store.putAll(puts).finally(forget),
    list: (folder) => store.list(folder),
  };
}
