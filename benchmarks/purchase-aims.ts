/** The aims for the cost of a purchase. `npm run benchmark` prints the figures beside them. */
export const AIMS = {
  /**
   * The number of calls in the longest chain of one invocation, by function. In a chain, each call begins
   * after the call before has ended.
   */
  depth: {
    GetTransactionStatus: 2,
    SubmitKyc: 5,
    InitiateTransaction: 5,
    ConfirmMfa: 6,
    SettleStablecoin: 10,
  },
  /**
   * The state transitions of one purchase in Step Functions, with the start of the execution and the retries.
   */
  transitions: 12,
  /** The calls that follow one another from the callback of the payment to the broadcast of the transfer. */
  paidToSent: 17,
} as const;

/**
 * The highest cost of a purchase that is allowed now. `test/sandbox/purchase-calls.test.ts` fails above it.
 * Lower it after each improvement.
 */
export const CEILINGS = {
  depth: {
    GetTransactionStatus: 2,
    GetKycStatus: 2,
    // The key, the count, the registry, the applicant, the record, the stored answer. A refused client gets no
    // applicant: docs/decisions.md, "Documents and face are verified by the identity provider".
    SubmitKyc: 6,
    InitiateTransaction: 5,
    // The key, the count, the try, the accepted code, the promise, the charge, the move, the machine. Each is the
    // condition of the next: docs/decisions.md, "Codes of a challenge". A ninth joins if the sandbox needs longer to
    // ask its simulators than to read the partner.
    ConfirmMfa: 9,
    PixReceived: 1,
    ProcessCallback: 3,
    CheckWalletRisk: 3,
    ConfirmPixPayment: 5,
    SettleStablecoin: 9,
  },
  transitions: 10,
  paidToSent: 17,
  /** The write units of DynamoDB, which are most of the bill after the transitions. */
  writeUnits: 180,
} as const;
