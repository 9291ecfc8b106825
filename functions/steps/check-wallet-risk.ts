import { begun } from '../domain/begun.ts';
import { ordinary, Refusal } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { type StepInput, step } from '../entry/step.ts';
import { requireCleanWallet } from '../logic/purchase/require-clean-wallet.ts';
import { requireClearClient, STILL_CLEAR_NEEDS } from '../logic/purchase/still-clear.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = ['transactions:read', 'walletRisk', ...STILL_CLEAR_NEEDS] as const;

/**
 * In the first minutes after the payment, the wallet and the client are checked in parallel. A later visit
 * probably means that the purchase waits for a reviewer. The client is then checked first, so that the
 * vendor of wallet checks is not asked at each visit.
 */
const JUST_PAID_MINUTES = 2;

/**
 * PROCESSING. Checks the wallet again before anything is sent: spec, "States and transitions". If the
 * sanctions lists have changed, it also searches them for the client again: docs/decisions.md, "Screening
 * again". `checkedAt` tells the next steps how old these results are.
 */
export async function checkWalletRisk({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const head = ports.walletRisk.findHead();
  const purchase = await getTransaction(ports.transactions, transactionId);
  const { status, clientId, asset, walletAddress, payment } = purchase;
  const checkedAt = ports.clock.now();
  const isJustPaid = payment && checkedAt - payment.paidAt < JUST_PAID_MINUTES * ports.clock.minuteMs;
  const check = isJustPaid ? begun(ports.walletRisk.check(walletAddress, asset, head)) : undefined;
  const { screenedWith } = await requireClearClient(purchase, 'CheckWalletRisk', ports);
  const { facts } = await requireCleanWallet(
    { transactionId, clientId, asset, address: walletAddress, head, check },
    'CheckWalletRisk',
    ports,
  ).catch((error: Error) => {
    // A refused wallet raises no alarm, because the machine then fails the purchase and the money goes
    // back.
    throw error instanceof Refusal ? ordinary(error) : error;
  });
  // If the wallet is clear, both the oracle and the lists have answered.
  const { oracle, listed } = facts as Required<typeof facts>;
  const { address, blockNumber } = oracle;
  const listsVersion = listed.index.version;
  return {
    transactionId,
    status,
    decision: 'CLEAR',
    oracle: address,
    blockNumber,
    listsVersion,
    screenedWith,
    checkedAt,
  };
}

export const handler = step({ needs }, checkWalletRisk);
