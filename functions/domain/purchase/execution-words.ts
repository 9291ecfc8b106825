/** The steps of a purchase in words for people who do not know the state machine. */

type StepWords = {
  title: string;
  /** The purpose of the step. */
  about: string;
};

/**
 * Keyed by the name of a state in `statemachines/onramp.asl.json`. `Choice` and `Wait` states have no words,
 * and `logic/purchase/execution-page.ts` leaves them out.
 */
export const STEP_WORDS: Readonly<Record<string, StepWords>> = {
  AwaitAuthentication: {
    title: 'Wait for the client’s confirmation',
    about:
      'The client confirms the purchase with a security code or by showing their face, within 15 minutes.',
  },
  AwaitPixPayment: {
    title: 'Wait for the Pix payment',
    about: 'The client pays the Pix code that was shown to them, within 30 minutes.',
  },
  ExpireTransaction: {
    title: 'Close the purchase after its time',
    about: 'The Pix code is closed at the payment provider. If it was paid in time, the purchase goes on.',
  },
  CheckWalletRisk: {
    title: 'Check the client and the wallet again',
    about: 'After the payment, both are compared with the sanctions lists once more.',
  },
  ConfirmPixPayment: {
    title: 'Confirm the payment',
    about: 'The payment is read at the provider: the amount, the time, and who has paid.',
  },
  SettleStablecoin: {
    title: 'Send the stablecoin',
    about:
      'The transfer is signed, sent to the client’s wallet, and watched until the network has confirmed it.',
  },
  CompleteTransaction: {
    title: 'Complete the purchase',
    about: 'The purchase is closed as completed, and the partner is told.',
  },
  FailTransaction: {
    title: 'End the purchase without a transfer',
    about: 'The purchase is closed as failed, and the partner is told. The client’s money must go back.',
  },
  RefundPixPayment: {
    title: 'Give the money back',
    about: 'The payment is returned by Pix to the account that it came from.',
  },
};

/** Statuses of an execution, in words. */
export const END_WORDS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'The automatic process came to its regular end.',
  FAILED: 'The automatic process ended by an error. If work was left, another process took it over.',
  TIMED_OUT: 'The automatic process ran out of time. If work was left, another process took it over.',
  ABORTED: 'A person stopped the automatic process. If work was left, another process took it over.',
  UNKNOWN: 'AWS no longer knew this process when it was archived, so its steps are not shown.',
};
