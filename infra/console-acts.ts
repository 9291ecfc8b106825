import { tableSetting } from '../functions/settings.ts';
import type { TableGrant, TableName } from '../functions/tables/describe.ts';
import type { Backend } from './backend.ts';
import { type Grant, onTable, together } from './grant.ts';

/**
 * The rights that the console's acts need in addition to those of its pages: docs/decisions.md, "Acts on the
 * console". An update may name only the attributes that these acts write. No act sends money, signs or
 * deletes anything.
 */
const OF_ACTS: { readonly [Name in TableName]?: TableGrant } = {
  // A review: the case, its client, and the KYC records that wait for the reviewer's decision.
  cases: update('status', 'statusKey', 'decidedKey', 'decidedBy', 'decidedAt', 'reason', 'undone'),
  clients: update(
    ...['clearedPairs', 'confirmedPairs', 'rejectedAt', 'rejectedFor', 'sweep', 'nextCheckAt', 'checks'],
    'blockedFor',
  ),
  kycRecords: { ...update('status', 'nextCheckAt'), queries: ['client', 'ofClient'] },
  // A case of money: its closing or lifting, the posting, the event, and the block of a person.
  moneyCases: update('status', 'statusKey', 'closed', 'ttl', 'block', 'unblocked'),
  ledger: { rows: ['PutItem'] },
  transactions: update('sequence', 'status', 'ttl'),
  events: { rows: ['GetItem', 'PutItem'] },
  personBlocks: { rows: ['PutItem'], ...update('cases', 'ttl') },
  // A new key of a partner is a row, and each other change is an update.
  partners: {
    rows: ['PutItem'],
    ...update(
      ...['status', 'version', 'keyIds', 'made', 'approvedAt', 'limits', 'registryQuota'],
      ...['webhookEndpoints', 'addressLostAt', 'kycTokens', 'proposedKeys', 'withdrawnKids'],
    ),
  },
  deliveries: { rows: ['PutItem'] },
  // The quarantine of a wallet, the request to cancel a transfer, and the row with an hour's payouts. No
  // settlement can be put.
  settlements: {
    only: {
      actions: ['PutItem', 'UpdateItem'],
      attributes: ['next', 'quarantine', 'cancel', 'state', 'slice', 'units', 'allowance', 'revision'],
    },
  },
  floats: update('paused', 'spans', 'revision'),
  witness: update('held'),
};

function update(...attributes: string[]) {
  return { only: { actions: ['UpdateItem'], attributes } } as const;
}

export const consoleActs = ({ tables }: Backend): Grant =>
  together(
    ...(Object.entries(OF_ACTS) as [TableName, TableGrant][]).map(([name, grant]) =>
      onTable(tableSetting(name), tables.byName[name], grant),
    ),
  );
