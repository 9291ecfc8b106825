import { type Limit, type Runbook, SHOW_PURCHASE } from './alarm.ts';
import type { Condition } from './conditions.ts';

const WALLETS = 'Run `ops treasury wallets`.';
const DOING = 'Read `doing` in the line.';
const BY_DOING = 'Do what [waits.md](waits.md#settlements) says for it.';

export const TREASURY_ALARMS = {
  TreasuryLow: {
    when: 'The treasury cannot pay a large purchase in one of the stablecoins',
    means: 'Large purchases of this asset are refused, and soon all. Partners see 503.',
    look: 'Run `ops treasury show` and `ops treasury wallets`.',
    ends: 'Send tokens or gas. The next reading sells again.',
    urgency: 'NOW',
  },
  WalletOverfull: {
    when: 'A hot wallet has held more of an asset than `walletCeiling` for half an hour',
    means: 'A stolen key would lose more than you have decided to risk. Nothing stops.',
    look: `${WALLETS} Compare it with \`walletCeiling\` in \`cdk.json\`.`,
    ends: 'Move the excess away: [Treasury](operations.md#treasury), “Empty”.',
    urgency: 'TODAY',
    minutes: 30,
    count: 25,
  },
  PriceNotTrusted: {
    when: 'No price of an asset can be trusted',
    means: 'Nothing of this asset is sold. Partners see 503. The market moved, or its order book is false.',
    look: 'Read `distrust` in the line. Compare the price with other BRL markets.',
    ends: 'Follow [Sales that stopped](operations.md#sales-that-stopped).',
    urgency: 'NOW',
    minutes: 15,
    count: 10,
  },
  PriceNotRead: {
    when: 'An exchange has given no price for half an hour',
    means: 'Two of three exchanges must agree on a price.',
    look:
      'Read `venue` in the line. `said "an exchange gives no book"` has the cause. `HTTP 451`: the ' +
      'exchange does not serve this region.',
    ends: 'It ends when the exchange answers.',
    urgency: 'TODAY',
    count: 25,
    minutes: 30,
  },
  PtaxNotRead: {
    when: 'The Central Bank has given no PTAX for half an hour',
    means: 'The last PTAX still bounds each price. When it is older than `ptaxDays`, nothing is sold.',
    look: 'Compare `ops treasury show` with the Central Bank’s page of PTAX.',
    ends: 'It ends when the Central Bank answers.',
    urgency: 'TODAY',
    count: 25,
    minutes: 30,
  },
  PayoutsAtCeiling: {
    when: 'Within an hour, as much of an asset was paid out as `hourlyPayout` lets out',
    means: 'Its paid purchases wait. Sales are unusually many, or somebody robs the treasury.',
    look:
      'Read the sums in `ops treasury show`. Look in `ops tx list` for partners, clients and wallets that ' +
      'buy unusually much.',
    ends:
      'A theft: run `ops treasury hold --all --reason "…"` at once. One person is enough. Then follow ' +
      '`hourly ceiling` in ' +
      '[Settlements that need attention](operations.md#settlements-that-need-attention). Otherwise wait ' +
      'for the hour, or run `ops treasury allow`.',
    urgency: 'NOW',
  },
  PayoutAltered: {
    when: 'A paid purchase differs from what was sealed when it was opened and charged',
    means: 'Somebody may write our tables. Nothing of this purchase is sent.',
    look: 'Compare wallet, asset and units of the purchase, its settlement and its events.',
    ends:
      'Hold all money, find the writer, cancel: ' +
      '[Settlements that need attention](operations.md#settlements-that-need-attention).',
    urgency: 'NOW',
  },
  SettlementWaits: {
    when: 'A paid settlement waits for its cause to go away',
    means: 'Wallets lack tokens or gas, fees are high, or nodes do not answer.',
    look: `${SHOW_PURCHASE} ${DOING}`,
    ends: `${BY_DOING} The settlement then goes on by itself.`,
    urgency: 'NOW',
  },
  SettlementNeedsPerson: {
    when: 'A paid settlement waits for a person',
    means: 'It does not go on by itself.',
    look: `${SHOW_PURCHASE} ${DOING}`,
    ends: `${BY_DOING} \`ops treasury cancel\` ends a settlement that cannot succeed.`,
    urgency: 'NOW',
  },
  SettlementTryFailed: {
    when: 'A try to send the stablecoin has failed',
    means: 'The transfer was reverted or cancelled. After four tries the purchase is refunded.',
    look: `${SHOW_PURCHASE} \`error\` in the line has the reason.`,
    ends: 'Tell the developers about a revert.',
    urgency: 'TODAY',
  },
  WalletNeedsAttention: {
    when: 'A wallet cannot pay, and another wallet pays instead',
    means: 'The treasury pays fewer purchases at once.',
    look: `${WALLETS} ${DOING}`,
    ends: 'Follow [Settlements that need attention](operations.md#settlements-that-need-attention).',
    urgency: 'TODAY',
  },
  WalletQuarantined: {
    when: 'Somebody else has signed with the key of a wallet',
    means: 'Its funds may be stolen. It pays nothing any more.',
    look: 'CloudTrail has each `kms:Sign`: find out who could sign.',
    ends: 'Move the funds if in doubt. Then run `ops treasury release 0x…`.',
    urgency: 'NOW',
  },
  TransferLost: {
    when: 'A transfer is lost after its purchase was completed',
    means: 'The client has no tokens, and the service does nothing more.',
    look: 'Look up `txHash` at several nodes and explorers.',
    ends: 'Compensate the client by hand.',
    urgency: 'NOW',
  },
  TransferChanged: {
    when: 'A completed transfer was dropped from the chain, or has another hash',
    means: 'A reorganisation was deeper than `confirmations`. The service sends the transfer again.',
    look: 'Compare the depth of the reorganisation with `confirmations` in `cdk.json`.',
    ends: 'Raise `confirmations` if it happens again.',
    urgency: 'TODAY',
  },
  ChainNotFinal: {
    when: 'The chain has had no new final block for two hours',
    means: 'Transfers of that time are not compared. Completed transfers may still be undone.',
    look: 'Compare the final block of each node in `$ChainSecret`.',
    ends: 'Replace a node that stands still. If all do, wait for the chain.',
    urgency: 'TODAY',
    minutes: 120,
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
