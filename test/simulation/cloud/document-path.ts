import { invalid, invalidForItem } from './dynamodb-errors.ts';
import type { Operand, Path } from './expression-parser.ts';
import type { Row } from './values.ts';

/** The meaning of each `#name` and `:value` in one request. It also records which of them the expressions used. */
export type Words = {
  name(token: string): string;
  value(token: string): unknown;
  /** DynamoDB refuses a request that defines a name or value that no expression uses. */
  requireAllUsed(): void;
};

export type WordInput = {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Row;
};

export function wordsOf({ ExpressionAttributeNames, ExpressionAttributeValues }: WordInput): Words {
  const used = new Set<string>();
  const given = { ...ExpressionAttributeNames, ...ExpressionAttributeValues };
  const look = (token: string) => {
    used.add(token);
    if (Object.hasOwn(given, token)) return given[token];
    throw invalid(`An expression attribute used in the expression is not defined: ${token}`);
  };
  return {
    name: (token) => (token.startsWith('#') ? String(look(token)) : token),
    value: look,
    requireAllUsed() {
      for (const words of [ExpressionAttributeNames, ExpressionAttributeValues])
        if (words && Object.keys(words).length === 0) throw invalid('ExpressionAttribute… must not be empty');
      const unused = Object.keys(given).filter((token) => !used.has(token));
      if (unused.length > 0) throw invalid(`Value provided in ExpressionAttribute… unused: ${unused}`);
    },
  };
}

export function resolve(path: Path, words: Words): Path {
  return path.map((step) => (typeof step === 'string' ? words.name(step) : step));
}

/** The value at a path; undefined when the path leads nowhere. */
export function findAt(document: unknown, path: Path): unknown {
  let found = document;
  for (const step of path) {
    if (!canStep(found, step)) return undefined;
    found = (found as Row)[step];
  }
  return found;
}

function canStep(value: unknown, step: string | number): boolean {
  if (typeof step === 'number') return Array.isArray(value);
  return isMap(value) && Object.hasOwn(value, step);
}

function isMap(value: unknown): value is Row {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Set) &&
    !(value instanceof Uint8Array)
  );
}

/** Changes `document`. An element beyond the end of a list is appended. */
export function setAt(document: Row, path: Path, value: unknown): void {
  const { parent, step } = parentOf(document, path);
  if (Array.isArray(parent)) {
    if (Number(step) >= parent.length) parent.push(value);
    else parent[Number(step)] = value;
  } else parent[step] = value;
}

/**
 * Removes the value at a path from `document`, if there is one. A list keeps a hole, and `closeHoles` closes it after
 * all removals.
 */
export function removeAt(document: Row, path: Path): void {
  if (findAt(document, path) === undefined) return;
  const { parent, step } = parentOf(document, path);
  if (Array.isArray(parent)) parent[Number(step)] = undefined;
  else delete parent[step];
}

/**
 * The indexes of an expression count the elements before the update. The remaining elements therefore move up only
 * afterwards.
 */
export function closeHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(closeHoles);
  if (isMap(value)) for (const name of Object.keys(value)) value[name] = closeHoles(value[name]);
  return value;
}

function parentOf(document: Row, path: Path): { parent: Row | unknown[]; step: string } {
  const parent = findAt(document, path.slice(0, -1));
  const step = path.at(-1)!;
  if (typeof step === 'number' ? !Array.isArray(parent) : !isMap(parent))
    throw invalidForItem('The document path provided in the update expression is invalid for update');
  return { parent: parent as Row, step: step as string };
}

/** The paths that an operand names. */
export function pathsOf(operand: Operand): Path[] {
  if (operand.kind === 'path') return [operand.path];
  return operand.kind === 'call' ? operand.of.flatMap(pathsOf) : [];
}
