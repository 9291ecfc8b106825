import { step } from '../entry/step.ts';
import { registerWait, WAIT_NEEDS } from '../logic/purchase/waits.ts';

/**
 * AWAITING_PIX. Stores the execution's task token. When the purchase leaves this status, the token resumes the machine
 * before its timer does.
 */
export const needs = WAIT_NEEDS;
export const handler = step({ needs }, registerWait);
