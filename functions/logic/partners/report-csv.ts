/** The report as a file for spreadsheets, by RFC 4180. */
import Papa from 'papaparse';
import type { PartnerReport } from '../../domain/books/partner-report.ts';

const AMOUNTS = [
  'assetAmount',
  'receivedBrl',
  'soldBrl',
  'spreadBrl',
  'refundedBrl',
  'unmatchedBrl',
  'unmatchedReturnedBrl',
] as const;
const COLUMNS = ['line', 'transactionId', 'externalId', 'status', 'openedAt', 'asset', ...AMOUNTS] as const;
type Line = Partial<Record<(typeof COLUMNS)[number], string>>;

/**
 * A line for each purchase, then the total of each asset and the total of all. A total's status is that of the period.
 * A cell that a spreadsheet would calculate begins with an apostrophe.
 */
export function reportCsv({ status, totals, assets, purchases }: PartnerReport): string {
  const lines: Line[] = [
    ...purchases.map((purchase) => ({ line: 'PURCHASE', ...purchase })),
    ...assets.map((asset) => ({ line: 'TOTAL', status, ...asset })),
    { line: 'TOTAL', status, ...totals },
  ];
  const data = lines.map((line) => COLUMNS.map((name) => line[name] ?? ''));
  return `${Papa.unparse({ fields: [...COLUMNS], data }, { newline: '\r\n', escapeFormulae: true })}\r\n`;
}
