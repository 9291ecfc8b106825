import * as z from 'zod';
import { requireKycRecord } from '../domain/kyc/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import { isPurchaseWanted, type PurchasesWanted } from '../domain/purchase/purchase-list.ts';
import { STATUS_NAMES } from '../domain/purchase/status.ts';
import { namedSchema } from '../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { withRules } from '../entry/field-rules.ts';
import { LIST_FIELDS } from '../entry/list-fields.ts';
import { ExternalId } from '../entry/partner-fields.ts';
import { purchaseFields } from '../entry/purchase-answers.ts';
import { CURSOR_NEEDS, cursorAt, placeAt } from '../logic/cursor.ts';
import { purchaseView } from '../logic/purchase/purchase-view.ts';
import { routeOf } from '../routes.ts';

const Time = z.iso.datetime({ offset: true });

/** Unknown fields are refused, because a misspelled filter would otherwise show every purchase. */
const Request = withRules(
  z.strictObject({
    status: z.enum(STATUS_NAMES).optional(),
    from: Time.optional(),
    to: Time.optional(),
    externalId: ExternalId.optional(),
    kycToken: z.string().min(1).max(256).optional(),
    ...LIST_FIELDS,
  }),
  {
    path: 'to',
    message: 'must be after from',
    holds: ({ from, to }) => !from || !to || !(Date.parse(from) >= Date.parse(to)),
  },
);
type Request = z.output<typeof Request>;

const Summary = namedSchema('TransactionSummary', () => z.object(purchaseFields()));
const Answer = () => z.object({ transactions: z.array(Summary()), nextCursor: z.string().optional() });

export const needs = [
  ...GET_NEEDS,
  ...CURSOR_NEEDS,
  'transactions:read',
  'purchaseLists',
  'kycRecords:read',
] as const;
type Ports = Needs<typeof needs>;

/** Lists the partner's purchases, the newest first: docs/decisions.md, "Lists and searches". */
export async function listTransactions(request: Request, { partner }: Caller, ports: Ports) {
  const { limit, cursor, ...filter } = request;
  const listing = { partnerId: partner.id, name: 'transactions', filter };
  const after = await placeAt(cursor, listing, ports);
  const wanted = await wantedBy(request, partner.id, ports);
  const { externalId } = filter;
  const { purchases, next } =
    externalId === undefined
      ? await ports.purchaseLists.listPurchases(wanted, { limit, after })
      : { purchases: await ofReference(externalId, wanted, ports) };
  return {
    transactions: purchases.map(purchaseView),
    nextCursor: await cursorAt(next, listing, ports),
  };
}

/**
 * Makes the filter of the list from the request. The KYC token may have expired, because the client's
 * purchases remain.
 */
async function wantedBy(
  { status, from, to, kycToken }: Request,
  partnerId: string,
  { kycRecords }: Ports,
): Promise<PurchasesWanted> {
  const record = kycToken && requireKycRecord(await kycRecords.findRecord(kycToken), partnerId);
  return {
    partnerId,
    status,
    ...(record && { clientId: record.clientId }),
    ...(from && { from: Date.parse(from) }),
    ...(to && { to: Date.parse(to) }),
  };
}

async function ofReference(externalId: string, wanted: PurchasesWanted, { transactions }: Ports) {
  const id = await transactions.findIdOf(wanted.partnerId, externalId);
  const found = id === undefined ? undefined : await transactions.findTransaction(id);
  return found && isPurchaseWanted(found, wanted) ? [found] : [];
}

export const handler = endpoint(
  routeOf('ListTransactions'),
  { request: Request, answer: Answer, errors: ['KYC_TOKEN_NOT_FOUND'], needs },
  listTransactions,
);
