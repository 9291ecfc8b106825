/**
 * The reasons for which a node refuses a transaction. Each client software has its own words for these four
 * reasons.
 */
const MEANINGS = ['alreadyKnown', 'nonceTooLow', 'replacementUnderpriced', 'insufficientFunds'] as const;
export type Meaning = (typeof MEANINGS)[number];
export type RpcError = { code: number; message: string };

// The refusals in the words of five client programs. The product must not depend on the words.
const VOCABULARIES = {
  anvil: {
    alreadyKnown: { code: -32003, message: 'transaction already imported' },
    nonceTooLow: { code: -32003, message: 'nonce too low' },
    replacementUnderpriced: { code: -32003, message: 'replacement transaction underpriced' },
    insufficientFunds: { code: -32003, message: 'Insufficient funds for gas * price + value' },
  },
  geth: {
    alreadyKnown: { code: -32000, message: 'already known' },
    nonceTooLow: { code: -32000, message: 'nonce too low: next nonce 2, tx nonce 1' },
    replacementUnderpriced: { code: -32000, message: 'replacement transaction underpriced' },
    insufficientFunds: {
      code: -32000,
      message: 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1',
    },
  },
  openethereum: {
    alreadyKnown: { code: -32010, message: 'Transaction with the same hash was already imported.' },
    nonceTooLow: { code: -32010, message: 'Transaction nonce is too low. Try incrementing the nonce.' },
    replacementUnderpriced: {
      code: -32010,
      message:
        'Transaction gas price is too low. There is another transaction with same nonce in the queue. ' +
        'Try increasing the gas price or incrementing the nonce.',
    },
    insufficientFunds: {
      code: -32010,
      message:
        'Insufficient funds. The account you tried to send transaction from does not have enough funds.',
    },
  },
  nethermind: {
    alreadyKnown: { code: -32010, message: 'AlreadyKnown' },
    nonceTooLow: { code: -32010, message: 'OldNonce' },
    replacementUnderpriced: { code: -32010, message: 'ReplacementNotAllowed' },
    insufficientFunds: { code: -32010, message: 'InsufficientFunds' },
  },
  besu: {
    alreadyKnown: { code: -32000, message: 'Known transaction' },
    nonceTooLow: { code: -32001, message: 'Nonce too low' },
    replacementUnderpriced: { code: -32000, message: 'Replacement transaction underpriced' },
    insufficientFunds: { code: -32004, message: 'Upfront cost exceeds account balance' },
  },
} as const satisfies Record<string, Record<Meaning, RpcError>>;
export type Client = keyof typeof VOCABULARIES;
export const CLIENTS = Object.keys(VOCABULARIES) as Client[];

const PATTERNS: Record<Meaning, RegExp> = {
  alreadyKnown: /already (imported|known)/i,
  nonceTooLow: /nonce too low/i,
  replacementUnderpriced: /underpriced/i,
  insufficientFunds: /insufficient funds/i,
};

export const say = (meaning: Meaning, client: Client): RpcError => VOCABULARIES[client][meaning];

/**
 * Returns the error in another client's words. An error that has none of the four meanings stays unchanged.
 */
export function reword(error: RpcError, client: Client): RpcError {
  const meaning = MEANINGS.find((one) => PATTERNS[one].test(error.message));
  return meaning ? say(meaning, client) : error;
}
