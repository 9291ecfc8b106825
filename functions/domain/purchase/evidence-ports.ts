import type { Evidence } from './evidence.ts';

/** Append-only. Recording the same evidence again changes nothing. */
export type EvidenceStore = { record(evidence: Evidence): Promise<void> };
