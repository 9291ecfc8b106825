import type { Identity, IndexInUse, Screening } from './screening.ts';

export type SanctionsLists = {
  search(identity: Identity): Promise<Screening>;
  /**
   * Returns the index that a search would use now. On a function instance that has not searched yet, this costs less
   * than a search.
   */
  findIndex(): Promise<IndexInUse>;
};
