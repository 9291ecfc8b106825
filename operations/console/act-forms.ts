/**
 * The acts that each page of the console offers. Each form calls one command. The page knows some words of
 * the call, and the person types the others.
 */

import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import type { MoneyCase } from '../../functions/domain/books/money-case.ts';
import { MONEY_CASE_OUTCOMES } from '../../functions/domain/books/money-case-kinds.ts';
import { RISK_TIERS } from '../../functions/domain/kyc/kyc.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { isBeingSettled } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import {
  isGone,
  type OpenReviewCase,
  type ReviewCase,
} from '../../functions/domain/screening/review-case.ts';
import type { Flags } from '../command.ts';

/** A field of an act's form. It becomes an option of the command, or one of the words after the command's name. */
export type Field = {
  name: keyof Flags | 'word';
  label: string;
  choices?: readonly string[];
  /** The head of a column in the page's tables. The person chooses one of that column's cells. */
  column?: string;
  isOptional?: true;
};
export type ActForm = {
  label: string;
  command: string;
  words?: readonly string[];
  flags?: Flags;
  fields?: readonly Field[];
};

export const purchaseActs = ({ id, status }: Transaction): ActForm[] =>
  isBeingSettled(status)
    ? [{ label: 'Cancel the transfer, and refund the client', command: 'treasury cancel', words: [id] }]
    : [];

/** The acts that the state of a review case allows. `me` is the name of the person who reads it. */
export function reviewActs(found: ReviewCase, me: string): ActForm[] {
  const words = [found.id];
  const clear = { label: 'Clear the client', command: 'reviews clear', words };
  const confirm = { label: 'Confirm the listed person', command: 'reviews confirm', words };
  const undo = { label: 'Take the confirmation back', command: 'reviews undo', words };
  switch (found.status) {
    case 'OPEN':
      return [clear, confirm, ...assignActs(found, me), ...(isGone(found) ? [closeAct(words)] : [])];
    case 'CLEARED':
      return [confirm];
    case 'CONFIRMED':
      return [undo];
    case 'CLOSED':
      return [];
  }
}

const REVIEWER: Field = { name: 'word', label: 'Name of the reviewer, as acts show it' };

function assignActs({ id, assigned }: OpenReviewCase, me: string): ActForm[] {
  const take = { label: 'Take the case yourself', command: 'reviews assign', words: [id, me] };
  const give = { label: 'Assign the case', command: 'reviews assign', words: [id], fields: [REVIEWER] };
  const free = { label: 'End the assignment', command: 'reviews unassign', words: [id] };
  return [...(assigned?.to === me ? [] : [take]), give, ...(assigned ? [free] : [])];
}

const closeAct = (words: readonly string[]): ActForm => ({
  label: words.length > 0 ? 'Close the case, because its entry is gone' : 'Close all of these cases',
  command: 'reviews close',
  words,
});

export const GONE_ACTS: readonly ActForm[] = [closeAct([])];

const OUTCOME: Field = { name: 'outcome', label: 'Outcome', choices: Object.keys(MONEY_CASE_OUTCOMES) };
const POSTED: Field = {
  name: 'amount',
  label: 'BRL returned outside or recovered, if that is the outcome',
  isOptional: true,
};

export const caseActs = ({ id, status, block }: MoneyCase): ActForm[] => [
  ...(status === 'OPEN'
    ? [{ label: 'Close the case', command: 'cases close', words: [id], fields: [OUTCOME, POSTED] }]
    : []),
  ...(block === 'ACTIVE' ? [{ label: 'Unblock the client', command: 'clients unblock', words: [id] }] : []),
];

const EVENT: Field = { name: 'event', label: 'Event', column: 'event' };

export const deliveryActs = (partner: string): ActForm[] => [
  { label: 'Send one event again', command: 'deliveries redeliver', fields: [EVENT] },
  { label: 'Send all parked again', command: 'deliveries redeliver', flags: { partner, parked: true } },
];

const ASSET: Field = { name: 'asset', label: 'Asset', choices: ASSET_NAMES };
const WALLET: Field = { name: 'word', label: 'Wallet', column: 'wallet' };
const ALL: Flags = { all: true };

export const TREASURY_ACTS: readonly ActForm[] = [
  { label: 'Hold a wallet', command: 'treasury hold', fields: [WALLET] },
  { label: 'Release a wallet', command: 'treasury release', fields: [WALLET] },
  { label: 'Hold all money', command: 'treasury hold', flags: ALL },
  { label: 'Release all money', command: 'treasury release', flags: ALL },
  { label: 'Pause an asset', command: 'treasury pause', fields: [ASSET] },
  { label: 'Resume an asset', command: 'treasury resume', fields: [ASSET] },
  {
    label: 'Allow more payouts for an hour',
    command: 'treasury allow',
    fields: [ASSET, { name: 'amount', label: 'Tokens' }],
  },
  { label: 'Accept another price', command: 'treasury reprice', fields: [ASSET] },
];

const PERSON: Field = { name: 'word', label: 'Person', column: 'person' };

export const BLOCK_ACTS: readonly ActForm[] = [
  { label: 'Lift the block of a person', command: 'fraud lift', fields: [PERSON] },
];

const NEW_KEY: Field = { name: 'word', label: 'Name of the key: a-z and 0-9' };
const SCOPES: Field = {
  name: 'scopes',
  label: 'Scopes',
  choices: ['read,write', 'read', 'read,write,manage'],
};
const TIER: Field = { name: 'tier', label: 'Tier', choices: RISK_TIERS };
const CAPS: Field = { name: 'caps', label: 'Caps, such as dailyBrl=20000, or none' };
const QUOTA: Field = { name: 'amount', label: 'Look-ups a day, or default' };
const VENDOR: readonly Field[] = [
  { name: 'issuer', label: 'Issuer of its tokens' },
  { name: 'audience', label: 'Audience of its tokens' },
];

type Named = { id: string; status: string };
/** The keys and endpoints of a partner, each with its status. */
export type Registered = Readonly<Record<'keys' | 'vendorKeys' | 'endpoints', readonly Named[]>>;

export function partnerActs({ id, status, kycTokens }: Partner, registered: Registered): ActForm[] {
  const { keys, vendorKeys, endpoints } = registered;
  const words = [id];
  const vendor = [choiceField('Key of the vendor', vendorKeys, ['PENDING']), ...(kycTokens ? [] : VENDOR)];
  return [
    status === 'ACTIVE'
      ? { label: 'Suspend the partner', command: 'partners suspend', words }
      : { label: 'Reinstate the partner', command: 'partners reinstate', words },
    { label: 'Make a key', command: 'keys create', words, fields: [NEW_KEY, SCOPES] },
    {
      label: 'Approve a key',
      command: 'keys approve',
      words,
      fields: [choiceField('Key', keys, ['WAITING'])],
    },
    {
      label: 'Revoke a key',
      command: 'keys revoke',
      words,
      fields: [choiceField('Key', keys, ['ACTIVE', 'WAITING'])],
    },
    { label: 'Approve a vendor’s key', command: 'vendor-keys approve', words, fields: vendor },
    {
      label: 'Withdraw a vendor’s key',
      command: 'vendor-keys withdraw',
      words,
      fields: [choiceField('Key of the vendor', vendorKeys, ['PENDING', 'ACTIVE'])],
    },
    {
      label: 'Remove an endpoint',
      command: 'endpoints remove',
      words,
      fields: [choiceField('Endpoint', endpoints)],
    },
    { label: 'Change the caps of a tier', command: 'partners limits', words, fields: [TIER, CAPS] },
    { label: 'Change the quota', command: 'partners quota', words, fields: [QUOTA] },
  ];
}

/**
 * A field with which the person chooses one of the ids. With `statuses`, only ids that have one of these
 * statuses can be chosen.
 */
function choiceField(label: string, all: readonly Named[], statuses?: readonly string[]): Field {
  const fit = all.filter(({ status }) => statuses?.includes(status) ?? true);
  return { name: 'word', label, choices: fit.map(({ id }) => id) };
}
