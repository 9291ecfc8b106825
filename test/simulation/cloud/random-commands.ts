import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';

/** An expression's text has a `?` for each of its values. */
type Expression = { text: string; values: unknown[] };
type Build = fc.Arbitrary<Expression>;
/** Makes a command for one run. Each run has its own rows and index partitions. */
export type MakeCommand = (run: string) => object;

const IDS = ['one', 'two', 'three'];
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom('', 'A', 'AB', 'B', 'é', '\u{1f600}', '\uffee') },
  fc.constantFrom<unknown>(true, false, null, 0.1, 1.25, 2n ** 60n + 1n, 10n ** 30n, 5n),
);
const members = fc.oneof(
  fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 }),
  fc.uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1 }),
);
const set = members.map((each) => new Set<unknown>(each));
const list = fc.array(scalar, { maxLength: 3 });
const map = fc.record({ x: scalar, y: list, z: fc.oneof(scalar, set) }, { requiredKeys: [] });
const value = fc.oneof({ weight: 4, arbitrary: scalar }, set, list, map);

const top = fc.constantFrom('aa', '#bb', 'mm', '#ll', 'ss', 'nn');
const path = fc.oneof(
  { weight: 4, arbitrary: top },
  fc.constantFrom('mm.x', '#mm.#y', 'mm.z', 'mm.y[0]', '#ll[0]', 'll[1]', 'll[7]', 'aa.x.y', 'll[0].x'),
);
const NAMES = { '#aa': 'aa', '#bb': 'bb', '#ll': 'll', '#mm': 'mm', '#y': 'y' };

const of = (text: string, ...values: unknown[]): Expression => ({ text, values });
const asValue = value.map((each) => of('?', each));
const asPath = path.map((each) => of(each));
const joined = (...parts: (Expression | string)[]): Expression => ({
  text: parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
  values: parts.flatMap((part) => (typeof part === 'string' ? [] : part.values)),
});

const ordered = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'A', 'AB', 'B', '\u{1f600}', '\uffee'),
);
const compared: Build = fc.oneof(
  fc
    .tuple(asPath, fc.constantFrom('=', '<>'), fc.oneof(asPath, asValue))
    .map(([left, operator, right]) => joined(left, ` ${operator} `, right)),
  fc
    .tuple(
      asPath,
      fc.constantFrom('<', '<=', '>', '>='),
      fc.oneof(
        asPath,
        ordered.map((each) => of('?', each)),
      ),
    )
    .map(([left, operator, right]) => joined(left, ` ${operator} `, right)),
);
const sized: Build = fc
  .tuple(path, fc.constantFrom('=', '<', '>='), fc.integer({ min: 0, max: 4 }))
  .map(([left, operator, size]) => of(`size(${left}) ${operator} ?`, size));
const between: Build = fc
  .tuple(path, fc.integer({ min: -3, max: 1 }), fc.integer({ min: 1, max: 3 }))
  .map(([left, low, high]) => of(`${left} BETWEEN ? AND ?`, low, high));
const among: Build = fc
  .tuple(path, fc.array(value, { minLength: 1, maxLength: 3 }))
  .map(([left, values]) => of(`${left} IN (${values.map(() => '?').join(', ')})`, ...values));
const tested: Build = fc.oneof(
  fc
    .tuple(fc.constantFrom('attribute_exists', 'attribute_not_exists'), path)
    .map(([name, each]) => of(`${name}(${each})`)),
  fc
    .tuple(path, fc.constantFrom('S', 'N', 'M', 'L', 'SS', 'NS', 'BOOL', 'NULL'))
    .map(([each, type]) => of(`attribute_type(${each}, ?)`, type)),
  fc.tuple(path, fc.constantFrom('', 'A', 'AB')).map(([each, start]) => of(`begins_with(${each}, ?)`, start)),
  fc.tuple(path, scalar).map(([each, part]) => of(`contains(${each}, ?)`, part)),
);
const condition: Build = fc.letrec<{ any: Expression; more: Expression }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, compared, sized, between, among, tested, tie('more')),
  more: fc.oneof(
    fc
      .tuple(tie('any'), fc.constantFrom(' AND ', ' OR ', ' and '), tie('any'))
      .map(([left, word, right]) => joined(left, word, right)),
    tie('any').map((inner) => joined('NOT (', inner, ')')),
    fc.tuple(compared, tie('any')).map(([left, right]) => joined('(', left, ' OR ', right, ') AND ', left)),
  ),
})).any;

const number = fc.integer({ min: -2, max: 2 }).map((each) => of('?', each));
const assigned: Build = fc.oneof(
  { weight: 3, arbitrary: asValue },
  asPath,
  fc
    .tuple(fc.oneof(asPath, number), fc.constantFrom(' + ', ' - '), fc.oneof(asPath, number))
    .map(([left, sign, right]) => joined(left, sign, right)),
  fc.tuple(path, asValue).map(([each, other]) => joined(`if_not_exists(${each}, `, other, ')')),
  fc
    .tuple(
      fc.oneof(
        asPath,
        list.map((each) => of('?', each)),
      ),
      list,
    )
    .map(([left, right]) => joined('list_append(', left, ', ', of('?', right), ')')),
);

/** One path for each attribute, because the paths of one update must not overlap. */
const TARGETS = [
  ['aa', 'aa', 'aa.x.y'],
  ['#bb'],
  ['mm', 'mm.x', '#mm.#y', 'mm.z', 'mm.y[0]'],
  // The index is never beyond the end: DynamoDB appends there, but the emulator fills the gap.
  ['#ll', '#ll[0]'],
  ['ss'],
  ['nn'],
];
type Action = { section: string; part: Expression };
const actionOn = (paths: string[]): fc.Arbitrary<Action> => {
  const isNested = paths.length > 1;
  const target = fc.constantFrom(...paths);
  const setting = fc
    .tuple(target, assigned)
    .map(([to, from]) => ({ section: 'SET', part: joined(`${to} = `, from) }));
  const removing = target.map((from) => ({ section: 'REMOVE', part: of(from) }));
  const adding = fc
    .oneof(fc.constantFrom<unknown>(-1, 2, 2n ** 60n), set)
    .map((more) => ({ section: 'ADD', part: of(`${paths[0]} ?`, more) }));
  const deleting = set.map((less) => ({ section: 'DELETE', part: of(`${paths[0]} ?`, less) }));
  return isNested ? fc.oneof(setting, removing) : fc.oneof(setting, removing, adding, deleting);
};
const updateExpression: Build = fc
  .shuffledSubarray(TARGETS, { minLength: 1, maxLength: 3 })
  .chain((targets) => fc.tuple(...targets.map(actionOn)))
  .map((actions) => {
    const sections = [...new Set(actions.map(({ section }) => section))];
    const ofSection = (section: string) =>
      actions
        .filter((each) => each.section === section)
        .flatMap(({ part }, at) => (at === 0 ? [part] : [', ', part]));
    return joined(...sections.flatMap((section) => [`${section} `, ...ofSection(section), ' ']));
  });

/** Replaces each `?` by a name, and defines each `#name`. */
function worded(expressions: Record<string, Expression | undefined>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  for (const [key, expression] of Object.entries(expressions)) {
    if (!expression) continue;
    let at = 0;
    input[key] = expression.text.replaceAll('?', () => {
      const name = `:v${Object.keys(values).length}`;
      values[name] = expression.values[at++];
      return name;
    });
    for (const [name] of expression.text.matchAll(/#\w+/g)) names[name] = NAMES[name as keyof typeof NAMES];
  }
  if (Object.keys(values).length > 0) input.ExpressionAttributeValues = values;
  if (Object.keys(names).length > 0) input.ExpressionAttributeNames = names;
  return input;
}

const id = fc.constantFrom(...IDS);
const maybeCondition = fc.option(condition, { nil: undefined });
const indexed = fc.record(
  { sweep: fc.constantFrom('X', 'Y'), nextCheckAt: fc.integer({ min: 0, max: 5 }) },
  { requiredKeys: [] },
);
const attributes = fc.record(
  {
    aa: value,
    bb: scalar,
    mm: fc.oneof(map, scalar),
    ll: fc.oneof(list, scalar),
    ss: fc.oneof(set, scalar),
    nn: scalar,
  },
  { requiredKeys: [] },
);
const onFailure = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });

type Part = (run: string, table: string) => Record<string, unknown>;
const put: fc.Arbitrary<Part> = fc
  .record({ id, attributes, indexed, ConditionExpression: maybeCondition, onFailure })
  .map((each) => (run, TableName) => ({
    TableName,
    Item: {
      ...each.attributes,
      ...each.indexed,
      ...(each.indexed.sweep && { sweep: run + each.indexed.sweep }),
      id: run + each.id,
    },
    ...each.onFailure,
    ...worded({ ConditionExpression: each.ConditionExpression }),
  }));
const update: fc.Arbitrary<Part> = fc
  .record({ id, UpdateExpression: updateExpression, ConditionExpression: maybeCondition, onFailure })
  .map((each) => (run, TableName) => ({
    TableName,
    Key: { id: run + each.id },
    ...each.onFailure,
    ...worded({ UpdateExpression: each.UpdateExpression, ConditionExpression: each.ConditionExpression }),
  }));
const check = (needs: Build | typeof maybeCondition): fc.Arbitrary<Part> =>
  fc.record({ id, ConditionExpression: needs, onFailure }).map((each) => (run, TableName) => ({
    TableName,
    Key: { id: run + each.id },
    ...each.onFailure,
    ...worded({ ConditionExpression: each.ConditionExpression }),
  }));

const TABLE = 'transactions';
type Input = never;
const transaction = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('Put'), put),
      fc.tuple(fc.constant('Update'), update),
      fc.tuple(fc.constant('Delete'), check(maybeCondition)),
      fc.tuple(fc.constant('ConditionCheck'), check(condition)),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(
    (parts) => (run: string) =>
      new TransactWriteCommand({
        TransactItems: parts.map(([kind, part]) => ({ [kind]: part(run, TABLE) })) as unknown as Input[],
      }),
  );
const rangeCondition: Build = fc.oneof(
  fc.constant(of('')),
  fc
    .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), fc.integer({ min: 0, max: 5 }))
    .map(([operator, at]) => of(` AND nextCheckAt ${operator} ?`, at)),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 }))
    .map(([low, high]) => of(' AND nextCheckAt BETWEEN ? AND ?', low, high)),
);
const query = fc
  .record({
    sweep: fc.constantFrom('X', 'Y'),
    range: rangeCondition,
    Limit: fc.constantFrom(undefined, 1, 2, 5),
    ScanIndexForward: fc.constantFrom(undefined, true, false),
  })
  .map(
    ({ sweep, range, ...rest }) =>
      (run: string) =>
        new QueryCommand({
          TableName: TABLE,
          IndexName: 'due',
          ...worded({ KeyConditionExpression: joined(of('sweep = ?', run + sweep), range) }),
          ...rest,
        }),
  );

/** Any command that our stores send, with expressions of the whole grammar. */
export const anyCommand: fc.Arbitrary<MakeCommand> = fc.oneof(
  { weight: 3, arbitrary: put.map((part) => (run: string) => new PutCommand(part(run, TABLE) as Input)) },
  {
    weight: 5,
    arbitrary: fc.tuple(update, fc.constantFrom('NONE', 'ALL_NEW')).map(
      ([part, ReturnValues]) =>
        (run: string) =>
          new UpdateCommand({ ...(part(run, TABLE) as object), ReturnValues } as Input),
    ),
  },
  { weight: 3, arbitrary: transaction },
  { weight: 2, arbitrary: query },
  check(maybeCondition).map((part) => (run: string) => new DeleteCommand(part(run, TABLE) as Input)),
  id.map((each) => (run: string) => new GetCommand({ TableName: TABLE, Key: { id: run + each } })),
  fc
    .uniqueArray(id, { minLength: 1 })
    .map(
      (ids) => (run: string) =>
        new BatchGetCommand({ RequestItems: { [TABLE]: { Keys: ids.map((each) => ({ id: run + each })) } } }),
    ),
);

/** Reads all rows of the run, to compare them at its end. */
export function readAll(run: string): object {
  const Keys = IDS.map((each) => ({ id: run + each }));
  return new BatchGetCommand({ RequestItems: { [TABLE]: { Keys } } });
}
