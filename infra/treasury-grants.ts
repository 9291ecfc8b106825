import type { Backend, Granter } from './backend.ts';
import { changes, dueRows, type Grant, rows, secret, together } from './grant.ts';
import type { AnyNeed } from './sources.ts';

export function chain({ settings, secrets }: Backend): Grant {
  return together(secret('CHAIN_SECRET', secrets.chain), {
    variables: { CHAIN: JSON.stringify(settings.chain) },
  });
}

/** The tables that say what was paid, and their witness. */
export const MARKED = [
  ['SETTLEMENTS_TABLE', 'settlements'],
  ['TRANSACTIONS_TABLE', 'transactions'],
  ['WITNESS_TABLE', 'witness'],
] as const;

export const holdsRead: Granter = ({ tables }) =>
  together(...MARKED.map(([variable, table]) => rows(variable, tables[table], ['GetItem'])));

/** Of a settlement what a look at its transfer may change: no nonce, no bytes, no try. */
const WATCHED = ['state', 'txHash', 'blockNumber', 'nextCheckAt', 'sweep'];
const MOVED_TRANSFER = ['txHash', 'formerTxHashes', 'status'];
const SETTLEMENT_ACTIONS = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'];

/** What settlement needs, and what watches over it. */
export const TREASURY_GRANTS: Partial<Record<AnyNeed, Granter>> = {
  // The claim on a nonce is written with the transaction's disposition, each on condition of the other.
  treasury: (backend) =>
    together(
      chain(backend),
      holdsRead(backend),
      rows('SETTLEMENTS_TABLE', backend.tables.settlements, SETTLEMENT_ACTIONS),
      rows('TRANSACTIONS_TABLE', backend.tables.transactions, ['UpdateItem', 'ConditionCheckItem']),
      {
        variables: { SIGNING_KEY_IDS: backend.keys.signingIds },
        allow: (role) => backend.keys.allowSigning(role),
      },
    ),
  outflows: (backend) =>
    together(chain(backend), rows('SETTLEMENTS_TABLE', backend.tables.settlements, ['GetItem']), {
      variables: { SIGNING_KEY_IDS: backend.keys.signingIds },
      allow: (role) => backend.keys.allowReading(role),
    }),
  // No key: it casts what was signed. Of a purchase it writes the hash of the transfer that is in the chain.
  transfers: (backend) =>
    together(
      chain(backend),
      rows('SETTLEMENTS_TABLE', backend.tables.settlements, ['GetItem']),
      changes('SETTLEMENTS_TABLE', backend.tables.settlements, ['UpdateItem'], WATCHED),
      dueRows(backend.tables.settlements),
      changes('TRANSACTIONS_TABLE', backend.tables.transactions, ['UpdateItem'], MOVED_TRANSFER),
    ),
  // The wish and nothing else: whoever asks can neither sign nor say how it ended.
  cancellations: ({ tables }) =>
    changes('SETTLEMENTS_TABLE', tables.settlements, ['UpdateItem'], ['cancel', 'state']),
};
