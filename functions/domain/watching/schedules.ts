/** The functions that run at a fixed rate, and the effect if one of them has not succeeded for too long. */
type ScheduleRate = {
  everyMinutes: number;
  /** The alarm rings after this many minutes without a successful run. */
  silentAfterMinutes: number;
  /** The work that stops if the schedule does not run. */
  means: string;
  urgency: 'NOW' | 'TODAY';
};

export const SCHEDULES = {
  SweepStuckTransactions: {
    everyMinutes: 1,
    silentAfterMinutes: 10,
    means: 'Purchases whose execution died do not go on.',
    urgency: 'NOW',
  },
  QueueDueDeliveries: {
    everyMinutes: 1,
    silentAfterMinutes: 10,
    means: 'Webhooks that failed once are not sent again.',
    urgency: 'NOW',
  },
  ReconcilePix: {
    everyMinutes: 5,
    silentAfterMinutes: 30,
    means: 'Payments whose callback was lost are not found.',
    urgency: 'NOW',
  },
  ReconcileBooks: {
    everyMinutes: 60,
    silentAfterMinutes: 180,
    means: 'Provider, purchases, chain and ledger are not compared.',
    urgency: 'TODAY',
  },
  ReturnUnmatchedPayments: {
    everyMinutes: 1,
    silentAfterMinutes: 30,
    means: 'Unmatched payments are not returned to their senders.',
    urgency: 'TODAY',
  },
  WatchTransfers: {
    everyMinutes: 1,
    silentAfterMinutes: 30,
    means: 'A reorganisation of the chain is not found.',
    urgency: 'TODAY',
  },
  ReviewPendingKyc: {
    everyMinutes: 1,
    silentAfterMinutes: 30,
    means: 'Clients who wait for a source or a reviewer are not decided.',
    urgency: 'TODAY',
  },
  RefreshLists: {
    everyMinutes: 120,
    silentAfterMinutes: 360,
    means: 'The sanctions lists get old. After a first deployment it rings until you invoke the function.',
    urgency: 'TODAY',
  },
  ReadTreasuryFloat: {
    everyMinutes: 1,
    silentAfterMinutes: 5,
    means: 'Nothing is sold without a recent reading of treasury and price. Partners see 503.',
    urgency: 'NOW',
  },
  ArchiveHistories: {
    everyMinutes: 1,
    silentAfterMinutes: 360,
    means: 'Histories of executions are not archived. Step Functions forgets them after 90 days.',
    urgency: 'TODAY',
  },
  RescreenClients: {
    everyMinutes: 5,
    silentAfterMinutes: 30,
    means: 'Clients are not screened again after a change of the lists.',
    urgency: 'TODAY',
  },
} as const satisfies Record<string, ScheduleRate>;

/** The run-book's steps that are the same for each silent schedule. The run-books tell them once. */
export const SILENT_SCHEDULE = {
  look: 'Look at the last lines of its function (`of`).',
  ends: 'Without any line, look at its rule in EventBridge.',
};
