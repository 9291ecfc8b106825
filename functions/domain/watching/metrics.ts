/**
 * The metrics of the business. AWS charges for each combination of dimension values, so a dimension has few values. No
 * dimension or value may tell who a client is.
 */
export const METRICS = {
  /**
   * Counts purchases by the status that they have reached. A purchase is counted after the write, so a
   * crash between the two counts it not at all.
   */
  Purchases: { unit: 'Count', dimensions: ['status'] },
  /** The time from the payment to the confirmed transfer. */
  TimeToSettle: { unit: 'Milliseconds', dimensions: ['asset'] },
  /** Counts the tries to return money, by how they ended. */
  Refunds: { unit: 'Count', dimensions: ['status'] },
  /**
   * `UnmatchedPaymentsFound` counts all unmatched payments. `DustFound` counts those that are smaller than
   * the smallest purchase.
   */
  UnmatchedPaymentsFound: { unit: 'Count', dimensions: [] },
  DustFound: { unit: 'Count', dimensions: [] },
  /**
   * The time from the opening of a delivery (`openedAt`) to the answer of the endpoint that took it. A
   * delivery usually opens at the time of its event.
   */
  WebhookLag: { unit: 'Milliseconds', dimensions: [] },
  /** The time from a provider's callback to the end of its handling. */
  CallbackLag: { unit: 'Milliseconds', dimensions: [] },
  /** Counts requests that API Gateway itself could not answer. A filter of the access log counts them. */
  ApiFailed: { unit: 'Count', dimensions: [] },
  /**
   * Counts requests that API Gateway refused, because the rate limit of the API's method was reached. A
   * filter of the access log counts them.
   */
  ApiThrottled: { unit: 'Count', dimensions: [] },
  /** Counts refused requests of partners, by the code of the error. */
  Refusals: { unit: 'Count', dimensions: ['code'] },
  /**
   * Counts purchases for a new wallet of a client who already had `USUAL_WALLETS` (`kyc/client.ts`) or more
   * wallets.
   */
  FurtherWallets: { unit: 'Count', dimensions: [] },
  /**
   * The number of wallets of a client who has just used a new one. Its maximum shows the client with the most wallets.
   */
  WalletsOfClient: { unit: 'Count', dimensions: [] },
  /** Counts the entries of lists for which a client was refused or given to a reviewer. */
  ScreeningHits: { unit: 'Count', dimensions: ['status'] },
} as const satisfies Record<string, { unit: 'Count' | 'Milliseconds'; dimensions: readonly string[] }>;

export type Metric = keyof typeof METRICS;
export type DimensionsOf<Name extends Metric> = Record<(typeof METRICS)[Name]['dimensions'][number], string>;

/** The namespace of the service's own metrics. */
export const namespaceOf = (stage: string): string => `Onramp/${stage}`;
