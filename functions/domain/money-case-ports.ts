import type { Posting } from './ledger.ts';
import type { MoneyCase, MoneyCaseClosing } from './money-case.ts';

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
  /** Never goes back. */
  moveCursor(upTo: number): Promise<void>;
};

/** What operators do besides. No function is granted it. */
export type MoneyCasesDesk = {
  /**
   * Closes what is open, and with it frees the client; what was given back outside is posted in the same write. The answer is
   * the case as it is now, whoever closed it.
   */
  close(id: string, closing: MoneyCaseClosing): Promise<MoneyCase>;
};
