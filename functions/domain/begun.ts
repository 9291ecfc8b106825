/**
 * Marks a call that begins before its result is needed. The caller may refuse meanwhile and never wait for it. Then its
 * failure must not end the process as an unhandled rejection.
 */
export function begun<Answer>(call: Promise<Answer>): Promise<Answer> {
  call.catch(() => undefined);
  return call;
}
