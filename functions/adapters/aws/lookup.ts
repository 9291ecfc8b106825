import { createHmac } from 'node:crypto';
import type { Lookup } from '../../domain/ports.ts';

const SECRET_LENGTH = 16;

/**
 * @param lookupSecret the HMAC key of the fingerprints. It must never change, because with another key no
 * known client can be found again
 */
export function lookup(lookupSecret: () => Promise<string>): Lookup {
  return {
    async fingerprint(value) {
      const secret = await lookupSecret();
      if (secret.length < SECRET_LENGTH) throw new Error('the look-up secret is too short');
      return createHmac('sha256', secret).update(value).digest('hex');
    },
  };
}
