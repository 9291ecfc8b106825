import type { Status } from './status.ts';

/** The state machine. Starting and resuming what is already so is no error. */
export type Machine = {
  start(transactionId: string, status: Status, executions: number): Promise<void>;
  isRunning(transactionId: string, executions: number): Promise<boolean>;
  resume(token: string, output: { transactionId: string; status: Status }): Promise<void>;
};
