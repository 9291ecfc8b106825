/**
 * Every table: its indexes, the end of its rows, and the rights of each need. The key of each is `id`. Read by
 * `infra/`, by the operators' command, by the documents and by the tests.
 */
import type { KeptTable } from './domain/retention.ts';
import { BOOKS_TABLES } from './tables/books.ts';
import { CONSOLE_TABLES } from './tables/console.ts';
import type { TableDescription, TableName } from './tables/describe.ts';
import { KYC_TABLES } from './tables/kyc.ts';
import { PARTNERS_TABLES } from './tables/partners.ts';
import { PURCHASE_TABLES } from './tables/purchase.ts';
import { TREASURY_TABLES } from './tables/treasury.ts';

export const TABLES = {
  ...KYC_TABLES,
  ...PARTNERS_TABLES,
  ...TREASURY_TABLES,
  ...PURCHASE_TABLES,
  ...BOOKS_TABLES,
  ...CONSOLE_TABLES,
} satisfies Record<KeptTable, object>;

export type IndexName<Name extends TableName> = keyof (typeof TABLES)[Name]['indexes'] & string;

/** The tables as a list, for code that treats all of them alike. */
export const TABLE_LIST = Object.entries(TABLES).map(([name, table]) => ({
  name: name as TableName,
  ...(table as TableDescription),
}));
