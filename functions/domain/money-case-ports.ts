import type { MoneyCase, MoneyCaseClosing } from './money-case.ts';

/** Cases of money, as the service may open them: a person closes them, by `npm run ops`. Failures as in `ports.ts`. */
export type MoneyCases = {
  /** Put-if-absent; where it blocks the client, in the same write. False: it was there, open or closed. */
  open(opened: MoneyCase): Promise<boolean>;
  findCase(id: string): Promise<MoneyCase | undefined>;
  /** The oldest first; the index may be stale. */
  listOpen(): Promise<MoneyCase[]>;
};

/** What operators do besides. No function is granted it. */
export type MoneyCasesDesk = {
  /** Closes what is open, and with it frees the client; the answer is the case as it is now, whoever closed it. */
  close(id: string, closing: MoneyCaseClosing): Promise<MoneyCase>;
};
