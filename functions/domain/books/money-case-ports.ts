import type { Posting } from '../ledger.ts';
import type { BooksProgress } from './books-progress.ts';
import type { BlockLifting, ClientBlock, MoneyCase, MoneyCaseClosing } from './money-case.ts';

/** Cases of money, as the service may open them: a person closes them, by `npm run ops`. Failures as in `ports.ts`. */
export type MoneyCases = {
  /**
   * Put-if-absent. What it posts and, where it blocks the client, its mark are the same write. False: it was there, open
   * or closed.
   */
  open(opened: MoneyCase, posting?: Posting): Promise<boolean>;
  findCase(id: string): Promise<MoneyCase | undefined>;
  /** The oldest first; the index may be stale. */
  listOpen(): Promise<MoneyCase[]>;
  /** The books are compared up to this instant; undefined before the first time. */
  findCursor(): Promise<number | undefined>;
  findProgress(of: BooksTask): Promise<BooksProgress | undefined>;
  /** False where somebody else has kept a progress since the version before was read. */
  saveProgress(of: BooksTask, progress: BooksProgress): Promise<boolean>;
};

/** Whose comparison: the clock's, or one of a time that an operator asked for. */
export type BooksTask = 'CLOCK' | 'OPERATOR';

/** What operators do besides. No function is granted it. */
export type MoneyCasesDesk = {
  /**
   * Closes what is open; what was given back outside is posted in the same write. A client whom it blocks stays blocked. The
   * answer is the case as it is now, whoever closed it.
   */
  close(id: string, closing: MoneyCaseClosing): Promise<MoneyCase>;
  /** Lifts the block of the case's client, once; the answer is the case as it is now, whoever lifted it. */
  lift(id: string, lifting: BlockLifting): Promise<MoneyCase>;
  /** Cases that block a client, or did, the oldest first; the index may be stale. */
  listBlocks(block: ClientBlock): Promise<MoneyCase[]>;
  /** The oldest first; the index may be stale. */
  listClosed(): Promise<MoneyCase[]>;
};
