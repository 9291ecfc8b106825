import * as z from 'zod';
import { refuse } from '../../functions/domain/errors.ts';
import { getDefined } from '../../functions/domain/get.ts';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import { requireKycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { Needs } from '../../functions/domain/ports.ts';
import { hasEndedUnpaid } from '../../functions/domain/purchase/status.ts';
import { requireOwn, type Transaction } from '../../functions/domain/purchase/transaction.ts';
import { CPF_FORM } from '../../functions/entry/client-fields.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../functions/entry/endpoint.ts';
import { withRules } from '../../functions/entry/field-rules.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { TRIGGER_NAMES, TRIGGERS, type TriggerName } from '../providers/triggers.ts';
import { sandboxRouteOf } from '../routes.ts';
import { askSimulators } from '../simulators.ts';

const Fields = z.object({
  event: z.enum(TRIGGER_NAMES),
  transactionId: z.string().max(64).optional(),
  kycToken: z.string().min(1).max(256).optional(),
  cpf: z
    .string()
    .refine((text) => cpfDigits(text) !== undefined, CPF_FORM)
    .optional(),
});

/**
 * True if the event exists and is about a purchase, or about a client, as `kind` says. For an unknown event
 * this is false, and another rule refuses it.
 */
const isAbout = (event: TriggerName | undefined, kind: 'purchase' | 'client') =>
  TRIGGER_NAMES.some((name) => name === event && TRIGGERS[name].of === kind);

const Request = withRules(
  Fields,
  {
    path: 'transactionId',
    message: 'is what this event needs, without kycToken and cpf',
    holds: ({ event, transactionId, kycToken, cpf }) =>
      !isAbout(event, 'purchase') || (transactionId !== undefined && (kycToken ?? cpf) === undefined),
  },
  {
    path: 'cpf',
    message: 'or kycToken is what this event needs: one of them, without transactionId',
    holds: ({ event, transactionId, kycToken, cpf }) =>
      !isAbout(event, 'client') ||
      (transactionId === undefined && (kycToken === undefined) !== (cpf === undefined)),
  },
);
type Request = z.output<typeof Request>;

const Answer = () => z.object({ event: z.enum(TRIGGER_NAMES), waits: z.boolean() });

const ports = [...POST_NEEDS, 'transactions:read', 'kycRecords:read'] as const;
export const needs = [...ports, 'simulators'] as const;
type Ports = Needs<typeof ports>;

/**
 * Makes an event at a provider happen for one purchase or one client of the partner. `waits` is false if it
 * has happened now. Otherwise it happens at the next payment of the purchase, or at the next call about the
 * purchase or client.
 */
export async function triggerEvent(request: Request, { partner }: Caller, ports: Ports) {
  const { event, transactionId } = request;
  const transaction =
    transactionId === undefined
      ? undefined
      : requireOwn(await ports.transactions.findTransaction(transactionId), partner.id);
  if (event === 'LATE_PIX') requireUnpaid(transaction);
  const subject = transaction?.id ?? (await clientOf(request, partner.id, ports));
  const isOver = transaction && hasEndedUnpaid(transaction.status);
  const { status, body } = await askSimulators('/triggers', {
    event,
    partnerId: partner.id,
    subject,
    isOver,
  });
  if (status >= 400) refuse('INVALID_TRANSACTION_STATE', { status: transaction?.status });
  return { event, waits: (body as { waits: boolean }).waits };
}

/**
 * Throws INVALID_TRANSACTION_STATE for a purchase that is paid or has no charge yet, because no late payment
 * is possible.
 */
function requireUnpaid(transaction: Transaction | undefined): void {
  const status = getDefined(transaction?.status, 'status');
  if (status !== 'AWAITING_PIX' && !hasEndedUnpaid(status)) refuse('INVALID_TRANSACTION_STATE', { status });
}

/**
 * The client's id is made from the partner's id and the CPF. A CPF can therefore never lead to another
 * partner's client.
 */
async function clientOf({ kycToken, cpf }: Request, partnerId: string, { kycRecords, lookup }: Ports) {
  if (kycToken !== undefined)
    return requireKycRecord(await kycRecords.findRecord(kycToken), partnerId).clientId;
  return clientIdOf({ partnerId, cpf: getDefined(cpf && cpfDigits(cpf), 'CPF') }, lookup);
}

export const handler = endpoint(
  sandboxRouteOf('TriggerEvent'),
  {
    request: Request,
    answer: Answer,
    errors: ['TRANSACTION_NOT_FOUND', 'KYC_TOKEN_NOT_FOUND', 'INVALID_TRANSACTION_STATE'],
    needs: ports,
  },
  triggerEvent,
);
