/**
 * The names of a stage's settings. A function gets those that it needs as environment variables. The operators' command
 * reads them from the outputs of the stack.
 */
import type { TableName } from './tables/describe.ts';

export const SETTINGS = [
  'stage',
  'minuteSeconds',
  'patience',
  'lambdaTaskRoot',
  'stateMachineArn',
  'webhookQueueUrl',
  'callbackQueueUrl',
  'callbackUrl',
  'apiUrl',
  'webhooksAllowLoopback',
  'dataKeyId',
  'answersOf',
  'signingKeyIds',
  'lookupSecret',
  'pixSecret',
  'pixCallbackSecret',
  'identitySecret',
  'cpfRegistrySecret',
  'companyRegistrySecret',
  'walletScreeningSecret',
  'chainSecret',
  'chain',
  'chargeLimits',
  'promiseLimits',
  'payerProofDays',
  'keyLimits',
  'registryQuota',
  'operators',
  'explorer',
  'floatLimits',
  'priceBounds',
  'priceUrls',
  'ptaxUrl',
  'listEffects',
  'listSources',
  'listsBucket',
  'consoleSignIn',
  'consoleSecret',
  'historyBucket',
] as const;

/** A setting. For a table it is the table's name in AWS. */
export type Setting = (typeof SETTINGS)[number] | `${TableName}Table`;

export const tableSetting = (name: TableName) => `${name}Table` as const;

/** `kycRecordsTable` is `KYC_RECORDS_TABLE`. */
export const variableOf = (setting: Setting): string =>
  setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** `kycRecordsTable` is `KycRecordsTable`. */
export const outputNameOf = (setting: Setting): string => setting.charAt(0).toUpperCase() + setting.slice(1);

/**
 * New executions begin with the version of the state machine that this alias names. Their ARNs do not contain the
 * alias.
 */
export const MACHINE_ALIAS = 'live';
