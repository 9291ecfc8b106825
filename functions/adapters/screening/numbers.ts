/**
 * Reads elements of typed arrays. Each kind of array has its own function, because one shared function makes
 * a search almost twice as slow. Each function throws for a position beyond the end of the array. That means
 * a faulty index or a faulty search.
 */

export function uint8At(numbers: Uint8Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

export function uint16At(numbers: Uint16Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

export function uint32At(numbers: Uint32Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

export function int32At(numbers: Int32Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

export function float32At(numbers: Float32Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

export function float64At(numbers: Float64Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? beyond(numbers, at) : found;
}

function beyond({ length }: ArrayLike<number>, at: number): never {
  throw new Error(`an array of ${length} numbers has no position ${at}`);
}
