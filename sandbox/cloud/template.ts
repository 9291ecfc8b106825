import { assetFinder } from './assets.ts';
import { conditionsOf, intrinsicsOf, NO_VALUE } from './intrinsics.ts';
import { physicalOf, type Resource } from './physical-ids.ts';
import { linkStacks } from './stacks.ts';
import { ACCOUNT, type Fields, fields, PARTITION, REGION, text, URL_SUFFIX } from './wire.ts';

export type Template = {
  stackName: string;
  resources: Map<string, Resource>;
  ofType(...types: string[]): Resource[];
  /** The properties of a resource, in which values have replaced all intrinsic functions. */
  properties(logicalId: string): Fields;
  resolve(value: unknown): unknown;
  ref(logicalId: string): string;
  attribute(logicalId: string, name: string): string;
  /**
   * Adds attributes that are known only after the resource was made here, such as a stream's ARN or a queue's
   * URL.
   */
  learn(logicalId: string, facts: Record<string, string>): void;
  /**
   * Changes every string after its intrinsic functions were resolved. Callers replace AWS's URLs by local
   * ones, and references to secrets by the secrets' values.
   */
  rewrite(change: (text: string) => string): void;
  outputs(): Record<string, string>;
  asset(objectKey: string): string;
};

const PSEUDO_PARAMETERS: Record<string, unknown> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': PARTITION,
  'AWS::URLSuffix': URL_SUFFIX,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': NO_VALUE,
};

/** Combines the templates of a stack and of the stacks that it depends on into one. */
export function loadTemplate(assembly: string, stackName: string): Template {
  const { template: source, stackNames, stackOf } = linkStacks(assembly, stackName);
  const parameters = fields(source.Parameters);
  const facts = new Map<string, Record<string, string>>();
  const rewriters: ((text: string) => string)[] = [];
  const condition = conditionsOf(source, resolve);
  const resources = resourcesIn(source, condition);

  function reference(name: string): unknown {
    if (name in PSEUDO_PARAMETERS) return PSEUDO_PARAMETERS[name];
    if (name in parameters) return fields(parameters[name]).Default ?? missingParameter(name);
    return ref(name);
  }

  const intrinsics = intrinsicsOf(source.Mappings, { resolve, reference, attribute, condition });

  function resolve(value: unknown): unknown {
    if (typeof value === 'string') return rewriters.reduce((at, change) => change(at), value);
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, operand] = entries[0] ?? ['', undefined];
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) {
      const intrinsic = intrinsics[name];
      if (!intrinsic) throw new Error(`The template uses ${name}, which the local cloud does not know`);
      const result = intrinsic(operand);
      return typeof result === 'string' ? resolve(result) : result;
    }
    const resolved = entries.map(([key, item]) => [key, resolve(item)] as const);
    return Object.fromEntries(resolved.filter(([, item]) => item !== NO_VALUE));
  }

  function required(logicalId: string): Resource {
    const resource = resources.get(logicalId);
    if (!resource) throw new Error(`The template refers to ${logicalId}, which it does not declare`);
    return resource;
  }

  function ref(logicalId: string): string {
    const resource = required(logicalId);
    return facts.get(logicalId)?.Ref ?? physical(resource).ref;
  }

  function attribute(logicalId: string, name: string): string {
    const resource = required(logicalId);
    const value = facts.get(logicalId)?.[name] ?? physical(resource).attributes[name];
    if (value === undefined) throw new Error(`${resource.type} ${logicalId} has no attribute ${name} here`);
    return value;
  }

  const physical = (resource: Resource) => physicalOf(resource, stackOf(resource.logicalId), resolve);

  return {
    stackName,
    resources,
    ofType: (...types) => [...resources.values()].filter((resource) => types.includes(resource.type)),
    properties: (logicalId) => fields(resolve(required(logicalId).properties)),
    resolve,
    ref,
    attribute,
    learn: (logicalId, known) => facts.set(logicalId, { ...facts.get(logicalId), ...known }),
    rewrite: (change) => rewriters.push(change),
    outputs: () => outputsIn(source, condition, resolve),
    asset: assetFinder(assembly, stackNames, (value) => String(resolve({ 'Fn::Sub': value }))),
  };
}

function missingParameter(name: string): never {
  throw new Error(`The template's parameter ${name} has no default; the local cloud cannot ask for it`);
}

type Condition = (name: unknown) => boolean;

/** The resources whose conditions hold. */
function resourcesIn(source: Fields, condition: Condition): Map<string, Resource> {
  const declared = Object.entries(fields(source.Resources)).map(
    ([logicalId, resource]) => [logicalId, fields(resource)] as const,
  );
  return new Map(
    declared
      .filter(([, { Condition }]) => Condition === undefined || condition(Condition))
      .map(([logicalId, { Type, Properties }]) => [
        logicalId,
        { logicalId, type: text(Type), properties: fields(Properties) },
      ]),
  );
}

/** The values of the outputs whose conditions hold. */
function outputsIn(source: Fields, condition: Condition, resolve: (value: unknown) => unknown) {
  const declared = Object.entries(fields(source.Outputs)).map(
    ([name, output]) => [name, fields(output)] as const,
  );
  return Object.fromEntries(
    declared
      .filter(([, { Condition }]) => Condition === undefined || condition(Condition))
      .map(([name, { Value }]) => [name, String(resolve(Value))]),
  );
}
