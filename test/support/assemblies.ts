import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Properties = Record<string, unknown>;
type Resource = { Type: string; Properties: Properties; DependsOn?: unknown };

/** The synthesized templates, which a test changes before it boots them. */
export type Changeable = {
  /** The properties of the only resource of this type whose logical id starts with `prefix`. */
  propertiesOf(prefix: string, type: string): Properties;
  remove(prefix: string, type: string): void;
  removeAll(type: string): void;
  /** Moves the policy of a role into a resource of its own, for which nothing waits. */
  separatePolicy(rolePrefix: string): void;
  /**
   * Removes the order that a resource states by itself (`DependsOn`). The order that follows from its properties stays.
   */
  forgetOrder(prefix: string, type: string): void;
};

/** A copy of an assembly with changed templates. The functions' code is only linked. */
export function changedAssembly(assembly: string, change: (template: Changeable) => void): string {
  const copy = mkdtempSync(join(tmpdir(), 'assembly-'));
  const templates = new Map<string, { Resources: Record<string, Resource> }>();
  for (const name of readdirSync(assembly)) {
    if (!name.endsWith('.template.json')) symlinkSync(join(assembly, name), join(copy, name));
    else templates.set(name, JSON.parse(readFileSync(join(assembly, name), 'utf8')));
  }
  change(changeable([...templates.values()].map(({ Resources }) => Resources)));
  for (const [name, template] of templates) writeFileSync(join(copy, name), JSON.stringify(template));
  return copy;
}

function changeable(stacks: Record<string, Resource>[]): Changeable {
  const all = stacks.flatMap((resources) => Object.entries(resources));
  const find = (prefix: string, type: string) => {
    const [found, ...others] = all.filter(([id, { Type }]) => id.startsWith(prefix) && Type === type);
    if (!found || others.length > 0) throw new Error(`There is not exactly one ${type} ${prefix}`);
    return found;
  };
  return {
    propertiesOf: (prefix, type) => find(prefix, type)[1].Properties,
    remove(prefix, type) {
      const [id] = find(prefix, type);
      for (const resources of stacks) delete resources[id];
    },
    removeAll(type) {
      for (const [id] of all.filter(([, { Type }]) => Type === type))
        for (const resources of stacks) delete resources[id];
    },
    separatePolicy(rolePrefix) {
      const [id, { Properties }] = find(rolePrefix, 'AWS::IAM::Role');
      const [policy] = Properties.Policies as object[];
      delete Properties.Policies;
      const own = stacks.find((resources) => id in resources)!;
      own[`${id}Policy`] = { Type: 'AWS::IAM::Policy', Properties: { ...policy, Roles: [{ Ref: id }] } };
    },
    forgetOrder(prefix, type) {
      delete find(prefix, type)[1].DependsOn;
    },
  };
}
