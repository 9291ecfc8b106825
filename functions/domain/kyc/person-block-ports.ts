import type { PersonBlock, Ruling } from './person-block.ts';

/**
 * The blocks of persons, as the service reads them. No Lambda function but the console's can set or lift
 * one.
 */
export type PersonBlocks = {
  findBlock(personId: string): Promise<PersonBlock | undefined>;
  /** Lists the ids of the person's open MED cases, at all partners. */
  listOpenMeds(personId: string): Promise<string[]>;
};

/** The methods for operators. Only their commands and the console use them. */
export type PersonBlocksDesk = {
  /** Sets the block, unless another one is in force. Answers the block that exists now. */
  block(wanted: PersonBlock): Promise<PersonBlock>;
  /**
   * Lifts the block in force, at most once. Returns the block as it is after the call, even if another person has
   * lifted it.
   */
  lift(personId: string, lifted: Ruling): Promise<PersonBlock | undefined>;
  /** Lists the blocks in this state, the oldest first. The index may lag by seconds. */
  listBlocks(state: PersonBlock['state']): Promise<PersonBlock[]>;
};
