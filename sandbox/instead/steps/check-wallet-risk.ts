import { begun } from '../../../functions/domain/begun.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { type StepInput, step } from '../../../functions/entry/step.ts';
import { getTransaction } from '../../../functions/logic/rows.ts';
import { checkWalletRisk, needs as ports } from '../../../functions/steps/check-wallet-risk.ts';
import { screeningOf, takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;

/**
 * Runs the product's step. The screening of wallets does not answer if the partner requested an outage of it.
 */
async function checkScenario(input: StepInput, ports: Ports) {
  const isDown = begun(isScreeningDown(input, ports));
  return checkWalletRisk(input, { ...ports, walletRisk: screeningOf(ports.walletRisk, isDown) });
}

async function isScreeningDown({ transactionId }: StepInput, { transactions }: Ports) {
  const { clientId } = await getTransaction(transactions, transactionId);
  return takeEvent('SCREENING_OUTAGE', clientId);
}

export const handler = step({ needs: ports }, checkScenario);
