import type { Posting } from '../ledger.ts';
import type { BooksProgress } from './books-progress.ts';
import type { BlockLifting, ClientBlock, MoneyCase, MoneyCaseClosing } from './money-case.ts';

/**
 * The cases of money, as the service opens them. Only a person closes one, by `npm run ops`. Failures as in
 * `ports.ts`.
 */
export type MoneyCases = {
  /**
   * Put-if-absent. Its posting, and the mark on the client whom it blocks, are in the same write. False: the case
   * exists already, open or closed.
   */
  open(opened: MoneyCase, posting?: Posting): Promise<boolean>;
  findCase(id: string): Promise<MoneyCase | undefined>;
  /** Oldest first. The index may be stale. */
  listOpen(): Promise<MoneyCase[]>;
  /** The books are compared up to this instant. Undefined before the first comparison. */
  findCursor(): Promise<number | undefined>;
  findProgress(of: BooksTask): Promise<BooksProgress | undefined>;
  /** False: another run has saved its progress since this one was read. */
  saveProgress(of: BooksTask, progress: BooksProgress): Promise<boolean>;
};

/** The comparison of each hour, or the comparison of a time that an operator asked for. */
export type BooksTask = 'CLOCK' | 'OPERATOR';

/** The acts of operators alone. No function has these grants. */
export type MoneyCasesDesk = {
  /**
   * Closes an open case. Money that was given back outside is posted in the same write. A client whom the case
   * blocks stays blocked. Answers the case as it is now, even if somebody else closed it.
   */
  close(id: string, closing: MoneyCaseClosing): Promise<MoneyCase>;
  /** Lifts the block of the case's client, once. Answers the case as it is now, even if somebody else lifted it. */
  lift(id: string, lifting: BlockLifting): Promise<MoneyCase>;
  /** The cases whose block is active, or lifted, oldest first. The index may be stale. */
  listBlocks(block: ClientBlock): Promise<MoneyCase[]>;
  /** Oldest first. The index may be stale. */
  listClosed(): Promise<MoneyCase[]>;
};
