import { step } from '../entry/step.ts';
import { registerWait, WAIT_NEEDS } from '../logic/purchase/waits.ts';

/** AWAITING_PIX. Stores the task token that process-callback gives back; the machine's timer wakes it otherwise. */
export const needs = WAIT_NEEDS;
export const handler = step({ needs }, registerWait);
