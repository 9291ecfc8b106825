import type { IdentityHint } from '../kyc/identity.ts';
import type { PixHint } from './pix.ts';

/** The hints of a provider's message, without personal data. They are stored before the message is answered. */
export type Callbacks = {
  store(callback: { id: string; hints: (PixHint | IdentityHint)[]; at: number }): Promise<void>;
};
