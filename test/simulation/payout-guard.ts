import type { Asset } from '../../functions/domain/assets.ts';
import type { Row } from './cloud/values.ts';
import { MINUTE_MS } from './times.ts';
import type { Violation } from './violation.ts';

/** A little less than an hour, because a write may land some time after its function has looked at the clock. */
const WINDOW_MS = 55 * MINUTE_MS;

type Payout = { asset: Asset; units: bigint; at: number };
type World = {
  now: () => number;
  ceilingOf: (asset: Asset) => bigint;
  report: (violation: Violation) => void;
};

/** Invariant 10: within an hour, payments of an asset get nonces for no more units than its ceiling. */
export function openPayoutGuard({ now, ceilingOf, report }: World) {
  const payouts = new Map<string, Payout>();
  const counts = { nonces: 0 };
  return {
    counts,
    /** `settlement` is a row that has just got a nonce. A purchase counts once, with its last nonce. */
    onNonce(settlement: Row, scope: string): void {
      counts.nonces++;
      const { transactionId, asset, units } = settlement as {
        transactionId: string;
        asset: Asset;
        units: string;
      };
      payouts.set(transactionId, { asset, units: BigInt(units), at: now() });
      const recent = [...payouts.values()].filter(
        (each) => each.asset === asset && each.at > now() - WINDOW_MS,
      );
      const sum = recent.reduce((total, each) => total + each.units, 0n);
      if (sum <= ceilingOf(asset)) return;
      const says = `${transactionId}: ${sum} units of ${asset} got nonces within an hour, and ${ceilingOf(asset)} may`;
      report({ invariant: 10, scope, says });
    },
  };
}
