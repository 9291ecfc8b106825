/**
 * Reads that our own data must answer. Each throws an `Error` if it does not. That is our mistake, never a refusal:
 * CONTRIBUTING.md, "Style", rule 9.
 */

/** The value, where our own data hold it. The error names `what`: nothing personal, no key and no token. */
export function getDefined<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** The member at an index within the list. */
export function getAt<Each>(list: ArrayLike<Each>, index: number): Each {
  const found = list[index];
  if (found === undefined) throw new Error(`a list of ${list.length} has no member ${index}`);
  return found;
}

/** The first member of a list that is not empty. */
export function getFirst<Each>(list: ArrayLike<Each>): Each {
  return getAt(list, 0);
}

/** The value of a key that is in the map. */
export function getOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const found = map.get(key);
  if (found === undefined) throw new Error(`a map has no ${String(key)}`);
  return found;
}
