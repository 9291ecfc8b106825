import type { MachineStatus } from './status.ts';

/** The state machine. To start or resume an execution a second time is no error. */
export type Machine = {
  start(transactionId: string, status: MachineStatus, executions: number): Promise<void>;
  isRunning(transactionId: string, executions: number): Promise<boolean>;
  resume(token: string, output: { transactionId: string; status: MachineStatus }): Promise<void>;
};
