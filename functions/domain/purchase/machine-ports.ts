import type { MachineStatus } from './status.ts';

/** The state machine. Starting or resuming an execution a second time is not an error. */
export type Machine = {
  start(transactionId: string, status: MachineStatus, executions: number): Promise<void>;
  isRunning(transactionId: string, executions: number): Promise<boolean>;
  resume(token: string, output: { transactionId: string; status: MachineStatus }): Promise<void>;
};
