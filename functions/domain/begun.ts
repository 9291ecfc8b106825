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

/** Leaves the work to the end of the request. Without `besides` it waits for the work. */
export async function endBesides(besides: Besides | undefined, work: Promise<unknown>): Promise<void> {
  if (besides) besides.push(begun(work));
  else await work;
}

/** Waits until all of it has ended, and then answers all results or throws the first failure. */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(works: Works) {
  await Promise.allSettled(works);
  return Promise.all(works);
}
