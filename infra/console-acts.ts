import { tableSetting } from '../functions/settings.ts';
import type { TableGrant, TableName } from '../functions/tables/describe.ts';
import type { Backend } from './backend.ts';
import { type Grant, joinedGrants, onTable } from './grant.ts';

/**
 * The rights that the console's acts need in addition to those of its pages: docs/security.md, "Least privilege". An
 * update may name only the attributes that these acts write, and a put only rows of the kind that they make. No act
 * sends money, signs or deletes anything.
 */
const OF_ACTS: { readonly [Name in TableName]?: TableGrant } = {
  // For the acts about a review case: the case, its client, and the KYC records that wait for the reviewer's decision.
  cases: updateOnly(
    ...['status', 'statusKey', 'decidedKey', 'decidedBy', 'decidedAt', 'reason', 'undone'],
    ...['assigned', 'closing', 'entryGone'],
  ),
  clients: updateOnly(
    ...['clearedPairs', 'confirmedPairs', 'rejectedAt', 'rejectedFor', 'sweep', 'nextCheckAt', 'checks'],
    'blockedFor',
  ),
  kycRecords: { ...updateOnly('status', 'nextCheckAt'), queries: ['client', 'ofClient'] },
  // For the acts about a money case: its closing or lifting, the posting, the event, and the block of a person.
  moneyCases: updateOnly('status', 'statusKey', 'closed', 'ttl', 'block', 'unblocked'),
  ledger: { puts: ['*#RETURNED_OUTSIDE', '*#RECOVERED#*'] },
  // The acts need `status` only in the condition of a write, and never change it. IAM cannot tell a condition from a
  // change.
  transactions: updateOnly('sequence', 'status', 'ttl'),
  events: { rows: ['GetItem', 'PutItem'] },
  // A person's id is a keyed hash of 64 digits. The ids of litigation holds and of open MED cases are longer.
  personBlocks: { puts: ['?'.repeat(64)], ...updateOnly('cases', 'ttl') },
  // A new key of a partner is a row, and each other change is an update.
  partners: {
    puts: ['KEY#*'],
    ...updateOnly(
      ...['status', 'version', 'keyIds', 'made', 'approvedAt', 'limits', 'registryQuota'],
      ...['webhookEndpoints', 'addressLostAt', 'kycTokens', 'proposedKeys', 'withdrawnKids'],
    ),
  },
  // The id of a delivery has a dot. The ids of the other rows, about the pace and failures of an endpoint, have none.
  deliveries: { puts: ['*.*#*'] },
  // The quarantine of a wallet, the request to cancel a transfer, and the row with an hour's payouts. No
  // settlement can be put.
  settlements: {
    only: {
      actions: ['PutItem', 'UpdateItem'],
      attributes: ['next', 'quarantine', 'cancel', 'state', 'slice', 'units', 'allowance', 'revision'],
    },
  },
  floats: updateOnly('paused', 'spans', 'revision'),
  witness: updateOnly('held'),
};

function updateOnly(...attributes: string[]) {
  return { only: { actions: ['UpdateItem'], attributes } } as const;
}

export const consoleActs = ({ tables }: Backend): Grant =>
  joinedGrants(
    ...(Object.entries(OF_ACTS) as [TableName, TableGrant][]).map(([name, grant]) =>
      onTable(tableSetting(name), tables.byName[name], grant),
    ),
  );
