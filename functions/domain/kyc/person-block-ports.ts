import type { PersonBlock, Ruling } from './person-block.ts';

/** The blocks of persons, as the service reads them. No function sets or lifts one. */
export type PersonBlocks = {
  findBlock(personId: string): Promise<PersonBlock | undefined>;
  /** The MED cases of the person that no operator has closed, at any partner. */
  listOpenMeds(personId: string): Promise<string[]>;
};

/** The acts of operators alone. */
export type PersonBlocksDesk = {
  /** Sets the block, unless another is in force. Answers the block that is there now. */
  block(wanted: PersonBlock): Promise<PersonBlock>;
  /** Lifts the block that is in force, once. Answers the block as it is now, even if somebody else lifted it. */
  lift(personId: string, lifted: Ruling): Promise<PersonBlock | undefined>;
  /** The blocks in this state, oldest first. The index may be stale. */
  listBlocks(state: PersonBlock['state']): Promise<PersonBlock[]>;
};
