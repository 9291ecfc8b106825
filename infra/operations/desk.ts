import { randomBytes } from 'node:crypto';
import { makeClient as dynamoClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { makeClient as kmsClient } from '../../functions/adapters/aws/clients/kms.ts';
import { makeClient as secretsClient } from '../../functions/adapters/aws/clients/secrets-manager.ts';
import { secretLoader } from '../../functions/adapters/aws/secrets.ts';
import { vault } from '../../functions/adapters/aws/vault.ts';
import { clientStore } from '../../functions/adapters/dynamodb/clients.ts';
import {
  type PartnerRegister,
  partnerRegister,
  partnerStore,
} from '../../functions/adapters/dynamodb/partners.ts';
import { deliveryStore, eventStore, evidenceStore } from '../../functions/adapters/dynamodb/records.ts';
import { webhookSender } from '../../functions/adapters/webhook-sender.ts';
import type { Partner } from '../../functions/domain/partner.ts';
import type { Ports } from '../../functions/domain/ports.ts';
import { outputOf, type Target } from './outputs.ts';
import { refused } from './words.ts';

/** What a command works with: the service's own stores, opened with the operator's credentials. */
export type Desk = Pick<
  Ports,
  | 'stage'
  | 'clock'
  | 'random'
  | 'partners'
  | 'clients'
  | 'deliveries'
  | 'events'
  | 'evidence'
  | 'vault'
  | 'webhookSender'
> & { register: PartnerRegister };

export function openDesk(target: Target): Desk {
  const { stage, region, endpoint } = target;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { region, ...(endpoint && { endpoint, credentials }) };
  const dynamo = dynamoClient(options);
  const clock = { now: () => Date.now(), minuteMs: 60_000 };
  const random = { bytes: (length: number) => randomBytes(length) };
  const secrets = secretLoader(async () => secretsClient(options), clock);
  const table = (key: string) => outputOf(target, key);
  return {
    stage,
    clock,
    random,
    partners: partnerStore(dynamo, table('PartnersTable'), random),
    register: partnerRegister(dynamo, table('PartnersTable'), random),
    clients: clientStore(dynamo, table('ClientsTable')),
    deliveries: deliveryStore(dynamo, table('DeliveriesTable')),
    events: eventStore(dynamo, table('EventsTable')),
    evidence: evidenceStore(dynamo, table('EvidenceTable')),
    vault: vault({
      load: async () => kmsClient(options),
      dataKeyId: outputOf(target, 'DataKeyId'),
      lookupSecret: () => secrets.text(outputOf(target, 'LookupSecret')),
      random,
      clock,
    }),
    webhookSender: webhookSender({ allowLoopback: stage === 'sandbox' }, { clock }),
  };
}

export async function requirePartner({ partners }: Pick<Desk, 'partners'>, id: string): Promise<Partner> {
  return (await partners.findPartner(id)) ?? refused(`There is no partner ${id}.`);
}
