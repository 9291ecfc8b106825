import type { Evidence } from './evidence.ts';

/** Stores evidence, which is never changed. Recording the same evidence again changes nothing. */
export type EvidenceStore = { record(evidence: Evidence): Promise<void> };
