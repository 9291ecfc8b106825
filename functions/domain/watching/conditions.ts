/**
 * The conditions that need a person, each with its message in the log. Code can raise no others. Each has an alarm:
 * `alarms.ts` has its threshold and its run-book. The condition's name is also the name of its metric.
 *
 * A client must not be able to raise a condition by a bad request. If work that failed is repeated, and another alarm
 * shows a lasting failure, the code only warns (`Log.warn`).
 */
export const CONDITIONS = {
  // Money of clients.
  MoneyHeld: 'money is held',
  PurchaseSlow: 'a paid purchase is slow',
  RefundRefused: 'refund refused by the provider',
  ReturnRefused: 'unmatched Pix not returned',
  ChargeWithoutPurchase: 'charge without its purchase',
  RefundFailed: 'case of money opened',
  RefundsNotCovered: 'the Pix account does not cover the open refunds',
  PixBalanceNotRead: 'the balance of the Pix account is not known',
  PixBalanceNotWatched: 'the provider shows no balance of the Pix account',
  PayerNotProven: 'a payment by a stranger might pass',
  PayerProofEnds: 'the proof of the payer ends soon',
  PayerSettingNotRead: 'the setting about payers is not known',
  MoneyStuck: 'case of money opened',
  PaymentTakenBack: 'case of money opened',
  TransferWrong: 'case of money opened',
  BooksDiffer: 'case of money opened',
  CaseDue: 'the deadline of a case is near',
  CaseNotOpened: 'case not opened',
  ComparisonFailed: 'comparison failed',
  ReconciliationFailed: 'reconciliation failed',
  CallbackMissed: 'payment found without its callback',
  CallbackNotRegistered: 'callback not registered',
  PaymentsUnreadable: 'payments that cannot be read',
  CertificateExpires: 'the certificate of the Pix provider expires',
  PixScopesMissing: 'the Pix provider granted fewer scopes than asked',

  // The treasury.
  TreasuryLow: 'treasury is low',
  WalletOverfull: 'a wallet holds more than its ceiling',
  PriceNotTrusted: 'no price to sell at',
  PriceNotRead: 'an exchange gives no price',
  PtaxNotRead: 'the Central Bank gives no PTAX',
  PayoutsAtCeiling: 'settlement needs attention',
  PayoutAltered: 'settlement needs attention',
  SettlementWaits: 'settlement needs attention',
  SettlementNeedsPerson: 'settlement needs attention',
  SettlementTryFailed: 'a try to settle has failed',
  WalletNeedsAttention: 'wallet needs attention',
  WalletQuarantined: 'wallet is in quarantine',
  TransferLost: 'transfer needs attention',
  TransferChanged: 'transfer needs attention',
  ChainNotFinal: 'the chain is not final',

  // Clients and lists.
  ClientListed: 'client found on a list',
  ReviewOverdue: 'a review is overdue',
  PurchaseWaitsForReviewer: 'a paid purchase waits for a reviewer',
  ScreeningSilent: 'no answer during KYC',
  WalletSourceSilent: 'no answer about a listed wallet',
  ListRefused: 'list not refreshed',
  ListOld: 'list is old',
  IndexDamaged: 'index in force is not whole',
  IndexUnusable: 'The index of the lists cannot be used',
  ListsUnreadable: 'The published lists cannot be read',
  DeployedListsUnreadable: 'The lists of the deployment cannot be read',
  FormerListUnreadable: 'former list not read',

  // Partners.
  WebhookEndpointPaused: 'webhook endpoint paused',

  // Functions that fail.
  RequestFailed: 'request failed',
  RequestUnanswered: 'request failed, because a provider does not answer',
  CallbackFailed: 'callback failed',
  MessageFailed: 'message failed',
  StepFailed: 'a step failed',
  StepWaits: 'a step waits for a provider',
  SweepFailed: 'sweep failed',
  HistoryNotArchived: 'history not archived',
  ReturnVisitFailed: 'return of unmatched payments failed',
  TransferWatchFailed: 'transfer not looked at',
  KycReviewFailed: 'review of a KYC record failed',
  OverrulingFailed: 'older tokens of a client not refused',
  RescreeningFailed: 'screening again failed',
} as const;

export type Condition = keyof typeof CONDITIONS;
