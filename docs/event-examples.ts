import * as z from 'zod';
import type { EventType } from '../functions/domain/partners/events.ts';
import type { Status } from '../functions/domain/purchase/status.ts';
import { EVENT_PAYLOADS } from '../functions/logic/partners/event-payloads.ts';

/** The part of a JSON Schema that an example needs. */
type Schema = {
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
};

/** Examples of fields by their names, for those whose type says too little. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  transactionId: '01KAJ5R8Q0ZP3V7W9X2Y4T6B8D',
  externalId: 'order-1042',
  endpointId: '7ZB2K9QW4T1XN6RC',
  token: 'kyc_01KAJ5QXY2M4N6P8R0S2T4V6W8',
  sequence: 5,
  pixPayload: '00020101021226…6304A1B2',
  endToEndId: 'E1234567820261123121000000000001',
  amountBrl: 250,
  amount: '45.565369',
  asset: 'USDC',
  txHash: `0x${'5d'.repeat(32)}`,
  walletAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  riskTier: 'STANDARD',
};

/** The status that a transaction has when it announces the event. */
const STATUS_AT: Partial<Record<EventType, Status | 'APPROVED' | 'REJECTED'>> = {
  'transaction.mfa_cleared': 'AWAITING_MFA',
  'transaction.pix_ready': 'AWAITING_PIX',
  'transaction.processing': 'PROCESSING',
  'transaction.completed': 'COMPLETED',
  'transaction.failed': 'FAILED',
  'transaction.expired': 'EXPIRED',
  'transaction.canceled': 'CANCELED',
  'transaction.refunded': 'FAILED',
  'transaction.refund_delayed': 'FAILED',
  'transaction.refund_failed': 'FAILED',
  'transaction.pix_returned': 'COMPLETED',
  'kyc.approved': 'APPROVED',
  'kyc.rejected': 'REJECTED',
};

/** An example of the event's `data`, made from its schema. Fields that may be absent are left out. */
export function exampleOf(type: EventType): unknown {
  const schema = z.toJSONSchema(EVENT_PAYLOADS[type], { io: 'output' }) as Schema;
  return valueFor(schema, { status: STATUS_AT[type] });
}

function valueFor(schema: Schema, given: Readonly<Record<string, unknown>>): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.properties) return objectOf(schema, given);
  if (schema.items) return [valueFor(schema.items, given)];
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'date-time') return '2026-11-23T12:10:00.000Z';
  return schema.type === 'string' ? 'text' : 1;
}

function objectOf({ properties = {}, required = [] }: Schema, given: Readonly<Record<string, unknown>>) {
  const fields = required.map((name) => {
    const named = { ...BY_NAME, ...given }[name];
    return [name, named ?? valueFor(properties[name] ?? {}, given)];
  });
  return Object.fromEntries(fields);
}
