export type Properties = Record<string, unknown>;
export type Resources = Record<string, { Type: string; Properties: Properties; [key: string]: unknown }>;

/** A reference from one resource of a template to another. */
export type Reference = { id: string; attribute?: string };

/** Policy documents name roles as principals, which is no use of the role. */
const DOCUMENTS = /PolicyDocument$|^KeyPolicy$/;

/** The resources that a value names by `Ref`, `Fn::GetAtt` or `Fn::Sub`. `withDocuments` includes policy documents. */
export function referencesOf(value: unknown, { withDocuments = true } = {}): Reference[] {
  if (Array.isArray(value)) return value.flatMap((each) => referencesOf(each, { withDocuments }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, operand]) => {
    if (!withDocuments && DOCUMENTS.test(key)) return [];
    return [...ownReferences(key, operand), ...referencesOf(operand, { withDocuments })];
  });
}

function ownReferences(key: string, operand: unknown): Reference[] {
  if (key === 'Ref') return [{ id: String(operand) }];
  if (key === 'Fn::GetAtt') {
    const [id = '', ...attribute] = Array.isArray(operand) ? operand.map(String) : String(operand).split('.');
    return [{ id, attribute: attribute.join('.') }];
  }
  if (key !== 'Fn::Sub') return [];
  const [pattern] = [operand].flat();
  return [...String(pattern).matchAll(/\$\{(\w+)(?:\.([\w.]+))?\}/g)].map(([, id = '', attribute]) => ({
    id,
    attribute,
  }));
}

/** The resources that CloudFormation makes before `id`. */
export function madeBefore(id: string, resources: Resources, seen = new Set<string>()): Set<string> {
  const resource = resources[id];
  if (!resource) return seen;
  const named = [...[resource.DependsOn ?? []].flat().map(String), ...idsIn(resource.Properties)];
  for (const each of named) {
    if (seen.has(each)) continue;
    seen.add(each);
    madeBefore(each, resources, seen);
  }
  return seen;
}

const idsIn = (value: unknown) => referencesOf(value).map(({ id }) => id);
