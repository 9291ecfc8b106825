import type { Posting } from '../ledger.ts';
import type { BooksProgress } from './books-progress.ts';
import type { BlockLifting, ClientBlock, MoneyCase, MoneyCaseClosing } from './money-case.ts';

/**
 * Stores money cases for the service, which opens them. Only a person closes one, by an operators' command
 * or in the console. Calls fail as all ports do: functions/domain/ports.ts.
 */
export type MoneyCases = {
  /**
   * Opens the case unless it exists. The same write adds the case's posting, and marks the client whom the
   * case blocks. False: the case exists, open or closed.
   */
  open(opened: MoneyCase, posting?: Posting): Promise<boolean>;
  findCase(id: string): Promise<MoneyCase | undefined>;
  /** Lists open cases, the oldest first. The index may lag by seconds. */
  listOpen(): Promise<MoneyCase[]>;
  /** The instant up to which the books are compared. Undefined before the first comparison. */
  findCursor(): Promise<number | undefined>;
  findProgress(of: BooksTask): Promise<BooksProgress | undefined>;
  /** Saves the progress. False: another run has saved its own since this progress was read. */
  saveProgress(of: BooksTask, progress: BooksProgress): Promise<boolean>;
};

/** `CLOCK` is the hourly comparison. `OPERATOR` is the comparison of a time that an operator asked for. */
export type BooksTask = 'CLOCK' | 'OPERATOR';

/** The methods for operators. Only their commands and the console use them. */
export type MoneyCasesDesk = {
  /**
   * Closes an open case. If its outcome moves money, the same write adds the posting. A block of the client
   * stays. Returns the case as it is after the call, even if another person has closed it.
   */
  close(id: string, closing: MoneyCaseClosing): Promise<MoneyCase>;
  /**
   * Lifts the block of the case's client, at most once. Returns the case as it is after the call, even if another
   * person has lifted the block.
   */
  lift(id: string, lifting: BlockLifting): Promise<MoneyCase>;
  /**
   * Lists the cases whose block is active, or those whose block is lifted, the oldest first. The index may lag by
   * seconds.
   */
  listBlocks(block: ClientBlock): Promise<MoneyCase[]>;
  /** Lists closed cases, the oldest first. The index may lag by seconds. */
  listClosed(): Promise<MoneyCase[]>;
};
