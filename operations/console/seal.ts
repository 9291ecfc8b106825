import { createHmac } from 'node:crypto';

/** Seals a text for the session. */
export type Seal = (text: string) => string;

/**
 * Seals a text for one session. The sealed text contains NUL characters, which the signed text of a session
 * cookie never does. A seal is therefore never a valid signature of a session.
 */
export const sealOf =
  (key: Uint8Array, sessionId: string): Seal =>
  (text) =>
    createHmac('sha256', key).update(`form\0${sessionId}\0${text}`).digest('base64url');
