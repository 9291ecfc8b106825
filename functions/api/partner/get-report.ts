import * as z from 'zod';
import { PERIOD_STATUSES } from '../../domain/books/partner-report.ts';
import type { Needs } from '../../domain/ports.ts';
import {
  AssetName,
  DecimalText,
  LocalInstant,
  namedSchema,
  TransactionId,
  TransactionStatus,
} from '../../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { ExternalId } from '../../entry/partner-fields.ts';
import { partnerReport, REPORT_NEEDS } from '../../logic/partners/report.ts';
import { routeOf } from '../../routes.ts';

const Request = z.strictObject({
  period: z
    .string()
    .regex(/^\d{4}-\d{2}(-\d{2})?$/, 'must be a month, such as 2026-11, or a day, such as 2026-11-20'),
});

const brlFields = () => ({
  receivedBrl: DecimalText(),
  soldBrl: DecimalText(),
  spreadBrl: DecimalText(),
  refundedBrl: DecimalText(),
  unmatchedBrl: DecimalText(),
  unmatchedReturnedBrl: DecimalText(),
});
const assetFields = () => ({ asset: AssetName(), assetAmount: DecimalText(), ...brlFields() });
const Count = () => z.int().min(0);

const Answer = namedSchema('PartnerReport', () =>
  z.object({
    period: z.string(),
    status: z.enum(PERIOD_STATUSES),
    from: LocalInstant(),
    to: LocalInstant(),
    asOf: LocalInstant(),
    counts: z.object({
      opened: Count(),
      expired: Count(),
      canceled: Count(),
      paid: Count(),
      delivered: Count(),
      refunded: Count(),
    }),
    totals: z.object(brlFields()),
    assets: z.array(z.object(assetFields())),
    purchases: z.array(
      z.object({
        transactionId: TransactionId(),
        externalId: ExternalId.optional(),
        status: TransactionStatus(),
        openedAt: LocalInstant(),
        ...assetFields(),
      }),
    ),
  }),
);

export const needs = [...GET_NEEDS, ...REPORT_NEEDS] as const;

/**
 * Answers a report of the money of the partner's purchases in a month or on a day: docs/decisions.md, "Receipts and
 * reports".
 */
export function getReport(
  { period }: z.output<typeof Request>,
  { partner }: Caller,
  ports: Needs<typeof needs>,
) {
  return partnerReport(partner, period, ports);
}

export const handler = endpoint(
  routeOf('GetReport'),
  {
    request: Request,
    answer: Answer,
    errors: [],
    needs,
    document: {
      type: 'text/csv',
      render: async (report) => (await import('../../logic/partners/report-csv.ts')).reportCsv(report),
    },
  },
  getReport,
);
