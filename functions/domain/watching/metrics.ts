/**
 * The business metrics. Each combination of values of the dimensions is one metric on the bill, so a dimension has few
 * values. No dimension and no value says who a client is.
 */
export const METRICS = {
  /** Purchases by the status that they have reached. A repeated initiate may be counted twice. */
  Purchases: { unit: 'Count', dimensions: ['status'] },
  /** From the payment to the confirmed transfer. */
  TimeToSettle: { unit: 'Milliseconds', dimensions: ['asset'] },
  /** Tries to give money back, by their end. */
  Refunds: { unit: 'Count', dimensions: ['status'] },
  /** Unmatched payments, and those of them that are below the smallest purchase. */
  UnmatchedPaymentsFound: { unit: 'Count', dimensions: [] },
  DustFound: { unit: 'Count', dimensions: [] },
  /** From the event to the answer of the partner's endpoint that took it. */
  WebhookLag: { unit: 'Milliseconds', dimensions: [] },
  /** From the provider's callback to the end of its handling. */
  CallbackLag: { unit: 'Milliseconds', dimensions: [] },
  /** Requests that API Gateway itself could not answer. A filter of the access log counts them. */
  ApiFailed: { unit: 'Count', dimensions: [] },
  /** Requests that API Gateway refused by the limit of a method. A filter of the access log counts them. */
  ApiThrottled: { unit: 'Count', dimensions: [] },
  /** Refused requests of partners by their code: `ERRORS`. */
  Refusals: { unit: 'Count', dimensions: ['code'] },
  /** New wallets of clients who had `USUAL_WALLETS` or more. */
  FurtherWallets: { unit: 'Count', dimensions: [] },
  /** The number of wallets of the client to whom one was added. Its maximum tells of one client's many wallets. */
  WalletsOfClient: { unit: 'Count', dimensions: [] },
  /** Candidates on the lists that a decision about a client rests on: refused, or given to a reviewer. */
  ScreeningHits: { unit: 'Count', dimensions: ['status'] },
} as const satisfies Record<string, { unit: 'Count' | 'Milliseconds'; dimensions: readonly string[] }>;

export type Metric = keyof typeof METRICS;
/** The dimensions of a metric, with their values. */
export type DimensionsOf<Name extends Metric> = Record<(typeof METRICS)[Name]['dimensions'][number], string>;

/** The namespace of the service's own metrics. */
export const namespaceOf = (stage: string): string => `Onramp/${stage}`;
