import { type Fields, fields, list, text } from './wire.ts';

const NESTED = 'AWS::CloudFormation::Stack';

/** The nested stacks of a template by their logical ids. */
export type NestedStacks = Record<string, { resource: Fields; template: Fields }>;

/**
 * Finds the nested stacks of a template. `read` returns a nested stack's template by the stack's logical id
 * and properties.
 */
export function readNested(
  template: Fields,
  read: (logicalId: string, properties: Fields) => Fields,
): NestedStacks {
  const all = Object.entries(fields(template.Resources)).map(
    ([id, resource]) => [id, fields(resource)] as const,
  );
  return Object.fromEntries(
    all
      .filter(([, { Type }]) => Type === NESTED)
      .map(([id, resource]) => [id, { resource, template: read(id, fields(resource.Properties)) }]),
  );
}

/**
 * Returns the template with its nested stacks replaced by their resources. In these resources a reference to
 * a parameter becomes the value that the outer template passes. In the outer template a reference to a nested
 * stack's output becomes the output's value.
 */
export function inlined(template: Fields, nested: NestedStacks): Fields {
  const opened = Object.fromEntries(Object.entries(nested).map(([id, stack]) => [id, open(stack)]));
  const valueFor = (reference: Fields): unknown => {
    const [id = '', output = ''] = list(reference['Fn::GetAtt']).map(text);
    const name = output.replace(/^Outputs\./, '');
    const value = fields(opened[id]?.Outputs)[name];
    return value === undefined ? undefined : replaced(fields(value).Value, valueFor);
  };
  const own = Object.entries(fields(template.Resources)).filter(([id]) => !(id in nested));
  const inside = Object.values(opened).flatMap(({ Resources }) => Object.entries(fields(Resources)));
  refuseTwins([...own, ...inside].map(([id]) => id));
  const all = [...own, ...inside].map(([id, each]) => [id, afterResources(fields(each), opened)]);
  return fields(replaced({ ...template, Resources: Object.fromEntries(all) }, valueFor));
}

/** The resource with a dependency on each resource of the nested stacks on which it depends. */
function afterResources(resource: Fields, opened: Record<string, Fields>): Fields {
  const before = [resource.DependsOn ?? []].flat().map(text);
  if (before.every((id) => !(id in opened))) return resource;
  const idsOf = (id: string) => (id in opened ? Object.keys(fields(opened[id]?.Resources)) : [id]);
  return { ...resource, DependsOn: before.flatMap(idsOf) };
}

/**
 * Returns a nested template in which the values that the outer template passes replace the parameters. Its
 * resources also depend on everything that the nested stack depends on.
 */
function open({ resource, template }: NestedStacks[string]): Fields {
  const passed = fields(fields(resource.Properties).Parameters);
  const bound = fields(replaced(template, ({ Ref }) => (typeof Ref === 'string' ? passed[Ref] : undefined)));
  const before = [resource.DependsOn ?? []].flat();
  const resources = Object.entries(fields(bound.Resources)).map(([id, each]) => {
    const { DependsOn = [], ...others } = fields(each);
    return [id, { ...others, DependsOn: [DependsOn, before].flat() }];
  });
  return { Resources: Object.fromEntries(resources), Outputs: bound.Outputs };
}

/** Replaces each object, at any depth, for which `valueFor` returns a value. An example is `{Ref: …}`. */
function replaced(value: unknown, valueFor: (reference: Fields) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, valueFor));
  if (typeof value !== 'object' || value === null) return value;
  const found = valueFor(value as Fields);
  if (found !== undefined) return found;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, valueFor)]));
}

function refuseTwins(ids: string[]): void {
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw new Error(`Two stacks have ${twin} in Resources`);
}
