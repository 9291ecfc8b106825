import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlined, type NestedStacks, readNested } from './nested-stacks.ts';
import { ACCOUNT, type Fields, fields, list, PARTITION, REGION, text } from './wire.ts';

/**
 * One template that combines a stack, the stacks that it depends on, and the stacks nested in all of these.
 */
export type Linked = {
  template: Fields;
  stackNames: string[];
  /** The name of the stack that holds the resource. */
  stackOf(logicalId: string): string;
};

/**
 * Reads a stack and the stacks that it depends on, in the order of a deployment. An `Fn::ImportValue` becomes
 * the value that another stack exports. As CloudFormation does, it throws for an import that nothing exports,
 * and for two exports with one name. It also throws if two stacks use one logical id, because the local cloud
 * finds resources by that id.
 */
export function linkStacks(assembly: string, stackName: string): Linked {
  const stackNames = inOrder(readDependencies(assembly), stackName);
  const linked: Record<string, Fields> = {};
  const exported = new Map<string, unknown>();
  const owners = new Map<string, string>();
  for (const name of stackNames) {
    const { source, nested } = readStack(assembly, { stackName: name, exported });
    const template = inlined(source, nested);
    for (const id of Object.keys(fields(template.Resources))) owners.set(id, name);
    for (const [id, inner] of Object.entries(nested))
      for (const inside of Object.keys(fields(inner.template.Resources))) owners.set(inside, `${name}-${id}`);
    for (const [section, entries] of Object.entries(template)) add(linked, section, entries);
    for (const output of Object.values(fields(template.Outputs)).map(fields)) exportOf(output, exported);
  }
  return { template: linked, stackNames, stackOf: (logicalId) => owners.get(logicalId) ?? stackName };
}

type Dependencies = Map<string, string[]>;

/** The stacks on which each stack depends, from the manifest. An assembly without a manifest has no dependencies. */
function readDependencies(assembly: string): Dependencies {
  const file = join(assembly, 'manifest.json');
  if (!existsSync(file)) return new Map();
  const { artifacts } = fields(JSON.parse(readFileSync(file, 'utf8')));
  const stacks = Object.entries(fields(artifacts)).filter(
    ([, artifact]) => fields(artifact).type === 'aws:cloudformation:stack',
  );
  const names = new Set(stacks.map(([name]) => name));
  const dependenciesOf = (artifact: unknown) =>
    list(fields(artifact).dependencies)
      .map(text)
      .filter((name) => names.has(name));
  return new Map(stacks.map(([name, artifact]) => [name, dependenciesOf(artifact)]));
}

function inOrder(dependencies: Dependencies, stackName: string): string[] {
  const before = (dependencies.get(stackName) ?? []).flatMap((name) => inOrder(dependencies, name));
  return [...new Set([...before, stackName])];
}

function readStack(assembly: string, place: Place): { source: Fields; nested: NestedStacks } {
  const { stackName } = place;
  const source = fields(localize(readJson(assembly, `${stackName}.template.json`), place));
  const nested = readNested(source, (id, { TemplateURL }) => {
    const file = fileOf(
      JSON.stringify(TemplateURL),
      fields(readJson(assembly, `${stackName}.assets.json`).files),
    );
    return fields(localize(readJson(assembly, file), { ...place, stackName: `${stackName}-${id}` }));
  });
  return { source, nested };
}

/**
 * The path of a nested stack's template in the assembly. CDK uploads that file to the address, which holds
 * the file's hash. Throws if the assembly lacks the file.
 */
function fileOf(address: string, assets: Fields): string {
  const [hash] = /[0-9a-f]{64}/.exec(address) ?? [];
  const { path } = fields(fields(assets[hash ?? '']).source);
  if (path === undefined) throw new Error(`The assembly holds no template for ${address}`);
  return text(path);
}

const readJson = (assembly: string, name: string): Fields =>
  fields(JSON.parse(readFileSync(join(assembly, name), 'utf8')));

type Place = { stackName: string; exported: Map<string, unknown> };

/**
 * Replaces what only has a meaning inside one stack: the stack's name, its id, and the values that it
 * imports.
 */
function localize(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return value.replace(/\$\{AWS::StackName\}/g, place.stackName);
  if (Array.isArray(value)) return value.map((each) => localize(each, place));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::ImportValue': imported } = value as Fields;
  if (Ref === 'AWS::StackName') return place.stackName;
  if (Ref === 'AWS::StackId') return stackIdOf(place.stackName);
  if (imported !== undefined) return importOf(localize(imported, place), place);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, localize(each, place)]));
}

const stackIdOf = (name: string) =>
  `arn:${PARTITION}:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/local`;

function importOf(name: unknown, { stackName, exported }: Place): unknown {
  if (exported.has(text(name))) return exported.get(text(name));
  throw new Error(`${stackName}: No export named ${JSON.stringify(name)} found`);
}

function exportOf({ Value, Export }: Fields, exported: Map<string, unknown>): void {
  if (Export === undefined) return;
  const name = text(fields(Export).Name);
  if (exported.has(name)) throw new Error(`Export with name ${name} is already exported by another stack`);
  exported.set(name, Value);
}

function add(linked: Record<string, Fields>, section: string, entries: unknown): void {
  if (typeof entries !== 'object') return;
  const target = fields(linked[section]);
  for (const [id, entry] of Object.entries(fields(entries))) {
    const isOther = id in target && JSON.stringify(target[id]) !== JSON.stringify(entry);
    if (isOther || (section === 'Resources' && id in target))
      throw new Error(`Two stacks have ${id} in ${section}`);
    target[id] = entry;
  }
  linked[section] = target;
}
