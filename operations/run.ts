import { type Operator, personOfArn } from '../functions/domain/acts/operator.ts';
import { cpfDigits } from '../functions/domain/kyc/cpf.ts';
import { type At, order, propose, requireAllowed } from './acting.ts';
import type { Command, Decision, Disclosure, Given, Plan } from './command.ts';
import type { Desk } from './desk.ts';
import { jsonOf, linesOf, type Shown } from './shown.ts';
import { misused, refused } from './words.ts';

export type Terminal = {
  /** Prints a line of the result, which scripts read. */
  say(line: string): void;
  /** Prints a line for the person at the terminal only. */
  tell(line: string): void;
  ask(question: string): Promise<string>;
};
/**
 * `reason` is the operator's reason for the command. `isSure` is true if the operator wants no question
 * (`--yes`).
 */
export type Call = { reason?: string; isSure: boolean };
type Session = { desk: Desk; terminal: Terminal; call: Call };

/**
 * Runs one command. It shows a change, asks for a confirmation and records the change before it makes it.
 * With `--yes` it does not ask. It records a reading of personal data before it shows the data, and asks for
 * no confirmation. If a change needs a second person, it only proposes the change.
 */
export async function run(
  command: Command,
  given: Given,
  session: Session & { operator?: Operator },
): Promise<void> {
  const { desk, terminal, call } = session;
  if (command.needsReason && !call.reason) misused(`${command.name} needs a --reason.`);
  if (call.reason !== undefined) requireFit(call.reason);
  const print = (shown: Shown) => say(shown, given, terminal);
  const outcome = await command.run(given, desk);
  const isAct = 'perform' in outcome;
  if (!isAct && !('prepare' in outcome)) return print(outcome);
  const operator = session.operator ?? (await operatorAt(desk));
  const acting = { ...session, operator, given, print };
  await (isAct ? act(command, outcome, acting) : decide(outcome, acting));
}

type Acting = Session & At & { given: Given };

async function act(command: Command, outcome: Plan | Disclosure, acting: Acting): Promise<void> {
  const { given, call } = acting;
  const name = ('act' in outcome && outcome.act) || command.name;
  const { second } = await requireAllowed(name, acting);
  if (!('will' in outcome)) return order({ name, outcome, call }, acting);
  const more = second
    ? [`once another ${second.by.join(' or ')} has approved it, within ${second.withinHours} h`]
    : [];
  if (second && !call.reason) misused(`${name} needs a --reason, because another person decides about it.`);
  await show({ ...outcome, will: [...outcome.will, ...more] }, acting);
  if (!second) return order({ name, outcome, call }, acting);
  return propose({ name, outcome, call, second, command: command.name, given }, acting);
}

async function decide(outcome: Decision, acting: Acting): Promise<void> {
  const prepared = await outcome.prepare(acting.operator);
  await show(prepared, acting);
  await prepared.decide(acting.print);
}

/**
 * The person to whom the AWS credentials of this call belong. Refuses credentials that belong to no person.
 */
async function operatorAt({ caller, policy }: Desk): Promise<Operator> {
  const arn = await caller.findArn();
  const person = personOfArn(arn) ?? refused(`${arn} is no person: sign in as yourself.`);
  return policy.operatorOf(person);
}

const LONGEST_REASON = 500;

/**
 * Refuses a reason that is too long, has several lines or contains a CPF. It is kept for ten years, and other
 * operators see it in their terminals.
 */
function requireFit(reason: string): void {
  if (reason.length > LONGEST_REASON || /\p{Cc}/u.test(reason))
    misused(`A reason has at most ${LONGEST_REASON} characters, in one line.`);
  const numbers = reason.match(/(?<!\w)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\w)/g) ?? [];
  if (numbers.some(cpfDigits)) misused('A reason names no CPF: it is kept in clear.');
}

async function show(
  shown: { subject: string; will: string[] },
  { operator, ...session }: Acting,
): Promise<void> {
  const { terminal, call } = session;
  for (const line of [`${operator.id} will`, ...shown.will.map((each) => `  ${each}`)]) terminal.tell(line);
  if (!call.isSure) await confirm(shown, terminal);
}

function say(shown: Shown, { flags }: Given, terminal: Terminal): void {
  const lines = flags.json ? [JSON.stringify(jsonOf(shown), null, 2)] : linesOf(shown);
  for (const line of lines) terminal.say(line);
}

async function confirm({ subject }: { subject: string }, { ask }: Terminal): Promise<void> {
  const answer = (await ask(`Type ${subject} or yes to go on: `)).trim();
  if (answer !== subject && answer !== 'yes') refused('Nothing was changed.');
}
