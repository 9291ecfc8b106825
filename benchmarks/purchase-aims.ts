/** The aims for the cost of a purchase. `npm run benchmark` prints the figures beside them. */
export const AIMS = {
  /** The longest chain of calls of one visit, each of which begins after the former has ended. */
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
