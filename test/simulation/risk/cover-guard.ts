import { ASSET_NAMES } from '../../../functions/domain/assets.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import type { UnmatchedPayment } from '../../../functions/domain/purchase/unmatched-payment.ts';
import type { MemoryDynamoDb } from '../cloud/dynamodb.ts';
import type { Row } from '../cloud/values.ts';
import type { Violation } from '../violation.ts';

type World = {
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  balanceCentavos: () => number;
  report: (violation: Violation) => void;
};

/**
 * Invariant 16: a run of `ReconcilePix` that reads the balance pauses charges if the account holds less than all open
 * refunds. Otherwise it ends the pause. During a pause no tokens are reserved for a charge.
 */
export function openCoverGuard({ memory, names, balanceCentavos, report }: World) {
  const counts = { 'pauses for refunds': 0 };
  /** The runs that failed to read the balance or to write the result down. */
  const failed = new Set<string>();

  const pauses = () => {
    const floats = memory.rows(names.floats!);
    return ASSET_NAMES.map((asset) => floats.find(({ id }) => id === asset)?.shortfall !== undefined);
  };

  function isShort(): boolean {
    const purchases = memory.rows(names.transactions!) as unknown as Transaction[];
    const unmatched = memory.rows(names.unmatchedPayments!) as unknown as UnmatchedPayment[];
    const owed = [
      ...purchases.flatMap(({ refund }) => (refund?.status === 'PENDING' ? [refund.amountCentavos] : [])),
      ...unmatched.flatMap((each) => (each.refund?.status === 'PENDING' ? [each.amountCentavos] : [])),
    ];
    return balanceCentavos() < owed.reduce((sum, centavos) => sum + Number(centavos), 0);
  }

  return {
    counts,
    isShort,
    onRaise: (what: string, scope: string) => void (what === 'PixBalanceNotRead' && failed.add(scope)),
    /** `wasShort` was asked when the run began. A run during which that changed may have seen either. */
    onRun(scope: string, wasShort: boolean): void {
      if (failed.has(scope) || isShort() !== wasShort) return;
      if (wasShort) counts['pauses for refunds']++;
      const words = wasShort
        ? 'no pause though the account does not cover'
        : 'a pause though the account covers';
      if (pauses().some((isPaused) => isPaused !== wasShort))
        report({ invariant: 16, scope, says: `${scope}: ${words} the refunds` });
    },
    onReserved({ id, asset }: Row, scope: string): void {
      const float = memory.rows(names.floats!).find((row) => row.id === asset);
      if (float?.shortfall !== undefined)
        report({ invariant: 16, scope, says: `${id}: tokens are reserved though refunds are not covered` });
    },
  };
}
