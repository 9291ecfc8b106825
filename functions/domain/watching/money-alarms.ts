import { CAUSE, type Limit, type Runbook, SHOW_PURCHASE } from './alarm.ts';
import type { Condition } from './conditions.ts';

const CASE = 'Run `ops cases list` and `ops cases show`.';
const CASE_ENDS = 'Close the case: [cases.md](cases.md).';
/**
 * The alarm rings only if work of the same kind fails three times within 15 minutes. One failed call to AWS
 * does not raise it.
 */
const REPEATED = { count: 3, minutes: 15 };

export const MONEY_ALARMS = {
  MoneyHeld: {
    when: 'Money is held',
    means:
      'An operator holds all money, or tables were restored. Nothing is paid, failed, refunded or returned.',
    look: '`ops treasury wallets` names who holds it, or says `tables are behind their witness`.',
    ends:
      'Once an operator’s reason is gone, run `ops treasury release --all`. If tables are behind: ' +
      '[After a restore](operations.md#after-a-restore).',
    urgency: 'NOW',
  },
  RefundsNotCovered: {
    when: 'Our account at the Pix provider holds less than we owe in refunds and returns',
    means: 'The provider will refuse refunds. New charges are refused; partners see 503.',
    look: 'Compare `balanceCentavos` and `owedCentavos` in the line. Find out who moved money away.',
    ends: 'Pay money in. The next reading, within five minutes, sells again.',
    urgency: 'NOW',
  },
  PixBalanceNotRead: {
    when: 'The balance at the Pix provider could not be read for half an hour',
    means: 'Nothing stops: the last comparison stays in force.',
    look: 'Read `error` in the line. HTTP 403 means that the credentials lack the scope of the balance.',
    ends: 'It ends with the next reading. Grant the scope, or look at the provider’s status page.',
    urgency: 'TODAY',
    count: 5,
    minutes: 30,
  },
  PixBalanceNotWatched: {
    when: 'The Pix provider has no call for the balance, and nobody has accepted that',
    means: 'Our account may hold less than the open refunds, and no charge pauses.',
    look: 'Compare the provider’s balance with `ops unmatched list` and the refunds in `ops tx list`.',
    ends: 'Let a person do so each working day, and put `"acceptsUnwatchedBalance": true` into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PayerNotProven: {
    when: 'It is no longer proven that the Pix provider notices a stranger’s payment',
    means: 'Another person could pay for a client. New charges are refused; partners see 503.',
    look:
      'Read `reason` in the line. `SETTING_OFF`: find out who turned `documentoPagadorIgualDevedor` off. ' +
      '`SETTING_UNKNOWN`: read the errors of `PayerSettingNotRead`.',
    ends:
      'Turn the setting on, or run `ops psp verify` and put its `payerProof` into `$PixSecret`. The next ' +
      'reading sells again.',
    urgency: 'NOW',
  },
  PayerProofEnds: {
    when: 'The proof of the payer ends within two weeks',
    means: 'After `payerProofDays` new charges are refused.',
    look: 'Read `endsAt` in the line.',
    ends: 'Run `ops psp verify`, and put its `payerProof` into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PayerSettingNotRead: {
    when: 'The Pix provider has not shown its setting about payers for half an hour',
    means: 'Somebody may have turned the setting off. After an hour new charges are refused.',
    look: 'Read `error` in the line. HTTP 403 means that the credentials lack the scope `gn.settings.read`.',
    ends: 'It ends with the next reading. Grant the scope, or look at the provider’s status page.',
    urgency: 'NOW',
    count: 5,
    minutes: 30,
  },
  PurchaseSlow: {
    when: 'A purchase was paid an hour ago, and is neither completed nor refunded',
    means: 'A provider, a node or a reviewer is late, or a step fails.',
    look: `${SHOW_PURCHASE} It says why the purchase waits.`,
    ends: 'Restore what the cause names. The purchase then goes on by itself.',
    urgency: 'NOW',
    // `SweepStuckTransactions` looks at an old purchase every quarter of an hour. With less time than that,
    // the alarm would end between two looks.
    minutes: 30,
  },
  RefundRefused: {
    when: 'The provider has refused a refund four times or more',
    means: 'A client waits for the money. Our own account may lack money.',
    look: 'Read `error` in the line, and our balance at the provider.',
    ends: 'It is tried seven times in three days. Then `RefundFailed` rings.',
    urgency: 'TODAY',
  },
  ReturnRefused: {
    when: 'The return of an unmatched payment fails',
    means: 'A sender waits. The provider refuses the return, or it cannot be written.',
    look: 'Run `ops unmatched list`, and read `error` in the line.',
    ends: 'It is tried again. After the last try, `RefundFailed` rings.',
    urgency: 'TODAY',
  },
  ChargeWithoutPurchase: {
    when: 'A payment has a charge of ours whose purchase is missing',
    means: 'A row is lost. The purchase may be settled, so the payment is not returned.',
    look: 'Look for the `txid` in the backups of `$TransactionsTable`, and in the transfers on the chain.',
    ends: 'Decide the case `UNMATCHED_LEFT` that is open for it.',
    urgency: 'NOW',
  },
  RefundFailed: {
    when: 'Money could not be given back to its sender',
    means: 'The provider has refused a refund or a return for good.',
    look: CASE,
    ends: 'Give the money back by hand. Close the case as `RETURNED_OUTSIDE` or `RETURNED`.',
    urgency: 'TODAY',
  },
  MoneyStuck: {
    when: 'A paid purchase, or a return, has not ended after a day',
    means: 'A provider is down, or a person must decide.',
    look: CASE,
    ends: 'Close the case as `EXPLAINED` once the purchase or the return has ended.',
    urgency: 'TODAY',
  },
  PaymentTakenBack: {
    when: 'The bank took a payment back by the MED',
    means: 'The tokens may be sent already. The client is blocked. The case has a deadline.',
    look: CASE,
    ends: 'Follow [Payments that the bank took back](operations.md#payments-that-the-bank-took-back).',
    urgency: 'TODAY',
  },
  TransferWrong: {
    when: 'A transfer on the chain is not the one that its purchase needs',
    means: 'A transfer is unknown, wrong, missing or double. Somebody else may have the key.',
    look: CASE,
    ends: `Hold the wallet at once (\`ops treasury hold 0x…\`), unless you made the transfer. ${CASE_ENDS}`,
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
    means: 'It is ours, seven days from the refund. The bank’s own date may be earlier: ask for it.',
    look: CASE,
    ends: CASE_ENDS,
    urgency: 'TODAY',
    minutes: 120,
  },
  CaseNotOpened: {
    when: 'A case could not be written',
    means: 'A discrepancy is not in the list. The next visit writes it again.',
    look: 'Read `error`, `kind` and `key` in the line.',
    ends: 'It ends when `ops cases list` has the case.',
    urgency: 'TODAY',
    ...REPEATED,
  },
  ComparisonFailed: {
    when: 'A payment, a purchase or a posting could not be compared',
    means: 'The books stay unproven for that time, and `ReconcileBooks` stops there.',
    look: CAUSE,
    ends: 'The next hour compares it again.',
    urgency: 'TODAY',
    minutes: 120,
  },
  ReconciliationFailed: {
    when: 'A received Pix cannot be matched with a purchase, again and again',
    means: 'A client may have paid, and the purchase waits.',
    look: 'Read `error` and `endToEndId` in the line.',
    ends: 'Every five minutes it is tried again, until it is matched or a case is open.',
    urgency: 'NOW',
    count: 3,
    minutes: 30,
  },
  CallbackMissed: {
    when: 'Payments are found whose callbacks did not come',
    means: 'Payments are up to five minutes late. The provider cannot reach us, or we refuse it.',
    look: 'Read the callback API’s access log. Compare the trust store with the provider’s authorities.',
    ends: 'Upload the provider’s new authorities: [The edge](operations.md#the-edge).',
    urgency: 'TODAY',
    count: 3,
    minutes: 30,
  },
  CallbackNotRegistered: {
    when: 'The Pix provider refuses to register our address for callbacks',
    means: 'Payments are found only by `ReconcilePix`, up to five minutes late.',
    look: 'Read `error` in the line. Compare the Pix key and the scopes with the provider’s contract.',
    ends: 'It ends with the next run that registers the address.',
    urgency: 'TODAY',
    count: 3,
    minutes: 30,
  },
  PaymentsUnreadable: {
    when: 'The Pix provider lists payments that cannot be read',
    means: 'A payment that is not read is neither a purchase’s nor returned.',
    look: 'Ask the provider for the Pix between `from` and `to` of the line. Compare with API Pix.',
    ends: 'Tell the developers within the day: later no run reads that time, although the alarm ends.',
    urgency: 'NOW',
    minutes: 15,
  },
  CertificateExpires: {
    when: 'Our certificate for the Pix provider ends within two weeks',
    means: 'After its end no payment is seen, and nothing is charged or refunded.',
    look: 'Read `endsAt` in the line. Ask the provider how it issues a new certificate.',
    ends: 'Put the new certificate into `$PixSecret`.',
    urgency: 'TODAY',
    minutes: 15,
  },
  PixScopesMissing: {
    when: 'The Pix provider granted fewer scopes than we asked for',
    means: 'Charges, readings or refunds will be refused.',
    look: 'Read `missing` in the line.',
    ends: 'Let the provider add the scopes to our credentials.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
