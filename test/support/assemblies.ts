import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STACK } from '../../sandbox/sandbox.ts';

export type Properties = Record<string, unknown>;
type Resource = { Type: string; Properties: Properties };

/** A synthesized template that a test changes before it boots it. */
export type Changeable = {
  resources: Record<string, Resource>;
  /** The logical id of the only resource of this type whose id starts with `prefix`. */
  idOf(prefix: string, type: string): string;
  propertiesOf(prefix: string, type: string): Properties;
};

/** A copy of an assembly with a changed template. The functions' code is only linked. */
export function changedAssembly(assembly: string, change: (template: Changeable) => void): string {
  const copy = mkdtempSync(join(tmpdir(), 'assembly-'));
  const file = `${STACK}.template.json`;
  for (const name of readdirSync(assembly)) {
    if (name !== file) symlinkSync(join(assembly, name), join(copy, name));
  }
  const template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
  change(changeable(template.Resources));
  writeFileSync(join(copy, file), JSON.stringify(template));
  return copy;
}

function changeable(resources: Record<string, Resource>): Changeable {
  const idOf = (prefix: string, type: string) => {
    const ids = Object.keys(resources).filter((id) => id.startsWith(prefix) && resources[id]?.Type === type);
    if (ids.length !== 1) throw new Error(`${ids.length} resources of ${type} begin with ${prefix}`);
    return ids[0]!;
  };
  return { resources, idOf, propertiesOf: (prefix, type) => resources[idOf(prefix, type)]!.Properties };
}
