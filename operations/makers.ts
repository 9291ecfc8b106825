/** Makes the parts that only the operators' command and the console have. No other function can have one of them. */
import { type Made, makerOf } from '../functions/adapters/live/assemble.ts';
import { MAKERS } from '../functions/adapters/live/makers.ts';
import type { Parts } from '../functions/adapters/live/parts.ts';

const part = makerOf<Parts>();

const OWN_MAKERS = {
  acts: part(['dynamo', 'tables', 'random'], async () => {
    const { actStore } = await import('../functions/adapters/dynamodb/acts.ts');
    return ({ dynamo, tables, random }) => actStore(dynamo, tables.acts, random);
  }),
  policy: part(['stage', 'settings'], async () => {
    const { policyOf } = await import('../functions/domain/acts/act-policy.ts');
    return ({ stage, settings }) => policyOf(stage, JSON.parse(settings.find('operators') ?? '{}'));
  }),
  register: part(['dynamo', 'tables', 'random'], async () => {
    const { partnerRegister } = await import('../functions/adapters/dynamodb/partners.ts');
    return ({ dynamo, tables, random }) => partnerRegister(dynamo, tables.partners, random);
  }),
  registryUse: part(['dynamo', 'tables'], async () => {
    const { registryUse } = await import('../functions/adapters/dynamodb/registry-quotas.ts');
    return ({ dynamo, tables }) => registryUse(dynamo, tables.usages);
  }),
  cases: part(['dynamo', 'tables', 'random', 'kycReviews'], async () => {
    const { reviewCaseStore } = await import('./stores/cases.ts');
    return ({ dynamo, tables, random, kycReviews }) =>
      reviewCaseStore(dynamo, tables, { random, kycReviews });
  }),
  caller: part(['dynamo', 'awsOptions', 'fetch', 'callLimit'], async () => {
    const { stsCaller } = await import('./stores/caller.ts');
    return ({ dynamo, awsOptions, fetch, callLimit: { timeoutMs } }) =>
      stsCaller(dynamo, { endpoint: awsOptions(timeoutMs).endpoint, fetch, timeoutMs });
  }),
  endedSessions: part(['dynamo', 'tables'], async () => {
    const { endedSessions } = await import('./stores/ended-sessions.ts');
    return ({ dynamo, tables }) => endedSessions(dynamo, tables.endedSessions);
  }),
  erasures: part(['dynamo', 'tables', 'random'], async () => {
    const { erasures } = await import('./stores/erasures.ts');
    return ({ dynamo, tables, random }) => erasures(dynamo, tables, random);
  }),
  corrections: part(['dynamo', 'tables', 'random'], async () => {
    const { corrections } = await import('./stores/corrections.ts');
    return ({ dynamo, tables, random }) => corrections(dynamo, tables.clients, random);
  }),
  dossier: part(['dynamo', 'tables'], async () => {
    const { dossier } = await import('./stores/dossier.ts');
    return ({ dynamo, tables }) => dossier(dynamo, tables);
  }),
  ledgerReader: part(['dynamo', 'tables'], async () => {
    const { ledgerReader } = await import('./stores/ledger-reader.ts');
    return ({ dynamo, tables }) => ledgerReader(dynamo, tables.ledger);
  }),
  archiveReader: part(['slowS3', 'settings'], async () => {
    const { archiveReader } = await import('./stores/archive-reader.ts');
    return ({ slowS3, settings }) => archiveReader(slowS3, settings.require('historyBucket'));
  }),
  archiveHolds: part(['slowS3', 'settings'], async () => {
    const { archiveHolds } = await import('./stores/archive-holds.ts');
    return ({ slowS3, settings }) => archiveHolds(slowS3, settings.require('historyBucket'));
  }),
  visits: part(['sfn', 'settings'], async () => {
    const { executionVisits } = await import('./stores/execution-visit.ts');
    return ({ sfn, settings }) => executionVisits(sfn, settings.require('stateMachineArn'));
  }),
  wallets: part(['rpc', 'chain', 'signers', 'settlementBook', 'dynamo', 'tables', 'random'], async () => {
    const { walletRegister } = await import('./stores/wallet-register.ts');
    return ({ settlementBook: book, dynamo: client, tables, ...parts }) =>
      walletRegister({ ...parts, book, client, table: tables.settlements });
  }),
  payouts: part(['dynamo', 'tables', 'chain', 'random'], async () => {
    const { payoutAllowances } = await import('./stores/payout-allowances.ts');
    return ({ dynamo: client, tables, chain: { chainId }, random }) =>
      payoutAllowances({ client, settlementsTable: tables.settlements, chainId, random });
  }),
  promiseSums: part(['dynamo', 'tables', 'promiseLimits'], async () => {
    const { promiseSums } = await import('./stores/promise-sums.ts');
    return ({ dynamo: client, tables, promiseLimits: limits }) =>
      promiseSums({ client, table: tables.promises, limits });
  }),
  psp: part(['pixContract', 'clock', 'log', 'callLimit', 'pixTransport'], async () => {
    const { pspUnderTest } = await import('./stores/psp-under-test.ts');
    return ({ pixContract, clock, log, callLimit, pixTransport: transport }) =>
      pspUnderTest(pixContract, { clock, log, ...callLimit, transport });
  }),
  replays: part(['rpc', 'chain', 'signers', 'dynamo', 'tables', 'random', 'clock'], async () => {
    const { replayBook } = await import('./stores/replay-book.ts');
    return ({ dynamo: client, ...parts }) => replayBook({ ...parts, client });
  }),
};

/** All parts of the command: its own, and those that functions also have. */
export const DESK_MAKERS = { ...MAKERS, ...OWN_MAKERS };

/** The parts of the command, each with the type that its maker returns. */
export type DeskParts = Made<typeof DESK_MAKERS, keyof typeof DESK_MAKERS>;
