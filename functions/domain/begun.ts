/**
 * Marks a call that begins before its result is needed. The caller may end by a refusal before it awaits
 * the call. A failure of the call must then not end the process as an unhandled rejection.
 */
export function begun<Answer>(call: Promise<Answer>): Promise<Answer> {
  call.catch(() => undefined);
  return call;
}

/**
 * Work that must end before a request is answered, although the answer does not depend on it. It runs while the answer
 * is stored under the idempotency key.
 */
export type Besides = Promise<unknown>[];

/**
 * Adds the work to `besides`, so that it ends before the request is answered. Without `besides` it waits
 * for the work now.
 */
export async function endBesides(besides: Besides | undefined, work: Promise<unknown>): Promise<void> {
  if (besides) besides.push(begun(work));
  else await work;
}

/**
 * Waits until all `works` have ended. Then it answers all results, or throws the failure of the first work
 * in the list that failed.
 */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(works: Works) {
  await Promise.allSettled(works);
  return Promise.all(works);
}
