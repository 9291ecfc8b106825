/**
 * Reads values that must exist in our own data. A missing value is a bug of ours, so these functions throw an
 * `Error` and never a `Refusal`: CONTRIBUTING.md, "Style", rule 9.
 */

/**
 * Returns the value, or throws if it is undefined. `what` is part of the error, so it must contain nothing personal, no
 * key and no token.
 */
export function getDefined<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** Returns the element at this index, or throws. */
export function getAt<Each>(list: ArrayLike<Each>, index: number): Each {
  const found = list[index];
  if (found === undefined) throw new Error(`a list of ${list.length} has no member ${index}`);
  return found;
}

/** Returns the first element, or throws if the list is empty. */
export function getFirst<Each>(list: ArrayLike<Each>): Each {
  return getAt(list, 0);
}

/** Returns the value of the key, or throws if the map does not have the key. */
export function getOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const found = map.get(key);
  if (found === undefined) throw new Error(`a map has no ${String(key)}`);
  return found;
}
