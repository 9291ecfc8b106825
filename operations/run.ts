import type { OperationEvidence } from '../functions/domain/purchase/evidence.ts';
import { idsOf, newReservation } from '../functions/logic/ids.ts';
import type { Command, Disclosure, Given, Plan } from './command.ts';
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
export type Operator = { by: string; reason?: string; isSure: boolean };

/**
 * Runs one command. It shows a change, asks for a confirmation and records the change before it makes it. With `--yes`
 * it asks for none. It also records personal data before it shows them, without a confirmation.
 */
export async function run(
  command: Command,
  given: Given,
  { desk, terminal, operator }: { desk: Desk; terminal: Terminal; operator: Operator },
): Promise<void> {
  if (command.needsReason && !operator.reason) misused(`${command.name} needs a --reason.`);
  const print = (shown: Shown) => say(shown, given, terminal);
  const outcome = await command.run(given, desk);
  if (!('perform' in outcome)) return print(outcome);
  if ('will' in outcome) {
    for (const line of ['This will', ...outcome.will.map((each) => `  ${each}`)]) terminal.tell(line);
    if (!operator.isSure) await confirm(outcome, terminal);
  }
  print(await perform(command, outcome, { desk, operator }));
}

function say(shown: Shown, { flags }: Given, terminal: Terminal): void {
  const lines = flags.json ? [JSON.stringify(jsonOf(shown), null, 2)] : linesOf(shown);
  for (const line of lines) terminal.say(line);
}

async function confirm({ subject }: Plan, { ask }: Terminal): Promise<void> {
  const answer = (await ask(`Type ${subject} or yes to go on: `)).trim();
  if (answer !== subject && answer !== 'yes') refused('Nothing was changed.');
}

/**
 * Writes the record first, so that nothing is changed or shown without one. If the change fails, that is recorded too.
 */
export async function perform(
  command: Command,
  plan: Plan | Disclosure,
  { desk, operator }: { desk: Desk; operator: Operator },
): Promise<Shown> {
  const { clock, random, evidence } = desk;
  const at = clock.now();
  const record: OperationEvidence = {
    subject: `${plan.subject}#${idsOf(newReservation(at, random)).request()}`,
    clientId: plan.clientId,
    kind: 'operation',
    at,
    decidedBy: operator.by,
    inputs: { command: command.name, ...plan.facts },
    findings: {},
    decision: { reason: operator.reason, outcome: 'ORDERED' },
  };
  await evidence.record(record);
  try {
    return await plan.perform();
  } catch (error) {
    const { reason } = operator;
    const decision = { reason, outcome: 'FAILED', error: (error as Error).name } as const;
    await evidence.record({ ...record, at: Math.max(at + 1, clock.now()), decision });
    throw error;
  }
}
