/** Makes the ports of partners, of their requests, and of the events for them. */
import { join } from 'node:path';
import type { KeyLimits } from '../../domain/partners/made-key.ts';
import { fromJson, part, store } from './parts.ts';

const partners = store(async () => {
  const { partnerStore } = await import('../dynamodb/partners.ts');
  return ({ dynamo, tables, random }) => partnerStore(dynamo, tables.partners, random);
});

const events = store(async () => {
  const { eventStore } = await import('../dynamodb/records.ts');
  return ({ dynamo, tables, random }) => eventStore(dynamo, tables.events, random);
});

const deliveries = store(async () => {
  const { deliveryStore } = await import('../dynamodb/records.ts');
  return ({ dynamo, tables, random }) => deliveryStore(dynamo, tables.deliveries, random);
});

export const PARTNERS_MAKERS = {
  partners,
  partnerSettings: partners,
  partnerKeys: store(async () => {
    const { partnerKeyStore } = await import('../dynamodb/partner-keys.ts');
    return ({ dynamo, tables, random }) => partnerKeyStore(dynamo, tables, random);
  }),
  keyNews: store(async () => {
    const { keyNewsStore } = await import('../dynamodb/partner-keys.ts');
    return ({ dynamo, tables, random }) => keyNewsStore(dynamo, tables.partners, random);
  }),
  vendorKeys: store(async () => {
    const { vendorKeyStore } = await import('../dynamodb/vendor-keys.ts');
    return ({ dynamo, tables, random }) => vendorKeyStore(dynamo, tables, random);
  }),
  keyLimits: fromJson<KeyLimits>('keyLimits'),
  registryQuotas: store(async () => {
    const { registryQuotaStore } = await import('../dynamodb/registry-quotas.ts');
    return ({ dynamo, tables }) => registryQuotaStore(dynamo, tables.usages);
  }),
  registryQuota: fromJson<number>('registryQuota'),
  rateLimiter: store(async () => {
    const { rateLimiter } = await import('../dynamodb/rate-limiter.ts');
    return ({ dynamo, tables }) => rateLimiter(dynamo, tables.requests);
  }),
  idempotency: part(['dynamo', 'tables', 'answerCipher', 'clock'], async () => {
    const { idempotencyStore } = await import('../dynamodb/idempotency.ts');
    return ({ dynamo, tables, answerCipher: cipher, clock }) =>
      idempotencyStore(dynamo, tables.requests, { cipher, clock });
  }),
  partnerTokens: part([], async () => {
    const { partnerTokens } = await import('../partner-tokens.ts');
    return () => partnerTokens();
  }),
  events,
  lostEvents: events,
  eventLog: store(async () => {
    const { eventLog } = await import('../dynamodb/event-log.ts');
    return ({ dynamo, tables }) => eventLog(dynamo, tables.events);
  }),
  eventTargets: store(async () => {
    const { eventTargets } = await import('../dynamodb/event-log.ts');
    return ({ dynamo, tables }) => eventTargets(dynamo, tables.events);
  }),
  announcements: store(async () => {
    const { announcementStore } = await import('../dynamodb/records.ts');
    return ({ dynamo, tables }) => announcementStore(dynamo, tables.events);
  }),
  deliveries,
  dueDeliveries: deliveries,
  failingEndpoints: store(async () => {
    const { failingEndpointStore } = await import('../dynamodb/failing-endpoints.ts');
    return ({ dynamo, tables, random }) => failingEndpointStore(dynamo, tables, random);
  }),
  webhookSender: part(['allowsLoopback', 'clock'], async () => {
    const { webhookSender } = await import('../webhook-sender.ts');
    return ({ allowsLoopback, clock }) => webhookSender({ allowLoopback: allowsLoopback }, { clock });
  }),
  /** The pages that were bundled with the code. */
  pages: part(['settings'], async () => {
    const { pageReader } = await import('../page-reader.ts');
    return ({ settings }) => pageReader(join(settings.require('lambdaTaskRoot'), 'site'));
  }),
};
