/**
 * Marks a call that begins before its result is needed. The caller may end by a refusal before it awaits
 * the call. A failure of the call must then not end the process as an unhandled rejection.
 */
export function begun<Answer>(call: Promise<Answer>): Promise<Answer> {
  call.catch(() => undefined);
  return call;
}
