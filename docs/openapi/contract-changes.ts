import type { Fact } from './contract.ts';

export type Changes = { broken: string[]; added: Fact[] };

/**
 * Compares two versions of the contract. `broken` describes the changes that can break a partner. `added` has
 * all facts that are new.
 */
export function changesBetween(before: readonly Fact[], after: readonly Fact[]): Changes {
  const [known, present] = [new Set(before), new Set(after)];
  const gone = before.filter((fact) => !present.has(fact));
  const added = after.filter((fact) => !known.has(fact));
  const broken = [
    ...gone.filter((fact) => fact.startsWith('promise ')).map((fact) => `no longer: ${fact}`),
    ...added.filter((fact) => isNewDemand(fact, { known, gone })).map((fact) => `now also: ${fact}`),
  ];
  return { broken, added };
}

type Before = { known: ReadonlySet<Fact>; gone: readonly Fact[] };

/**
 * True for a new demand that can break a partner. A demand cannot break a partner if it belongs to a new
 * operation or to a new optional field. A wider limit cannot break a partner either.
 */
function isNewDemand(fact: Fact, { known, gone }: Before): boolean {
  const [, place = '', what = ''] = /^demand (.+?) (is required|has .+|needs .+)$/.exec(fact) ?? [];
  if (what === '') return false;
  const isKnownOperation = [...known].some((each) => each.startsWith(`demand ${operationOf(place)} needs `));
  if (!isKnownOperation) return false;
  if (what === 'is required') return !isInsideNew(place, known);
  if (what.startsWith('has ') && !isTaken(place, known)) return false;
  return !gone.some((former) => isWider(former, `demand ${place}`, what));
}

const operationOf = (place: string) => place.split(' ').slice(0, 2).join(' ');

const isTaken = (place: string, known: ReadonlySet<Fact>) =>
  [...known].some((each) => each.startsWith(`promise ${place} is taken as `));

/** True for a field inside an object that the version before did not have. */
function isInsideNew(place: string, known: ReadonlySet<Fact>): boolean {
  const parent = place.split(' ').slice(0, -1).join(' ');
  return !parent.endsWith(' request') && !isTaken(parent, known);
}

function isWider(former: Fact, place: string, what: string): boolean {
  const [, name, limit] = /^has (min\w+|max\w+) (-?[\d.]+)$/.exec(what) ?? [];
  const [, formerLimit] = former.startsWith(`${place} has ${name} `)
    ? [former, former.split(' ').at(-1)]
    : [];
  if (name === undefined || formerLimit === undefined) return false;
  return name.startsWith('max') ? Number(limit) > Number(formerLimit) : Number(limit) < Number(formerLimit);
}
