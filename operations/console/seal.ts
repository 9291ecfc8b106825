import { createHmac } from 'node:crypto';

/** Seals a text for the session. */
export type Seal = (text: string) => string;

/** A cookie's signed text has no NUL, so no seal is the signature of a session. */
export const sealOf =
  (key: Uint8Array, sessionId: string): Seal =>
  (text) =>
    createHmac('sha256', key).update(`form\0${sessionId}\0${text}`).digest('base64url');
