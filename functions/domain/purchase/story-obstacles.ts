/** Explains to operators the error because of which the state machine repeats a step. */
import { type ErrorCode, Refusal, type StepOutcomeName, Unavailable } from '../errors.ts';
import type { Status } from './status.ts';

/**
 * An error that a step throws again and again. `since` is the start of the present series of this error,
 * and `times` is how often it occurred in the series. Any other outcome of the step ends the series.
 */
export type Obstacle = {
  step: string;
  error: string;
  message: string;
  since: number;
  times: number;
  /** The latest instant at which the state machine repeats the step. */
  nextBy?: number;
};

/** Work on a purchase that no step of the state machine does. */
export type ObstacleWork =
  | 'checking the code'
  | 'making the Pix charge'
  | 'reading the face check'
  | 'reading the payment';

/** An error of this work, while the purchase has this status. The next request or callback repeats the work. */
export type NotedObstacle = Obstacle & { step: ObstacleWork; status: Status };

/** Explains a wait to an operator, and tells what the operator can do. */
export type Remedy = { means: string; operator: string };

const NOTHING = 'Nothing. It goes on by itself.';

/**
 * Errors that are normal outcomes of a step. The state machine then repeats the step. The waits of a
 * settlement are not here, because `treasury/doing.ts` describes them.
 */
const OUTCOMES: Partial<Record<StepOutcomeName, Remedy>> = {
  ReviewPending: {
    means: 'a reviewer must decide about the client',
    operator: 'Run `reviews list`, then `reviews show`, and `clear` or `confirm`.',
  },
  RefundPending: { means: 'the refund is not done at the Pix provider', operator: NOTHING },
  CheckAgain: { means: 'the checks of client and wallet were old, and are repeated', operator: NOTHING },
  TransferMayLive: { means: 'the transfer may still be mined, so nothing is refunded', operator: NOTHING },
};

/** Refusals that stop a client who has passed the challenge. The partner got the same code. */
const REFUSALS: Partial<Record<ErrorCode, Remedy>> = {
  PRICE_UNAVAILABLE: { means: 'no price can be trusted', operator: 'Run `treasury show`: it says why.' },
  LIQUIDITY_UNAVAILABLE: {
    means: 'the treasury can sell too little',
    operator: 'Run `treasury show`. Send tokens or gas.',
  },
  PROMISES_EXHAUSTED: {
    means: 'too many purchases that are not paid hold their price',
    operator: 'Run `treasury show` for the sums. They end within half an hour.',
  },
  LIMIT_EXCEEDED: {
    means: 'a limit of the client is used up',
    operator: 'Nothing. The partner knows which.',
  },
  PARTNER_SUSPENDED: { means: 'the partner is suspended', operator: 'Look at `partners show`.' },
  CLIENT_BLOCKED: { means: 'the client is blocked', operator: 'Run `clients blocked` and `fraud list`.' },
  KYC_NOT_APPROVED: { means: 'the client is no longer approved', operator: 'Run `reviews list`.' },
};

/** The error if an operator should learn about it from the purchase. Its text names no person. */
export function obstacleIn(error: unknown): { error: string; message: string } | undefined {
  if (error instanceof Unavailable) return { error: error.name, message: error.message };
  return error instanceof Refusal && REFUSALS[error.code]
    ? { error: error.code, message: error.message }
    : undefined;
}

/**
 * Tells the operator what to do if a provider does not answer. `name` is the beginning of the error's
 * message, and the first entry that fits is used. `test/tidy.test.ts` looks for the beginnings in the sources.
 */
export const PROVIDERS: readonly (readonly [name: string, operator: string])[] = [
  [
    'the wallet screening provider',
    'Look at the vendor’s status page. If it is out for long, compliance may choose `walletScreening=none`.',
  ],
  ['the Pix provider', 'Look at the provider’s status page, and at our certificate and `$PixSecret`.'],
  ['the payment at the provider', 'The provider does not show the payment yet. After an hour ask it.'],
  ['the identity of the payer', 'The provider does not name the payer yet. After an hour ask it.'],
  ['the end of a return', 'The payer’s bank ends the return. After a day a case opens.'],
  ['the identity provider', 'Look at the provider’s status page, and at `$IdentitySecret`.'],
  ['the CPF registry', 'Look at the registry’s status page, and at `$CpfRegistrySecret`.'],
  ['the company registry', 'Look at the registry’s status page, and at `$CompanyRegistrySecret`.'],
  ['chain RPC', 'Look at the status pages of the nodes in `$ChainSecret`, and replace one that is out.'],
  ['sanctions oracle', 'Look at the nodes in `$ChainSecret`: they do not give the oracle’s answer.'],
  ['the block list of', 'Look at the nodes in `$ChainSecret`: they do not give the token’s answer.'],
  ['KMS', 'Look at AWS’s status page, and at the state and the policy of the keys.'],
  ['Secrets Manager', 'Look at AWS’s status page.'],
  ['sanctions lists', 'Look at the log of `RefreshLists` and at `$ListsBucket`.'],
  ['leave to move money', 'See “After a restore” in `docs/operations.md`.'],
];

/** Says what the obstacle means, and what to do. `wait` describes the wait of a settlement, if the obstacle is one. */
export function remedyOf({ step, error, message }: Obstacle, wait: Remedy | undefined): Remedy {
  if (wait) return { means: `${step} waits: ${wait.means} (${message})`, operator: wait.operator };
  if (error === 'Unavailable') return { means: `${step}: ${message}`, operator: ofProvider(message) };
  if (error === 'SettlementFailed')
    return { means: `a try of the transfer failed: ${message}`, operator: NOTHING };
  const known = OUTCOMES[error as StepOutcomeName] ?? REFUSALS[error as ErrorCode];
  if (known) return { ...known, means: `${step}: ${known.means}` };
  return { means: `${step} fails: ${error}: ${message}`, operator: 'Tell the developers.' };
}

function ofProvider(message: string): string {
  const found = PROVIDERS.find(([name]) => message.startsWith(name));
  return found?.[1] ?? 'Nothing, unless it lasts. It is tried again for days.';
}
