/** By default the sandbox's payer pays once, in full, from the client's own account. Each field changes that. */
export type SandboxPayRequest = {
  /** The payer pays this amount instead of the charge's. */
  amountBrl?: number;
  /** The person with this CPF pays instead of the client. */
  payerCpf?: string;
  /** The payer pays this many times. */
  times?: number;
};

/** `note` is present if the scenario of the CPF could not act, for example because the sandbox has no local chain. */
export type SandboxPayment = { transactionId: string; endToEndIds: readonly string[]; note?: string };
export type SandboxLivenessRequest = { outcome: 'PASSED' | 'FAILED' };
export type SandboxLiveness = { transactionId: string; outcome: 'PASSED' | 'FAILED' };

/** A Model 2 token signed with the demo partner's key. */
export type SandboxPartnerKycToken = { partnerKycToken: string };

/** The data that the partner of a client collects in Model 3. */
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
  | 'LIMIT_REACHED';

/** `waits`: true if the event happens later, at the next call or payment that it is about. */
export type SandboxTriggered = { event: SandboxPurchaseEvent | SandboxClientEvent; waits: boolean };

/** `cleared` is the number of events that were waiting. */
export type SandboxReset = { cleared: number };
