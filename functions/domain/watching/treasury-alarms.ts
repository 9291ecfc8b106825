import { BY_ITSELF, CAUSE, LASTING, LINE, type Limit, type Runbook, SHOW_PURCHASE } from './alarm.ts';
import type { Condition } from './conditions.ts';

const WALLETS = '`ops treasury wallets`.';
const BY_DOING = '[waits.md](waits.md#settlements) says what to do at each `doing`.';

export const TREASURY_ALARMS = {
  TreasuryLow: {
    when: 'The treasury cannot pay a large purchase of an asset',
    means: 'Large purchases of it are refused, and soon all. Partners see 503.',
    look: '`ops treasury show`, `ops treasury wallets`.',
    ends: 'Send tokens or gas.',
    urgency: 'NOW',
    // One reading may count a payout twice, for both assets if the wallet lacks gas.
    count: 3,
  },
  WalletOverfull: {
    when: 'A hot wallet has held more of an asset than `walletCeiling` for half an hour',
    means: 'A stolen key would lose more than you decided to risk.',
    look: WALLETS,
    ends: 'Move the excess away: [Treasury](operations.md#treasury), “Empty”.',
    urgency: 'TODAY',
    minutes: 30,
    count: 25,
  },
  PriceNotTrusted: {
    when: 'No price of an asset can be trusted',
    means: 'It is not sold. Partners see 503.',
    look: LINE,
    ends: '[Sales that stopped](operations.md#sales-that-stopped).',
    urgency: 'NOW',
    minutes: 15,
    count: 10,
  },
  PriceNotRead: {
    when: 'An exchange has given no price for half an hour',
    means: 'Two of three must agree on a price.',
    look: `${LINE} \`said "an exchange gives no book"\`. \`HTTP 451\`: it does not serve this region.`,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 25,
    minutes: 30,
  },
  PtaxNotRead: {
    when: 'The Central Bank has given no PTAX for half an hour',
    means: 'The last one still bounds each price. When it is older than `ptaxDays`, nothing is sold.',
    look: '`ops treasury show` beside the Central Bank’s page.',
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 25,
    minutes: 30,
  },
  PayoutsAtCeiling: {
    when: 'An hour’s payouts of an asset have reached `hourlyPayout`',
    means: 'Its paid purchases wait.',
    look: '`ops treasury show` has the sums, `ops tx list` the buyers.',
    ends:
      'A theft: `ops treasury hold --all --reason "…"` at once; one person is enough. Then [Settlements ' +
      'that need attention](operations.md#settlements-that-need-attention).',
    urgency: 'NOW',
  },
  PayoutAltered: {
    when: 'A paid purchase differs from its seals',
    means: 'Somebody may write our tables. It is not sent.',
    look: SHOW_PURCHASE,
    ends: '[Settlements that need attention](operations.md#settlements-that-need-attention).',
    urgency: 'NOW',
  },
  SettlementWaits: {
    when: 'Paid settlements wait for ten minutes',
    means: 'Wallets lack tokens or gas, fees are high, or nodes do not answer.',
    look: `${SHOW_PURCHASE} ${LINE}`,
    ends: BY_DOING,
    urgency: 'NOW',
    ...LASTING,
  },
  SettlementNeedsPerson: {
    when: 'A paid settlement waits for a person',
    means: '`ops treasury cancel` ends one that cannot succeed.',
    look: `${SHOW_PURCHASE} ${LINE}`,
    ends: BY_DOING,
    urgency: 'NOW',
  },
  SettlementTryFailed: {
    when: 'A try to send the stablecoin has failed',
    means: 'After four tries the purchase is refunded.',
    look: `${SHOW_PURCHASE} ${CAUSE}`,
    ends: 'Tell the developers about a revert.',
    urgency: 'TODAY',
  },
  WalletNeedsAttention: {
    when: 'A wallet cannot pay, and another wallet pays instead',
    means: 'Fewer purchases are paid at once.',
    look: `${WALLETS} ${LINE}`,
    ends: BY_DOING,
    urgency: 'TODAY',
  },
  WalletQuarantined: {
    when: 'A wallet’s key has signed a transaction that the service did not make',
    means: 'Its funds may be stolen. The service pays nothing from it.',
    look: 'CloudTrail has each `kms:Sign`: find out who could sign.',
    ends:
      'If in doubt, [move the funds](operations.md#a-region-that-is-lost). When nobody else can sign: `ops ' +
      'treasury release 0x…`.',
    urgency: 'NOW',
  },
  TransferLost: {
    when: 'A transfer is lost after its purchase was completed',
    means: 'The client has no tokens, and the service does nothing more.',
    look: '`txHash` at several nodes and explorers.',
    ends: 'Compensate the client by hand.',
    urgency: 'NOW',
  },
  TransferChanged: {
    when: 'A completed transfer was dropped from the chain, or has another hash',
    means: 'A reorganisation was deeper than `confirmations`. The transfer is sent again.',
    look: LINE,
    ends: 'Raise `confirmations` in `cdk.json` if it happens again.',
    urgency: 'TODAY',
  },
  ChainNotFinal: {
    when: 'The chain has had no new final block for two hours',
    means: 'Transfers are not compared. Completed ones may be undone.',
    look: 'The final block of each node in `$ChainSecret`.',
    ends: 'Replace a node that stands still.',
    urgency: 'TODAY',
    minutes: 120,
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
