import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { makeClient } from '../../../functions/adapters/aws/clients/dynamodb.ts';
import {
  needs as ports,
  handler as product,
  type SubmissionBasis,
  submitKyc,
} from '../../../functions/api/submit-kyc.ts';
import { KYC_LIFE_MS } from '../../../functions/domain/kyc/kyc.ts';
import type { KycRecords } from '../../../functions/domain/kyc/kyc-ports.ts';
import type { RegistryQuotas } from '../../../functions/domain/partners/registry-quota.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { type Caller, endpoint } from '../../../functions/entry/endpoint.ts';
import { clientIdOf } from '../../../functions/logic/kyc/client-id.ts';
import { routeOf } from '../../../functions/routes.ts';
import { variableOf } from '../../../functions/settings.ts';
import { findScenario } from '../../providers/scenarios.ts';
import { askSimulators } from '../../simulators.ts';
import { takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Request = z.output<typeof product.request>;
type Ports = Needs<typeof ports>;

/**
 * Runs the product's submission of a client. Each submission starts the scenario of the CPF from its
 * beginning, so that a tester can repeat it. If the partner requested the event `QUOTA_REACHED`, the product
 * meets a used-up quota.
 */
async function submitScenario(request: Request, { early, ...caller }: Caller<SubmissionBasis>, given: Ports) {
  const { cpf } = request;
  const scenario = findScenario(cpf);
  const findId = () => clientIdOf({ partnerId: caller.partner.id, cpf }, given.lookup);
  const ports = { ...given, registryQuotas: usedUpFor(findId, given.registryQuotas) };
  if (!scenario) return submitKyc(request, { ...caller, early }, ports);
  const clientId = await findId();
  await Promise.all([askSimulators(`/scenarios/${cpf}/hold`, { clientId }), enrolAnew(clientId)]);
  try {
    const submit = scenario.endsAtOnce ? submitEnding : submitKyc;
    return await submit(request, caller, ports);
  } finally {
    await askSimulators(`/scenarios/${cpf}/begin`, { clientId });
  }
}

const usedUpFor = (findId: () => Promise<string>, quotas: RegistryQuotas): RegistryQuotas => ({
  ...quotas,
  async count(wanted, maximum) {
    if (await takeEvent('QUOTA_REACHED', await findId())) return { used: maximum };
    return quotas.count(wanted, maximum);
  },
});

/**
 * Submits the client. The KYC token is stored as expired at the moment of its issue, and the answer shows
 * this expiry.
 */
async function submitEnding(request: Request, caller: Caller, ports: Ports) {
  const kycRecords = endingAtOnce(ports.kycRecords);
  const answer = await submitKyc(request, caller, { ...ports, kycRecords });
  return { ...answer, expiresAt: new Date(Date.parse(answer.expiresAt) - KYC_LIFE_MS).toISOString() };
}

/**
 * Stores each KYC record as expired. The product gets it back with the usual expiry, because the answer to a
 * submission is never `EXPIRED`.
 */
function endingAtOnce(records: KycRecords): KycRecords {
  return {
    ...records,
    async create(record, ...others) {
      const kept = await records.create({ ...record, expiresAt: record.issuedAt }, ...others);
      return kept && { ...kept, expiresAt: kept.issuedAt + KYC_LIFE_MS };
    },
  };
}

/**
 * Makes the client's next challenge show the enrolment of the authenticator app again. A tester has probably
 * lost the secret of an earlier enrolment.
 */
async function enrolAnew(clientId: string): Promise<void> {
  const command = new UpdateCommand({
    TableName: process.env[variableOf('clientsTable')],
    Key: { id: clientId },
    UpdateExpression:
      'SET wrongCodes = :zero REMOVE enrolledAt, lockedUntil, lastStep, lastTransactionId, lastRequestId',
    ConditionExpression: 'attribute_exists(enrolledAt) OR attribute_exists(lockedUntil)',
    ExpressionAttributeValues: { ':zero': 0 },
  });
  await table()
    .send(command)
    .catch((error: Error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
    });
}

let client: ReturnType<typeof makeClient> | undefined;
const table = () => {
  client ??= makeClient({});
  return client;
};

export const handler = endpoint(routeOf('SubmitKyc'), product, submitScenario);
