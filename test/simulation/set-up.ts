import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { putApproved } from '../support/approved.ts';
import { aClient } from '../support/builders.ts';
import type { Tables } from '../support/tables.ts';
import type { InstancePorts } from './instances.ts';
import type { Plan } from './purchases.ts';
import type { Bought } from './shop.ts';
import { HOUR_MS, START_AT } from './times.ts';

type Rows = {
  tables: Tables;
  ports: InstancePorts;
  partners: readonly Partner[];
  bought: readonly Bought[];
};

/**
 * Writes the partners, their clients and the rows that the schedules need from the start. All clients are approved,
 * except those for whom the partner vouches later.
 */
export async function setUp({ tables, ports, partners, bought }: Rows): Promise<void> {
  for (const partner of partners) await putPartner(partner, tables, ports);
  for (const { plan } of bought) await putClient(plan, ports);
  await reconcilePix(ports);
  await readTreasuryFloat(ports);
}

async function putPartner(partner: Partner, { client, names }: Tables, ports: InstancePorts): Promise<void> {
  const secretCipher = await ports.webhookSealer.encrypt(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    partner.id,
  );
  const endpoint = { id: 'e1', url: 'https://partner.example/hooks', secretCipher, createdAt: START_AT };
  const row = { ...partner, webhookEndpoints: [endpoint], id: `PARTNER#${partner.id}` };
  await client.send(new PutCommand({ TableName: names.partners, Item: row }));
}

async function putClient(plan: Plan, ports: InstancePorts): Promise<void> {
  const { partnerId, cpf } = plan;
  if (plan.isVouchedFor) plan.clientId = await clientIdOf({ partnerId, cpf }, ports.lookup);
  const { clientId, kycToken, totpSecret, limits } = plan;
  const [cpfCipher, totpCipher, personId] = await Promise.all([
    ports.vault.encrypt(cpf, clientId),
    ports.totpSealer.encrypt(totpSecret, clientId),
    personIdOf(cpf, ports.lookup),
  ]);
  const known = { id: clientId, partnerId, cpfCipher, totpCipher, enrolledAt: START_AT - HOUR_MS };
  await ports.clients.create(aClient({ ...known, ...(limits && { limits }) }));
  if (plan.isVouchedFor) return;
  const createdAt = START_AT - HOUR_MS;
  await putApproved(ports as never, { kycToken, partnerId, clientId, model: 2, createdAt }, { personId });
}
