import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { putApproved } from '../support/approved.ts';
import { aClient } from '../support/builders.ts';
import type { Tables } from '../support/tables.ts';
import type { Bought } from './buyer.ts';
import type { InstancePorts } from './instances.ts';
import { HOUR_MS, START_AT } from './times.ts';

type Rows = { tables: Tables; ports: InstancePorts; partner: Partner; bought: readonly Bought[] };

/**
 * Writes the partner, its clients and the rows that the schedules need from the start. All clients are approved,
 * except those for whom the partner vouches later.
 */
export async function setUp({ tables, ports, partner, bought }: Rows): Promise<void> {
  const { client, names } = tables;
  const secretCipher = await ports.webhookSealer.encrypt(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    partner.id,
  );
  const endpoint = { id: 'e1', url: 'https://partner.example/hooks', secretCipher, createdAt: START_AT };
  const row = { ...partner, webhookEndpoints: [endpoint], id: `PARTNER#${partner.id}` };
  await client.send(new PutCommand({ TableName: names.partners, Item: row }));
  for (const { plan } of bought) {
    if (plan.isVouchedFor)
      plan.clientId = await clientIdOf({ partnerId: partner.id, cpf: plan.cpf }, ports.lookup);
    const { clientId, kycToken, cpf, totpSecret } = plan;
    const [cpfCipher, totpCipher] = await Promise.all([
      ports.vault.encrypt(cpf, clientId),
      ports.totpSealer.encrypt(totpSecret, clientId),
    ]);
    await ports.clients.create(
      aClient({ id: clientId, partnerId: partner.id, cpfCipher, totpCipher, enrolledAt: START_AT - HOUR_MS }),
    );
    if (plan.isVouchedFor) continue;
    await putApproved(ports as never, {
      kycToken,
      partnerId: partner.id,
      clientId,
      model: 2,
      createdAt: START_AT - HOUR_MS,
    });
  }
  await reconcilePix(ports);
  await readTreasuryFloat(ports);
}
