import type { Item, Store } from './store.ts';

/** A store that one request reads through. */
export type RequestStore = Store & {
  /** Begins the next request, which reads every item anew. */
  forget(): void;
};

/**
 * Reads each item once in a request, because several rules of one answer ask for the same settings. A function
 * instance answers one request at a time. After a write, successful or not, every item is read anew: a writer that
 * was too slow must see what the faster one has written.
 */
export function readOnce(store: Store): RequestStore {
  const known = new Map<string, Promise<Item<unknown> | undefined>>();
  const forget = () => known.clear();
  return {
    forget,
    get<T>(key: string) {
      const item = known.get(key) ?? store.get<unknown>(key);
      known.set(key, item);
      return item as Promise<Item<T> | undefined>;
    },
    put: (...put) => store.put(...put).finally(forget),
    putAll: (puts) => store.putAll(puts).finally(forget),
    list: (folder) => store.list(folder),
  };
}
