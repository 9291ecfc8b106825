import type { Refusal } from '../../../functions/domain/errors.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import { MINUTE_MS } from '../times.ts';
import type { Violation } from '../violation.ts';

/** The longest time from the check of a block to the last write that may follow it. A later write is a violation. */
const LATE_MS = 2.5 * MINUTE_MS;
/** Refusals for what others did. They may say nothing about it. */
const NEUTRAL: readonly string[] = ['CLIENT_BLOCKED', 'PROMISES_EXHAUSTED', 'PRICE_UNAVAILABLE'];
const SAID: readonly string[] = ['scope', 'retryAfterSeconds'];

type World = {
  now: () => number;
  /** The transaction of a payment that gets a nonce. */
  purchaseOf: (id: string) => Transaction | undefined;
  report: (violation: Violation) => void;
};

/**
 * Invariant 15: a blocked person opens no purchase, and gets no charge and no tokens. A client with a MED gets no
 * charge. No refusal tells the reason.
 */
export function openBlockGuard({ now, purchaseOf, report }: World) {
  const blockedAt = new Map<string, number>();
  const counts = { 'persons blocked': 0, 'clients blocked': 0 };

  const sinceOf = (id = '') => blockedAt.get(id) ?? Number.POSITIVE_INFINITY;

  function judge({ id, personId, clientId }: Transaction, what: string, scope: string): void {
    const since = Math.min(
      sinceOf(personId),
      what === 'got a nonce' ? Number.POSITIVE_INFINITY : sinceOf(clientId),
    );
    const says = `${id}: ${what} ${Math.round((now() - since) / 1000)} s after its person was blocked`;
    if (now() - since > LATE_MS) report({ invariant: 15, scope, says });
  }

  return {
    counts,
    /** A person decided about the person, or the bank took back a payment of the client. */
    onBlock(id: string, what: 'persons blocked' | 'clients blocked'): void {
      if (blockedAt.has(id)) return;
      counts[what]++;
      blockedAt.set(id, now());
    },
    onPurchase(before: Transaction | undefined, after: Transaction, scope: string): void {
      if (!before) judge(after, 'opened', scope);
      if (after.status === 'AWAITING_PIX' && before?.status === 'AWAITING_MFA')
        judge(after, 'charged', scope);
    },
    onNonce(transactionId: string, scope: string): void {
      const purchase = purchaseOf(transactionId);
      if (purchase) judge(purchase, 'got a nonce', scope);
    },
    onRefusal({ code, details }: Refusal, scope: string): void {
      if (!NEUTRAL.includes(code)) return;
      const more = Object.keys(details).filter((name) => !SAID.includes(name));
      if (more.length > 0) report({ invariant: 15, scope, says: `${code} tells ${more}` });
    },
  };
}
