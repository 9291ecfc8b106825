import { type Operator, personOfArn } from '../functions/domain/acts/operator.ts';
import type { Command, Given, Prepared } from './command.ts';
import type { Desk } from './desk.ts';
import { disclose, isDisclosure, isShown, outcomeOf, prepare } from './preparing.ts';
import { type Shown, shownJson, shownLines } from './shown.ts';
import { refuseOrder } from './words.ts';

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
export type CallOptions = { reason?: string; isSure: boolean };
type Session = { desk: Desk; terminal: Terminal; call: CallOptions };

/**
 * Runs one command. A change is shown and confirmed, and is recorded before it is made. With `--yes` no
 * confirmation is asked for. A reading of personal data is recorded before the data are shown, and needs no
 * confirmation. If a change needs a second person, it is only proposed.
 */
export async function run(
  command: Command,
  given: Given,
  session: Session & { operator?: Operator },
): Promise<void> {
  const { desk, terminal, call } = session;
  const print = (shown: Shown) => printShown(shown, given, terminal);
  const asking = { command, given, reason: call.reason };
  const outcome = await outcomeOf(asking, desk);
  if (isShown(outcome)) return print(outcome);
  const operator = session.operator ?? (await operatorAt(desk));
  const at = { desk, operator, print };
  if (isDisclosure(outcome)) return disclose(command.name, { outcome, reason: call.reason }, at);
  const prepared = await prepare(outcome, asking, at);
  await showPrepared(prepared, { ...session, operator });
  await prepared.decide(print);
}

/**
 * The person to whom the AWS credentials of this call belong. Refuses credentials that belong to no person.
 */
async function operatorAt({ caller, policy }: Desk): Promise<Operator> {
  const arn = await caller.findArn();
  const person = personOfArn(arn) ?? refuseOrder(`${arn} is no person: sign in as yourself.`);
  return policy.operatorOf(person);
}

async function showPrepared(
  shown: Prepared,
  { operator, terminal, call }: Session & { operator: Operator },
): Promise<void> {
  for (const line of [`${operator.id} will`, ...shown.will.map((each) => `  ${each}`)]) terminal.tell(line);
  if (!call.isSure) await confirmSubject(shown, terminal);
}

function printShown(shown: Shown, { flags }: Given, terminal: Terminal): void {
  const lines = flags.json ? [JSON.stringify(shownJson(shown), null, 2)] : shownLines(shown);
  for (const line of lines) terminal.say(line);
}

async function confirmSubject({ subject }: { subject: string }, { ask }: Terminal): Promise<void> {
  const answer = (await ask(`Type ${subject} or yes to go on: `)).trim();
  if (answer !== subject && answer !== 'yes') refuseOrder('Nothing was changed.');
}
