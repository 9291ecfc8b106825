import { cpfDigits } from '../functions/domain/kyc/cpf.ts';
import type { Desk } from './desk.ts';
import type { Shown } from './shown.ts';
import { misused } from './words.ts';

/** Every option of every command, as `node:util` parses them. */
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
  closed: { type: 'boolean' },
  lifted: { type: 'boolean' },
  outcome: { type: 'string' },
  amount: { type: 'string' },
  tier: { type: 'string' },
  caps: { type: 'string' },
  reason: { type: 'string' },
  by: { type: 'string' },
  outputs: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type OptionName = keyof typeof OPTIONS;
/** The options of every command. */
export const COMMON: readonly OptionName[] = ['reason', 'by', 'outputs', 'yes', 'json', 'help'];

export type Flags = Partial<Record<OptionName, string | boolean>>;

export type Given = {
  /** The words after the command's name. */
  words: string[];
  flags: Flags;
  /** Asks the operator, or the writer of the standard input, for a line. */
  ask(question: string): Promise<string>;
};

/** A change that is shown, confirmed and recorded before it is made. An operator who gives `--yes` is not asked. */
export type Plan = {
  /** The text that the operator types to confirm, instead of `yes`. It is also the subject of the record. */
  subject: string;
  /** The client that the change is about, if there is one. */
  clientId?: string;
  will: string[];
  /** Facts for the record, without a secret or a CPF. */
  facts: Record<string, unknown>;
  /** Makes the change. Returns what is printed. */
  perform(): Promise<Shown>;
};

/** Personal data to read. They are recorded before they are shown, without a question. */
export type Disclosure = Omit<Plan, 'will'>;

export type Command = {
  /** `partners create` and its arguments. */
  name: string;
  takes: string;
  about: string;
  options?: readonly OptionName[];
  needsReason?: true;
  /** Returns what is printed, a change to confirm, or personal data to read. */
  run(given: Given, desk: Desk): Promise<Shown | Plan | Disclosure>;
};

/** The words that a command takes. Other words, or missing ones, are refused. */
export function wordsOf<Names extends string[]>(
  { words }: Given,
  ...names: Names
): { [At in keyof Names]: string } {
  if (words.length < names.length) misused(`${names[words.length]} is missing.`);
  if (words.length > names.length) misused(`${words[names.length]} is one word too many.`);
  return words as { [At in keyof Names]: string };
}

export function textOf({ flags }: Given, name: OptionName): string {
  const value = flags[name];
  if (typeof value !== 'string' || value.trim() === '') misused(`--${name} is missing.`);
  return value.trim();
}

/** The digits of `--cpf`. */
export const cpfIn = (given: Given): string => cpfOf(textOf(given, 'cpf'));

/** The digits of `--cpf`, or of the answer to the question. An option stays in the history of the shell. */
export const cpfAsked = async (given: Given, question: string): Promise<string> =>
  given.flags.cpf ? cpfIn(given) : cpfOf(await given.ask(question));

const cpfOf = (text: string): string =>
  cpfDigits(text) ?? misused('That is no CPF: its check digits are wrong.');
