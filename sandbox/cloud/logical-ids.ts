import type { Template } from './template.ts';

/** The logical id of the only resource, of this type if one is given, whose logical id starts with `prefix`. */
export function onlyOne(template: Template, prefix: string, type?: string): string {
  if (template.resources.has(prefix)) return prefix;
  const found = [...template.resources.values()].filter(
    (resource) => resource.logicalId.startsWith(prefix) && (!type || resource.type === type),
  );
  // CDK names the parts of a resource after that resource, for example its role. If only a hash of eight
  // characters follows the prefix, the resource is the wanted one and not one of its parts.
  const exact = found.filter(({ logicalId }) => /^[0-9A-F]{8}$/.test(logicalId.slice(prefix.length)));
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only.logicalId;
  throw new Error(`${found.length} resources have a logical id that starts with ${prefix}`);
}
