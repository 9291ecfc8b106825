/**
 * How a setting is called where it comes from: in the environment of a function, and among the outputs of the stack. The
 * setting of a table is its name in AWS.
 */
import type { TableName } from './tables/describe.ts';

export const tableSetting = (name: TableName) => `${name}Table` as const;

/** `kycRecordsTable` is `KYC_RECORDS_TABLE`. */
export const variableOf = (setting: string): string =>
  setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** `kycRecordsTable` is `KycRecordsTable`. */
export const outputOf = (setting: string): string => `${setting.charAt(0).toUpperCase()}${setting.slice(1)}`;
