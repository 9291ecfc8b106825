/**
 * Reads of typed arrays at positions within them. Each kind has its own function: one function for all kinds would make
 * a search take almost twice as long. Each throws beyond the end: then the index, or the search, is wrong.
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
  throw new Error(`${length} numbers have none at ${at}`);
}
