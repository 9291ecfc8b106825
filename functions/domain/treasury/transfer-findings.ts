import type { Condition } from '../watching/conditions.ts';

type Finding = { raises: Condition; means: string; operator: string };

/**
 * The possible findings of `WatchTransfers` about a completed transfer. Operators read the key as `doing` in
 * the log. The page docs/waits.md has the list.
 */
export const TRANSFER_FINDINGS = {
  'completed transfer is lost': {
    raises: 'TransferLost',
    means: 'something else is final at its nonce: the client has no tokens',
    operator: '**Person.** Compensate the client by hand. The service does nothing more.',
  },
  'completed transfer was dropped from the chain, and is cast again': {
    raises: 'TransferChanged',
    means: 'a reorganisation was deeper than `confirmations`',
    operator: 'Nothing. If it happens again, raise `confirmations`.',
  },
  'completed transfer has another hash': {
    raises: 'TransferChanged',
    means: 'a reorganisation was deeper than `confirmations`, and another attempt was mined',
    operator: 'Nothing. If it happens again, raise `confirmations`.',
  },
} as const satisfies Readonly<Record<string, Finding>>;

export type TransferFinding = keyof typeof TRANSFER_FINDINGS;
