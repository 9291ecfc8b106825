import { allEnded, type Besides } from '../domain/begun.ts';
import { Refusal, refuse } from '../domain/errors.ts';
import type { IdempotencyClaim, Reservation, StoredAnswer } from '../domain/partners/idempotency-ports.ts';
import type { Needs } from '../domain/ports.ts';
import { newReservation } from '../logic/ids.ts';
import { failure } from './answer.ts';

export const IDEMPOTENCY_NEEDS = ['clock', 'random', 'idempotency', 'lookup'] as const;
type Ports = Needs<typeof IDEMPOTENCY_NEEDS>;

/** The form of an idempotency key: printable ASCII that is not only spaces. Spec, "Limits". */
const KEY_FORM = /^(?=.*[^ ])[\x20-\x7e]{1,255}$/;
/**
 * The lease on an idempotency key lasts this much longer than the function's time-out. A crashed function has
 * therefore stopped before its lease ends. The partner's next request then takes over the key, and uses the
 * ids that the crashed request reserved.
 */
const LEASE_GRACE_MS = 5000;
const FINAL_STATUS = { from: 400, below: 500 };
/**
 * A refusal with this status is not stored for repeated requests, because the partner's permission may
 * change.
 */
const FORBIDDEN = 403;

export type Keyed = {
  /** The header as the partner sent it. */
  key: string | undefined;
  /**
   * Partner, method and URL path of the request. The same idempotency key in another scope counts as another
   * key.
   */
  scope: string;
  request: unknown;
  timeoutMs: number;
};
/**
 * The state of a request's idempotency key. A request without a key has no `scope`, and its state is always
 * `OURS`.
 */
export type ClaimedScope = IdempotencyClaim & { scope?: string };
export type Answered = { answer: StoredAnswer; isReplay: boolean };

/** Claims the idempotency key of a request. */
export async function claimKey(ports: Ports, keyed: Keyed): Promise<ClaimedScope> {
  const fresh = newReservation(ports.clock.now(), ports.random);
  if (keyed.key === undefined) return { state: 'OURS', reservation: fresh };
  if (!KEY_FORM.test(keyed.key)) {
    refuse('INVALID_REQUEST', {
      issues: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
    });
  }
  const scope = await ports.lookup.fingerprint(`${keyed.scope} ${keyed.key}`);
  const requestHash = await ports.lookup.fingerprint(JSON.stringify(keyed.request));
  const leaseMs = keyed.timeoutMs + LEASE_GRACE_MS;
  return { scope, ...(await ports.idempotency.claim(scope, requestHash, fresh, leaseMs)) };
}

/**
 * Releases the idempotency key of a request that was refused while the key was being claimed. Throws nothing,
 * because the caller must get the refusal. If the release fails, the lease on the key ends by itself.
 */
export async function giveBack({ idempotency }: Ports, claimed: Promise<ClaimedScope>): Promise<void> {
  try {
    const { state, scope } = await claimed;
    if (state === 'OURS' && scope !== undefined) await idempotency.release(scope);
  } catch {}
}

type RunOperation = (reservation: Reservation, besides: Besides) => Promise<StoredAnswer>;

/**
 * Runs the operation once for each idempotency key: docs/decisions.md, "Idempotency". Without a key it always
 * runs. A final refusal is stored like an answer. Any other failure releases the key for the next request,
 * and after a crash the key's lease ends by itself. The work that the operation leaves in `besides` ends
 * before the answer is sent. If that work fails, the answer may already be stored. `replay` must then do the
 * work.
 */
export async function runOnce(ports: Ports, claimed: ClaimedScope, run: RunOperation): Promise<Answered> {
  const { scope } = claimed;
  if (claimed.state === 'ANSWERED') return { answer: claimed.answer, isReplay: true };
  if (claimed.state === 'OTHER_REQUEST') refuse('IDEMPOTENCY_KEY_REUSED');
  if (claimed.state === 'IN_PROGRESS') {
    refuse('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: claimed.retryAfterSeconds });
  }
  const besides: Besides = [];
  const operate = () => run(claimed.reservation, besides);
  if (scope !== undefined) {
    return { answer: await runClaimed(ports, scope, { operate, besides }), isReplay: false };
  }
  const answer = await operate();
  await allEnded(besides);
  return { answer, isReplay: false };
}

type Running = { operate: () => Promise<StoredAnswer>; besides: Besides };

async function runClaimed(
  { idempotency }: Ports,
  scope: string,
  { operate, besides }: Running,
): Promise<StoredAnswer> {
  try {
    const answer = await operate().catch(finalRefusal);
    await allEnded([idempotency.remember(scope, answer), ...besides]);
    return answer;
  } catch (error) {
    // If the release fails too, the lease ends by itself. The caller gets the first error.
    await idempotency.release(scope).catch(() => undefined);
    throw error;
  }
}

function finalRefusal(error: unknown): StoredAnswer {
  if (!(error instanceof Refusal)) throw error;
  const answer = failure(error);
  const { statusCode } = answer;
  const isFinal =
    statusCode >= FINAL_STATUS.from && statusCode < FINAL_STATUS.below && statusCode !== FORBIDDEN;
  // A refusal with `retryAfterSeconds` is not final: the same request may succeed later.
  if (!isFinal || error.details.retryAfterSeconds !== undefined) throw error;
  return answer;
}
