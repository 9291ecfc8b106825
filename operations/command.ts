import type { ActShownState } from '../functions/domain/acts/act.ts';
import type { ActName } from '../functions/domain/acts/act-rules.ts';
import type { Operator } from '../functions/domain/acts/operator.ts';
import { cpfDigits } from '../functions/domain/kyc/cpf.ts';
import type { Desk } from './desk.ts';
import type { Shown } from './shown.ts';
import { misused } from './words.ts';

/** Every option of every command, in the form that `parseArgs` of `node:util` expects. */
export const OPTIONS = {
  name: { type: 'string' },
  spread: { type: 'string' },
  issuer: { type: 'string' },
  audience: { type: 'string' },
  jwks: { type: 'string' },
  scopes: { type: 'string' },
  url: { type: 'string' },
  partner: { type: 'string' },
  cpf: { type: 'string' },
  event: { type: 'string' },
  asset: { type: 'string' },
  all: { type: 'boolean' },
  since: { type: 'string' },
  until: { type: 'string' },
  transaction: { type: 'string' },
  out: { type: 'string' },
  personal: { type: 'boolean' },
  endpoint: { type: 'string' },
  parked: { type: 'boolean' },
  rejected: { type: 'boolean' },
  decided: { type: 'boolean' },
  gone: { type: 'boolean' },
  list: { type: 'string' },
  entry: { type: 'string' },
  field: { type: 'string' },
  decision: { type: 'string' },
  closed: { type: 'boolean' },
  lifted: { type: 'boolean' },
  outcome: { type: 'string' },
  subject: { type: 'string' },
  who: { type: 'string' },
  act: { type: 'string' },
  text: { type: 'string' },
  amount: { type: 'string' },
  tier: { type: 'string' },
  caps: { type: 'string' },
  'by-partner': { type: 'boolean' },
  csv: { type: 'boolean' },
  reason: { type: 'string' },
  outputs: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type OptionName = keyof typeof OPTIONS;
/** The options that every command accepts. */
export const COMMON: readonly OptionName[] = ['reason', 'outputs', 'yes', 'json', 'help'];

export type Flags = Partial<Record<OptionName, string | boolean>>;

export type Given = {
  /** The words of the call after the command's name. */
  words: string[];
  flags: Flags;
  /** Asks a question. The answer is a line that the operator types, or a line of the standard input. */
  ask(question: string): Promise<string>;
  /** The id of the proposed act that this call carries out or checks. Absent in the operator's own call. */
  act?: string;
  /**
   * Present if an earlier run of the approved act did not end. That run may have made the change under this
   * order.
   */
  resumed?: Order;
};

/**
 * Under which order a change is made: the operator, the instant in epoch milliseconds, and the reason. The
 * reason is empty if the operator gave none.
 */
export type Order = { by: string; at: number; reason: string };

/**
 * A change that an operator wants to make. It is shown, confirmed and recorded before it is made. `--yes` omits the
 * confirmation.
 */
export type Plan = {
  /** The name of the act, if it differs from the name of the command. */
  act?: ActName;
  /**
   * The operator types this text or `yes` to confirm the change. It is also the subject of the act's record.
   */
  subject: string;
  /**
   * The words of the call, together with everything that the command has chosen itself, such as a new key's
   * id. The approved call runs with these words, so that it makes the proposed change.
   */
  words?: string[];
  /**
   * Options that the approved call gets with other values than this call, such as a file's content in place of its
   * path.
   */
  flags?: Flags;
  /** The client whom the change is about. Absent if there is none. */
  clientId?: string;
  will: string[];
  /** Facts for the record. They must contain no secret and no CPF. */
  facts: Record<string, unknown>;
  /**
   * The state that the change affects: now (`before`) and once the change is made (`after`). A proposal is
   * stale if either differs at the approval.
   */
  before: ActShownState;
  after: ActShownState;
  /** True if an earlier run has already made the change under the order in `resumed`. */
  isDone?: boolean;
  /** Printed in place of the result if `isDone` is true. */
  doneWords?: string;
  /** Makes the change, and returns what is printed. */
  perform(order: Order): Promise<Shown>;
};

/**
 * Personal data that an operator wants to read. The reading is recorded before the data are shown. No
 * confirmation is needed.
 */
export type Disclosure = Pick<Plan, 'subject' | 'clientId' | 'facts' | 'perform'> & {
  /** Words for the record of the act that say what is read. Absent if `subject` says it already. */
  reads?: readonly string[];
};

/**
 * An act that is made once its operator confirms it. `before` and `after` are absent if it only decides about
 * another act.
 */
export type Prepared = Pick<Plan, 'subject' | 'will'> &
  Partial<Pick<Plan, 'before' | 'after'>> & { decide(print: (shown: Shown) => void): Promise<void> };

/**
 * An operator's decision about a proposed act: to approve it or to withdraw it. The decision becomes an event
 * of the act.
 */
export type Decision = {
  prepare(operator: Operator): Promise<Prepared>;
};

export type Command = {
  /** The one or two words that call the command, such as `partners create`. */
  name: string;
  takes: string;
  about: string;
  options?: readonly OptionName[];
  needsReason?: true;
  /**
   * Returns what is printed, a change that must be confirmed, a reading of personal data that must be
   * recorded, or a decision.
   */
  run(given: Given, desk: Desk): Promise<Shown | Plan | Disclosure | Decision>;
};

/** The words that a command takes after its name. Missing or additional words are refused. */
export function requireWords<Names extends string[]>(
  { words }: Given,
  ...names: Names
): { [At in keyof Names]: string } {
  if (words.length < names.length) misused(`${names[words.length]} is missing.`);
  if (words.length > names.length) misused(`${words[names.length]} is one word too many.`);
  return words as { [At in keyof Names]: string };
}

export function requireText({ flags }: Given, name: OptionName): string {
  const value = flags[name];
  if (typeof value !== 'string' || value.trim() === '') misused(`--${name} is missing.`);
  return value.trim();
}

/** The CPF of the option `--cpf`, as digits. */
export const cpfIn = (given: Given): string => requireCpf(requireText(given, 'cpf'));

/**
 * The CPF of the option `--cpf`, or otherwise of the answer to the question, as digits. An answer is safer, because the
 * shell's history keeps options.
 */
export const cpfAsked = async (given: Given, question: string): Promise<string> =>
  given.flags.cpf ? cpfIn(given) : requireCpf(await given.ask(question));

const requireCpf = (text: string): string =>
  cpfDigits(text) ?? misused('That is no CPF: its check digits are wrong.');
