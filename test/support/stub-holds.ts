import type { Hold } from '../../functions/domain/treasury/hold.ts';
import type { Holds } from '../../functions/domain/treasury/hold-ports.ts';

/** No hold stops payments, unless the test sets one. */
export type StubHolds = Holds & { hold?: Hold; replayedAt?: number };

export function stubHolds(): StubHolds {
  const stub: StubHolds = {
    findHold: async () => stub.hold,
    findReplayedAt: async () => stub.replayedAt,
    keepTime: async () => stub.hold,
  };
  return stub;
}
