/**
 * The sanctions lists and other lists in which each client is searched. This table describes each list in one
 * place. The parsers of the lists' files are in `functions/adapters/lists`. The code does not compile if a
 * list has no parser.
 */

/** The effect of a hit. `REJECT` refuses the client. `HIGH` and `PEP` raise the client's risk tier. */
export type ListEffect = 'REJECT' | 'HIGH' | 'PEP';

/** The base addresses of the publishers' downloads. A sandbox uses its simulators' addresses instead. */
export const PUBLISHERS = {
  ofac: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports',
  un: 'https://scsanctions.un.org',
  portal: 'https://portaldatransparencia.gov.br',
} as const;
export type Publisher = keyof typeof PUBLISHERS;

type ListDescription = {
  title: string;
  publisher: Publisher;
  /**
   * The client's data by which entries are searched. `MASKED_CPF`: the six digits of the CPF that the list
   * does not mask, together with the name. A name alone would flag four ordinary Brazilians in ten on Brazil's lists.
   */
  searchedBy: 'NAME' | 'DOCUMENT' | 'MASKED_CPF';
  /**
   * The possible effects of a hit. The first is the default, and a deployment may choose another: docs/compliance.md,
   * "Effect of a hit".
   */
  effects: readonly [ListEffect, ...ListEffect[]];
  /** The list is old after this many days without a download from its publisher. Each refresh then logs an error. */
  daysUntilOld: number;
  /** A download with fewer entries is refused, even if the list in force has fewer. */
  fewest: number;
};

export const LISTS = {
  OFAC_SDN: {
    title: 'OFAC, Specially Designated Nationals',
    publisher: 'ofac',
    searchedBy: 'NAME',
    effects: ['REJECT'],
    daysUntilOld: 7,
    fewest: 5000,
  },
  OFAC_CONS: {
    title: 'OFAC, Consolidated (non-SDN)',
    publisher: 'ofac',
    searchedBy: 'NAME',
    effects: ['REJECT'],
    daysUntilOld: 7,
    fewest: 30,
  },
  UN_SC: {
    title: 'UN Security Council, Consolidated',
    publisher: 'un',
    searchedBy: 'NAME',
    effects: ['REJECT'],
    daysUntilOld: 7,
    fewest: 400,
  },
  BR_CEIS: {
    title: 'CEIS, companies and persons debarred from public contracts',
    publisher: 'portal',
    searchedBy: 'DOCUMENT',
    effects: ['HIGH', 'REJECT'],
    daysUntilOld: 7,
    fewest: 3000,
  },
  BR_CNEP: {
    title: 'CNEP, companies and persons punished for corruption',
    publisher: 'portal',
    searchedBy: 'DOCUMENT',
    effects: ['HIGH', 'REJECT'],
    daysUntilOld: 7,
    fewest: 100,
  },
  BR_PEP: {
    title: 'Politically exposed persons of Brazil',
    publisher: 'portal',
    searchedBy: 'MASKED_CPF',
    effects: ['PEP'],
    // This list is published once a month. The other lists are published each day, or at each change.
    daysUntilOld: 45,
    fewest: 30000,
  },
} as const satisfies Record<string, ListDescription>;
export type ListId = keyof typeof LISTS;

/** The ids in the table's order. Each edition of the lists keeps this order. */
export const LIST_IDS = Object.keys(LISTS) as ListId[];

export type ListEffects = Record<ListId, ListEffect>;

/** The default effects, for a deployment that chooses no others. */
export const LIST_EFFECTS: ListEffects = mapLists(({ effects: [effect] }) => effect);

/** One value for each list, made from its description. */
export function mapLists<Value>(valueFor: (list: ListDescription) => Value): Record<ListId, Value> {
  const values = LIST_IDS.map((id) => [id, valueFor(LISTS[id])]);
  return Object.fromEntries(values) as Record<ListId, Value>;
}
