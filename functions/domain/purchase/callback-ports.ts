import type { IdentityHint } from '../kyc/identity.ts';
import type { PixHint } from './pix.ts';

/**
 * Stores what a provider's callback says, without personal data. It is stored before the callback is answered, so that
 * a crash loses nothing.
 */
export type Callbacks = {
  store(callback: { id: string; hints: (PixHint | IdentityHint)[]; at: number }): Promise<void>;
};
