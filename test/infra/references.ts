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

/** The resources that CloudFormation makes before `id`. In a circle, `id` itself is one of them. */
export function madeBefore(id: string, resources: Resources, seen = new Set<string>()): Set<string> {
  const resource = resources[id];
  if (!resource) return seen;
  for (const each of namedBy(resource)) {
    if (seen.has(each)) continue;
    seen.add(each);
    madeBefore(each, resources, seen);
  }
  return seen;
}

type Resource = Resources[string];
const known = new WeakMap<Resource, string[]>();

/** CloudFormation orders resources by the names in an update policy, too. */
function namedBy(resource: Resource): string[] {
  const { DependsOn, Properties, UpdatePolicy } = resource;
  const named =
    known.get(resource) ?? [[DependsOn ?? []].flat().map(String), idsIn([Properties, UpdatePolicy])].flat();
  known.set(resource, named);
  return named;
}

const idsIn = (value: unknown) => referencesOf(value).map(({ id }) => id);
