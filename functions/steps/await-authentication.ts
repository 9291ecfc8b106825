import { step } from '../entry/step.ts';
import { registerWait, WAIT_NEEDS } from '../logic/purchase/waits.ts';

/** AWAITING_MFA. Stores the task token. The end of this status uses it to resume the machine before its timer does. */
export const needs = WAIT_NEEDS;
export const handler = step({ needs }, registerWait);
