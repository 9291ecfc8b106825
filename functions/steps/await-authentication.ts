import { step } from '../edge/step.ts';
import { registerWait, WAIT_NEEDS } from '../edge/waits.ts';

/** AWAITING_MFA. Stores the task token that confirm-mfa gives back; the machine's timer wakes it otherwise. */
export const needs = WAIT_NEEDS;
export const handler = step({ needs }, registerWait);
