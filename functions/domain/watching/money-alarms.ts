import { BY_ITSELF, CASE, CASE_ENDS, CAUSE, LINE, type Limit, type Runbook, SHOW_PURCHASE } from './alarm.ts';
import type { Condition } from './conditions.ts';

/**
 * The alarm rings only if work of the same kind fails three times within 15 minutes. One failed call to AWS
 * does not raise it.
 */
const REPEATED = { count: 3, minutes: 15 };

export const MONEY_ALARMS = {
  MoneyHeld: {
    when: 'Money is held, by an operator or because tables were restored',
    means: 'Nothing is paid, refunded or returned.',
    look: '`ops treasury wallets` names who holds it, or says `tables are behind their witness`.',
    ends:
      '`ops treasury release --all` once an operator’s reason is gone. Else [After a ' +
      'restore](operations.md#after-a-restore).',
    urgency: 'NOW',
  },
  RefundsNotCovered: {
    when: 'Our Pix account holds less than we owe in refunds and returns',
    means: 'Refunds and charges are refused; partners see 503.',
    look: `${LINE} Find out who moved money away.`,
    ends: 'Pay money in.',
    urgency: 'NOW',
  },
  PixBalanceNotRead: {
    when: 'The balance at the Pix provider could not be read for half an hour',
    means: 'The last comparison stays in force.',
    look: `${CAUSE} HTTP 403: the scope \`gn.balance.read\` is missing.`,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 5,
    minutes: 30,
  },
  PixBalanceNotWatched: {
    when: 'The Pix provider shows no balance, and nobody has accepted that',
    means: 'No charge pauses if it lacks money for refunds.',
    look: LINE,
    ends:
      'Each working day compare the provider’s balance with `ops unmatched list` and the refunds in ' +
      '`ops tx list`. Put `"acceptsUnwatchedBalance": true` into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PayerNotProven: {
    when: 'It is not proven that the Pix provider notices a stranger’s payment',
    means: 'Charges are refused; partners see 503.',
    look:
      `${LINE} \`SETTING_OFF\`: find out who turned it off. \`SETTING_UNKNOWN\`: see ` +
      '`PayerSettingNotRead`.',
    ends:
      'Turn `documentoPagadorIgualDevedor` on, or run `ops psp verify` and put its `payerProof` into ' +
      '`$PixSecret`.',
    urgency: 'NOW',
  },
  PayerProofEnds: {
    when: 'The proof of the payer ends within two weeks',
    means: 'After `payerProofDays` charges are refused.',
    look: LINE,
    ends: 'Run `ops psp verify`, and put its `payerProof` into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PayerSettingNotRead: {
    when: 'The Pix provider’s setting about payers could not be read for half an hour',
    means: 'After an hour charges are refused.',
    look: `${CAUSE} HTTP 403: the scope \`gn.settings.read\` is missing.`,
    ends: BY_ITSELF,
    urgency: 'NOW',
    count: 5,
    minutes: 30,
  },
  PurchaseSlow: {
    when: 'A purchase was paid an hour ago, and is neither completed nor refunded',
    means: 'A client waits.',
    look: SHOW_PURCHASE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    // `SweepStuckTransactions` looks at an old purchase every quarter of an hour. With less time than that,
    // the alarm would end between two looks.
    minutes: 30,
  },
  RefundRefused: {
    when: 'The provider has refused a refund four times or more',
    means: 'Our account may lack money. After seven tries in three days `RefundFailed` rings.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
  },
  ReturnRefused: {
    when: 'The return of an unmatched payment fails',
    means: 'The provider refuses it, or it cannot be written. After the last try `RefundFailed` rings.',
    look: `${CAUSE} \`ops unmatched list\`.`,
    ends: BY_ITSELF,
    urgency: 'TODAY',
  },
  ChargeWithoutPurchase: {
    when: 'A payment has a charge of ours whose purchase is missing',
    means: 'The purchase may be settled, so nothing is returned.',
    look: 'Find the `txid` in the backups of `$TransactionsTable`, and the transfer on the chain.',
    ends: 'Decide its case `UNMATCHED_LEFT`.',
    urgency: 'NOW',
  },
  RefundFailed: {
    when: 'Money could not be given back to its sender',
    means: 'The provider has refused for good.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
  },
  MoneyStuck: {
    when: 'A paid purchase, or a return, has not ended after a day',
    means: 'A provider is down, or a person must decide.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
  },
  PaymentTakenBack: {
    when: 'The bank took a payment back by the MED',
    means: 'The tokens may be sent. The client is blocked. The case has a deadline.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
  },
  TransferWrong: {
    when: 'A transfer on the chain is not the one that its purchase needs',
    means: 'It is unknown, wrong, missing or double. Somebody else may have the key.',
    look: CASE,
    ends: 'Unless you made it, `ops treasury hold 0x…` at once. Then close the case.',
    urgency: 'NOW',
  },
  BooksDiffer: {
    when: 'Provider, purchases and ledger differ',
    means: 'One of them lacks a payment, a return or a posting, or has another amount.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
  },
  CaseDue: {
    when: 'The deadline of an open case is at most two days away',
    means: 'It is ours, seven days from the refund. Ask the bank for its own date.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
    minutes: 120,
  },
  CaseNotOpened: {
    when: 'A case could not be written',
    means: 'A discrepancy is not in `ops cases list`.',
    look: LINE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...REPEATED,
  },
  ComparisonFailed: {
    when: 'A payment, a purchase or a posting could not be compared',
    means: 'The books stay unproven from there on. It is compared again each hour.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    minutes: 120,
  },
  ReconciliationFailed: {
    when: 'A received Pix cannot be matched with a purchase, again and again',
    means: 'A client may have paid, and the purchase waits.',
    look: LINE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    count: 3,
    minutes: 30,
  },
  CallbackMissed: {
    when: 'Payments are found whose callbacks did not come',
    means: 'The provider cannot reach us, or we refuse it. Payments are up to five minutes late.',
    look: 'The callback API’s access log, and the provider’s authorities in the trust store.',
    ends: 'Upload its new authorities: [The edge](operations.md#the-edge).',
    urgency: 'TODAY',
    count: 3,
    minutes: 30,
  },
  CallbackNotRegistered: {
    when: 'Our address for callbacks could not be registered for half an hour',
    means: 'Only `ReconcilePix` finds payments, up to five minutes late.',
    look: `${CAUSE} Compare Pix key and scopes with the provider’s contract.`,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 5,
    minutes: 30,
  },
  PaymentsUnreadable: {
    when: 'The Pix provider lists payments that cannot be read',
    means: 'They are neither a purchase’s nor returned.',
    look: 'The Pix between `from` and `to` of the line, at the provider. Compare with API Pix.',
    ends: 'Tell the developers within the day: later no run reads that time, although the alarm ends.',
    urgency: 'NOW',
    minutes: 15,
  },
  CertificateExpires: {
    when: 'Our certificate for the Pix provider ends within two weeks',
    means: 'Then no payment is seen, and nothing is charged or refunded.',
    look: LINE,
    ends: 'Ask the provider for a new one, and put it into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PixScopesMissing: {
    when: 'The Pix provider granted fewer scopes than we asked for',
    means: 'Charges, readings or refunds will be refused.',
    look: LINE,
    ends: 'Let the provider add them.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
