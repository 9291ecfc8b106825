/**
 * Describes each reason for which a settlement waits. Operators see the key of a reason as `doing` in the
 * log, and as the cause of an error in the history of the execution. The page docs/waits.md is generated from
 * this file.
 */
import { HOLD_WORDS } from './hold.ts';

type DoingDescription = {
  means: string;
  operator: string;
  /** True: the settlement continues only after a person has acted. */
  isForPerson?: true;
};
type Descriptions = Readonly<Record<string, DoingDescription>>;

const COMPARE_NODES = 'Compare the first node with the others.';

/**
 * A payment waits for this reason if its terms differ from those that were sealed
 * (`purchase/sealed-terms.ts`).
 */
export const ALTERED = 'payout differs from its seals';

const WAITS = {
  'awaiting confirmations': { means: 'the transfer is not deep enough in the chain', operator: 'Nothing.' },
  'awaiting depth': {
    means: 'the transfer is in a block, and its depth needs some time',
    operator: 'Nothing.',
  },
  contended: { means: 'other writers changed the row meanwhile', operator: 'Nothing.' },
  'treasury balance is promised': {
    means: 'too much is on its way, or the first node stands still',
    operator: `${COMPARE_NODES} Send tokens, or wait.`,
  },
  'wallet is busy': {
    means: 'too much is on its way, or the first node stands still',
    operator: `${COMPARE_NODES} If they agree, wait.`,
  },
} as const satisfies Descriptions;

const WALLET_TROUBLES = {
  'wallet is in quarantine': {
    means: 'the wallet is in quarantine, or an operator holds it',
    operator:
      'If you hold it, release it. If not, find out who could sign. In doubt move its funds. Then ' +
      '`treasury release`.',
    isForPerson: true,
  },
  'wallet is used elsewhere': {
    means: 'the chain counts more transactions of the wallet than we do',
    operator: 'Find out who could sign, then `treasury release`.',
    isForPerson: true,
  },
} as const satisfies Descriptions;

const CLAIM_TROUBLES = {
  'fees above the cap': {
    means: 'the network’s fees exceed `feeCapGwei`',
    operator: 'Wait, raise `feeCapGwei`, or cancel.',
  },
  'hourly ceiling': {
    means: 'within the hour, as much of the asset was paid as `hourlyPayout` lets out',
    operator: 'Find out why. Then wait, `treasury allow`, or cancel.',
  },
  paused: { means: 'the issuer paused the token', operator: 'Wait.' },
  'treasury balance': { means: 'the wallets have too few tokens', operator: 'Send tokens.' },
  'treasury gas': { means: 'the wallets have too little gas', operator: 'Send gas.' },
} as const satisfies Descriptions;

const OTHER_TROUBLES = {
  '… is unavailable': {
    means: 'the provider (`chain RPC`, `KMS`) does not answer',
    operator: 'Restore it. Before a transfer began, half an hour of this is a failed try.',
  },
  'chain RPC answered with an error': {
    means: 'no node could do what was asked',
    operator: 'Look at the nodes, as if they did not answer.',
  },
  'held: mined without its transfer': {
    means: 'a success without the `Transfer` log that it must have',
    operator: 'Compare chain and settlement. Tell the developers.',
    isForPerson: true,
  },
  'no room under the fee cap to cancel': {
    means: 'a cancel needs more than `feeCapGwei`',
    operator: 'Raise `feeCapGwei`, or wait.',
  },
  'nonce used, no receipt seen': {
    means: 'nodes lag, or somebody else used the nonce',
    operator: 'Compare the nodes at that nonce. Replace one that lags.',
  },
  'not confirmed for half an hour': {
    means: 'a node is out, nodes differ, or fees rose',
    operator: 'Restore the node, or raise `feeCapGwei`.',
  },
  [ALTERED]: {
    means: 'wallet, asset or units are not as they were sealed, or a seal is missing',
    operator: 'Find out who wrote the row. Then `treasury cancel`, which refunds the purchase.',
    isForPerson: true,
  },
  'transfer is lost after it was confirmed': {
    means: 'something else is final at its nonce: the client has no tokens',
    operator: 'Compensate the client by hand. The service does nothing more.',
    isForPerson: true,
  },
  'wallet was removed': {
    means: 'the deployment left out a wallet that still pays',
    operator: 'Give the deployment its key again.',
    isForPerson: true,
  },
  [HOLD_WORDS.RESTORED]: {
    means: 'the tables were restored',
    operator: 'See “After a restore” in `operations.md`.',
  },
  [HOLD_WORDS.HELD]: {
    means: 'an operator used `treasury hold --all`',
    operator:
      'Ask whom `treasury wallets` names. If no tables were restored, `treasury release --all` once the ' +
      'reason is gone. Else see “After a restore” in `operations.md`.',
  },
} as const satisfies Descriptions;

/** All reasons, by their keys. In `… is unavailable` the `…` stands for the name of a provider. */
export const DOINGS: Descriptions = {
  ...WAITS,
  ...WALLET_TROUBLES,
  ...CLAIM_TROUBLES,
  ...OTHER_TROUBLES,
};

/**
 * Reasons that normally end without a person's action. If one lasts half an hour, a person is alerted
 * nevertheless. Only `contended` never alerts a person.
 */
export type DoingWait = keyof typeof WAITS;

/** The reasons for which a wallet assigns no nonce to a payment. */
export type WalletTrouble = keyof typeof WALLET_TROUBLES;

/**
 * The reasons for which a payment gets no nonce. It waits until the cause has ended or a person has acted.
 */
export type ClaimTrouble = WalletTrouble | keyof typeof CLAIM_TROUBLES;

/** Reasons for which a person is alerted. Each is logged as `settlement needs attention`. */
type Trouble = ClaimTrouble | keyof typeof OTHER_TROUBLES | `${string} is unavailable`;

export type Doing = DoingWait | Trouble;

/**
 * Describes why a step of the state machine has to wait, from the error that the step threw. Undefined if the error
 * means no wait.
 */
export function describeDoing({
  error,
  message,
}: {
  error: string;
  message: string;
}): DoingDescription | undefined {
  if (error !== 'NotYetConfirmed' && error !== 'AwaitingDepth') return undefined;
  return DOINGS[message] ?? (message.endsWith(' is unavailable') ? DOINGS['… is unavailable'] : undefined);
}

export const isForPerson = (doing: Doing): boolean => DOINGS[doing]?.isForPerson === true;
