/**
 * The lists in which clients are searched. This table is the one description of each list. The form of its files is
 * with its parser, below functions/adapters/lists. A list that is missing there does not compile.
 */

/** The effect of a hit: it refuses the client, or it raises the tier. */
export type ListEffect = 'REJECT' | 'HIGH' | 'PEP';

/** The base address of each publisher's downloads. In a sandbox, simulators take their place. */
export const PUBLISHERS = {
  ofac: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports',
  un: 'https://scsanctions.un.org',
  portal: 'https://portaldatransparencia.gov.br',
} as const;
export type Publisher = keyof typeof PUBLISHERS;

type ListDescription = {
  title: string;
  publisher: Publisher;
  /** The data of a client that find an entry. `MASKED_CPF` is the six open digits of the CPF together with the name. */
  searchedBy: 'NAME' | 'DOCUMENT' | 'MASKED_CPF';
  /**
   * The first is in force. A deployment may choose one of the others, where there are any:
   * docs/decisions.md, "Effect of a list hit".
   */
  effects: readonly [ListEffect, ...ListEffect[]];
  /** After so many days without a download from its publisher, the list is old, and each refresh logs an error. */
  daysUntilOld: number;
  /** A download with fewer entries is refused, whatever was in force before. */
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
    // It is published once a month; the others come out each day or whenever there is news.
    daysUntilOld: 45,
    fewest: 30000,
  },
} as const satisfies Record<string, ListDescription>;
export type ListId = keyof typeof LISTS;

/** In the order of the table, which is also the order in publications. */
export const LIST_IDS = Object.keys(LISTS) as ListId[];

export type ListEffects = Record<ListId, ListEffect>;

/** The effects where a deployment chooses no others. */
export const LIST_EFFECTS: ListEffects = mapLists(({ effects: [effect] }) => effect);

/** One value for each list, made from its description. */
export function mapLists<Value>(valueFor: (list: ListDescription) => Value): Record<ListId, Value> {
  const values = LIST_IDS.map((id) => [id, valueFor(LISTS[id])]);
  return Object.fromEntries(values) as Record<ListId, Value>;
}
