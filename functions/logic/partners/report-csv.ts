/** The partner's report as a CSV file (RFC 4180) for spreadsheets. */
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
 * Writes a line for each purchase, then a total for each asset, and at the end the total of all. The status of a total
 * is the status of the period. A cell that a spreadsheet would take for a formula gets an apostrophe in front.
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
