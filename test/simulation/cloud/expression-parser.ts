import { invalid } from './dynamodb-errors.ts';

/** A path of a document. Its `#name`s are not resolved yet. */
export type Path = readonly (string | number)[];
export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; name: string }
  | { kind: 'call'; name: string; of: readonly Operand[] };
export type Condition =
  | { kind: 'and'; left: Condition; right: Condition }
  | { kind: 'or'; left: Condition; right: Condition }
  | { kind: 'not'; of: Condition }
  | { kind: 'compare'; operator: string; left: Operand; right: Operand }
  | { kind: 'between'; of: Operand; low: Operand; high: Operand }
  | { kind: 'in'; of: Operand; among: readonly Operand[] }
  | { kind: 'test'; name: string; of: readonly Operand[] };
export type Sum = { left: Operand; more?: { sign: 1 | -1; right: Operand } };
export type Update = {
  set: { path: Path; sum: Sum }[];
  remove: Path[];
  add: { path: Path; value: Operand }[];
  delete: { path: Path; value: Operand }[];
};

const TOKEN = /\s*([A-Za-z_]\w*|#\w+|:\w+|\d+|<>|<=|>=|[<>=()[\],.+-])/y;
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='];
/** The functions that are conditions, and the number of operands of each. */
const TESTS = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};
const SUM_CALLS = { if_not_exists: 2, list_append: 2 };
const SIZE = { size: 1 };

/** The parts of DynamoDB's grammar that both kinds of expressions share. */
class Reader {
  /** The position at which the last group in parentheses ended. */
  groupEnd = 0;
  #tokens: string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw syntax('unexpected end');
    return token;
  }

  /** Keywords may be in upper or lower case. No name or value looks like a keyword. */
  takes(word: string): boolean {
    if (this.next?.toUpperCase() !== word) return false;
    this.#at++;
    return true;
  }

  require(word: string): void {
    if (!this.takes(word)) throw syntax(`${word} expected, not ${this.next ?? 'the end'}`);
  }

  operand(calls: Record<string, number>): Operand {
    const token = this.take();
    if (token.startsWith(':')) return { kind: 'value', name: token };
    if (this.next === '(') return { kind: 'call', name: token, of: this.args(token, calls) };
    return { kind: 'path', path: this.path(token) };
  }

  args(name: string, calls: Record<string, number>): Operand[] {
    if (!Object.hasOwn(calls, name)) throw syntax(`Invalid function name; function: ${name}`);
    this.require('(');
    const args = this.list(() => this.operand(calls));
    this.require(')');
    if (args.length !== calls[name]) throw syntax(`Incorrect number of operands; function: ${name}`);
    const needsPath =
      name !== 'size' && name !== 'list_append' && name !== 'contains' && name !== 'begins_with';
    if (needsPath && args[0]?.kind !== 'path') throw syntax(`${name} requires a document path`);
    return args;
  }

  path(first = this.take()): Path {
    const path: (string | number)[] = [nameOf(first)];
    for (;;) {
      if (this.takes('.')) path.push(nameOf(this.take()));
      else if (this.takes('[')) {
        path.push(Number(this.take()));
        this.require(']');
      } else return path;
    }
  }

  list<Each>(read: () => Each): Each[] {
    const found = [read()];
    while (this.takes(',')) found.push(read());
    return found;
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const body = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(body) ?? [];
    if (token === undefined) throw syntax(`token: "${body.slice(at, at + 10)}"`);
    tokens.push(token);
  }
  return tokens;
}

function nameOf(token: string): string {
  if (!/^[#A-Za-z_]/.test(token)) throw syntax(`token: "${token}"`);
  return token;
}

function syntax(message: string) {
  return invalid(`Invalid expression: ${message}`);
}

export const parseCondition = remembered((text: string): Condition => {
  const reader = new Reader(text);
  const condition = disjunction(reader);
  if (!reader.isAtEnd) throw syntax(`token: "${reader.next}"`);
  return condition;
});

function disjunction(reader: Reader): Condition {
  let left = conjunction(reader);
  while (reader.takes('OR')) left = { kind: 'or', left, right: conjunction(reader) };
  return left;
}

function conjunction(reader: Reader): Condition {
  let left = negation(reader);
  while (reader.takes('AND')) left = { kind: 'and', left, right: negation(reader) };
  return left;
}

function negation(reader: Reader): Condition {
  if (reader.takes('NOT')) return { kind: 'not', of: negation(reader) };
  return reader.takes('(') ? group(reader) : predicate(reader);
}

function group(reader: Reader): Condition {
  const isOfGroup = reader.next === '(';
  const inner = disjunction(reader);
  if (isOfGroup && reader.groupEnd === reader.at) throw syntax('The expression has redundant parentheses');
  reader.require(')');
  reader.groupEnd = reader.at;
  return inner;
}

function predicate(reader: Reader): Condition {
  if (reader.next !== undefined && Object.hasOwn(TESTS, reader.next)) {
    const name = reader.take();
    return { kind: 'test', name, of: reader.args(name, { ...TESTS, ...SIZE }) };
  }
  const of = reader.operand(SIZE);
  if (reader.takes('BETWEEN')) {
    const low = reader.operand(SIZE);
    reader.require('AND');
    return { kind: 'between', of, low, high: reader.operand(SIZE) };
  }
  if (reader.takes('IN')) {
    reader.require('(');
    const among = reader.list(() => reader.operand(SIZE));
    reader.require(')');
    return { kind: 'in', of, among };
  }
  const operator = reader.take();
  if (!COMPARISONS.includes(operator)) throw syntax(`token: "${operator}"`);
  return { kind: 'compare', operator, left: of, right: reader.operand(SIZE) };
}

export const parseUpdate = remembered((text: string): Update => {
  const reader = new Reader(text);
  const update: Update = { set: [], remove: [], add: [], delete: [] };
  const seen = new Set<string>();
  do {
    const section = reader.take().toUpperCase();
    if (seen.has(section)) throw syntax(`The "${section}" section can only be used once`);
    seen.add(section);
    if (section === 'SET') update.set = reader.list(() => assignment(reader));
    else if (section === 'REMOVE') update.remove = reader.list(() => reader.path());
    else if (section === 'ADD') update.add = reader.list(() => change(reader));
    else if (section === 'DELETE') update.delete = reader.list(() => change(reader));
    else throw syntax(`token: "${section}"`);
  } while (!reader.isAtEnd);
  return update;
});

function assignment(reader: Reader): { path: Path; sum: Sum } {
  const path = reader.path();
  reader.require('=');
  const left = reader.operand(SUM_CALLS);
  const sign = reader.takes('+') ? 1 : reader.takes('-') ? -1 : undefined;
  return { path, sum: sign ? { left, more: { sign, right: reader.operand(SUM_CALLS) } } : { left } };
}

function change(reader: Reader): { path: Path; value: Operand } {
  const path = reader.path();
  const value = reader.operand({});
  if (value.kind !== 'value') throw syntax('ADD and DELETE take a value');
  return { path, value };
}

/** The stores send the same few expressions again and again, so each is parsed once. */
function remembered<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const known = new Map<string, Parsed>();
  return (text) => {
    const there = known.get(text);
    if (there) return there;
    const parsed = parse(text);
    known.set(text, parsed);
    return parsed;
  };
}
