/** One broken invariant, and the purchase that it was seen at. */
export type Violation = { invariant: number; says: string; scope?: string };
