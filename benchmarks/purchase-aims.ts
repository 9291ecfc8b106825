/** The aims for the cost of a purchase. `npm run benchmark` prints the figures beside them. */
export const AIMS = {
  /** The longest chain of calls in one visit. In a chain each call begins after the call before has ended. */
  depth: {
    GetTransactionStatus: 2,
    SubmitKyc: 5,
    InitiateTransaction: 5,
    ConfirmMfa: 6,
    SettleStablecoin: 10,
  },
  /** State transitions of Step Functions, with its start and its retries. */
  transitions: 12,
  /** Calls in a row between the callback of the payment and the broadcast of the transfer. */
  paidToSent: 17,
} as const;

/**
 * The most that a purchase costs now. `test/sandbox/purchase-calls.test.ts` fails above it; lower it with
 * each gain.
 */
export const CEILINGS = {
  depth: {
    GetTransactionStatus: 2,
    GetKycStatus: 2,
    SubmitKyc: 7,
    InitiateTransaction: 5,
    // Nine, and one more if the sandbox asks its simulators for longer than the partner is read.
    ConfirmMfa: 10,
    PixReceived: 1,
    ProcessCallback: 3,
    CheckWalletRisk: 4,
    ConfirmPixPayment: 5,
    SettleStablecoin: 10,
  },
  transitions: 10,
  paidToSent: 19,
} as const;
