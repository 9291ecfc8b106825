export const STAGES = ['sandbox', 'production'] as const;
export type Stage = (typeof STAGES)[number];
