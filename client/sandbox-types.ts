/**
 * By default, the sandbox pays the charge once, in full, from the client's own account. Each field changes
 * one of these facts.
 */
export type SandboxPayRequest = {
  /** The amount in reais that is paid instead of the charge's amount. */
  amountBrl?: number;
  /** The person with this CPF pays instead of the client. */
  payerCpf?: string;
  /** The payer pays this many times. */
  times?: number;
};

/**
 * `note` is present if the sandbox could not force the outcome that belongs to the client's CPF. One cause is
 * a sandbox without a local chain.
 */
export type SandboxPayment = { transactionId: string; endToEndIds: readonly string[]; note?: string };
export type SandboxLivenessRequest = { outcome: 'PASSED' | 'FAILED' };
export type SandboxLiveness = { transactionId: string; outcome: 'PASSED' | 'FAILED' };

/** A KYC token of Model 2, signed with the key of the sandbox's demo partner. */
export type SandboxPartnerKycToken = { partnerKycToken: string };

/** The client's data that the partner collects in Model 3. */
type SandboxCollected = { name: string; birthDate: string; documentNumber: string };

/**
 * The special values of the sandbox: CPFs, CNPJs of legal entities, and events of `sandbox.trigger`. Each comes with
 * the outcome that it forces.
 */
export type SandboxScenarios = {
  scenarios: readonly { cpf: string; forces: string; collected?: SandboxCollected }[];
  companies: readonly { cnpj: string; forces: string }[];
  triggers: readonly {
    event: SandboxPurchaseEvent | SandboxClientEvent;
    title: string;
    of: 'purchase' | 'client';
    forces: string;
  }[];
};

/** The events of `sandbox.trigger` for one purchase. */
export type SandboxPurchaseEvent =
  | 'MED'
  | 'LATE_PIX'
  | 'PSP_OUTAGE'
  | 'REFUND_FAILS'
  | 'SETTLEMENT_REVERTS'
  | 'CHAIN_OUTAGE'
  | 'VENUE_LIES'
  | 'PROMISES_EXHAUSTED';

/** The events of `sandbox.trigger` for one client. */
export type SandboxClientEvent =
  | 'IDENTITY_OUTAGE'
  | 'SCREENING_OUTAGE'
  | 'LOW_LIQUIDITY'
  | 'PRICE_PAUSE'
  | 'QUOTE_EXPIRES'
  | 'LIMIT_REACHED'
  | 'QUOTA_REACHED';

/**
 * `waits` is true if the event has not happened yet. It then happens at the next call or payment that it is
 * about.
 */
export type SandboxTriggered = { event: SandboxPurchaseEvent | SandboxClientEvent; waits: boolean };

/** `cleared` is the number of events that had not happened yet and are now canceled. */
export type SandboxReset = { cleared: number };
