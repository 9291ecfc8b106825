import type { IdentityHint } from '../kyc/identity.ts';
import type { PixHint } from './pix.ts';

/** What a provider's message said, without what is personal in it; stored before it is answered. */
export type Callbacks = {
  store(callback: { id: string; hints: (PixHint | IdentityHint)[]; at: number }): Promise<void>;
};
