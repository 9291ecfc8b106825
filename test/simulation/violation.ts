/** One broken invariant, and the purchase at which it was seen. */
export type Violation = { invariant: number; says: string; scope?: string };
