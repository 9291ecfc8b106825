import type { Identity, IndexInUse, Screening } from './screening.ts';

export type SanctionsLists = {
  search(identity: Identity): Promise<Screening>;
  /** The index that a search would use now. It costs less than a search on an instance that has not searched yet. */
  findIndex(): Promise<IndexInUse>;
};
