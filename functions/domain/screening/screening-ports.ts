import type { Identity, IndexInUse, Screening } from './screening.ts';

export type SanctionsLists = {
  search(identity: Identity): Promise<Screening>;
  /** The index that a search would use now; costs less than a search where none was made before. */
  findIndex(): Promise<IndexInUse>;
};
