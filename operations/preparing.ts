/**
 * Prepares the act of a command. An operator sees the change in the terminal or on a page. The change is made
 * only after the operator confirms it.
 */
import { cpfDigits } from '../functions/domain/kyc/cpf.ts';
import { type At, order, propose, requireActAllowed } from './acting.ts';
import type { Command, Decision, Disclosure, Given, Plan, Prepared } from './command.ts';
import type { Desk } from './desk.ts';
import type { Shown } from './shown.ts';
import { misused } from './words.ts';

/** `reason` is the operator's reason for the command. */
type CommandAsked = { command: Command; given: Given; reason?: string };
type CommandOutcome = Awaited<ReturnType<Command['run']>>;

/**
 * Runs a command until it knows the change, and does not make the change. Refuses a reason that is missing or
 * unfit.
 */
export async function outcomeOf(
  { command, given, reason }: CommandAsked,
  desk: Desk,
): Promise<CommandOutcome> {
  if (command.needsReason && !reason) misused(`${command.name} needs a --reason.`);
  const fault = reason === undefined ? undefined : faultOfReason(reason);
  if (fault) misused(fault);
  return command.run(given, desk);
}

export const isShown = (outcome: CommandOutcome): outcome is Shown =>
  !('perform' in outcome) && !('prepare' in outcome);

export const isDisclosure = (outcome: Plan | Disclosure | Decision): outcome is Disclosure =>
  'perform' in outcome && !('will' in outcome);

/** Shows personal data to an operator who may read them, and records that first. */
export async function disclose(
  name: string,
  { outcome, reason }: { outcome: Disclosure; reason?: string },
  at: At,
) {
  await requireActAllowed(name, at);
  await order({ name, outcome, call: { reason } }, at);
}

/**
 * Prepares the change that the operator must confirm. If the policy demands a second person, the confirmation
 * only proposes the change.
 */
export async function prepare(
  outcome: Plan | Decision,
  asking: CommandAsked,
  who: Omit<At, 'print'>,
): Promise<Prepared> {
  if ('prepare' in outcome) return outcome.prepare(who.operator);
  const { command, given, reason } = asking;
  const name = outcome.act ?? command.name;
  const { second } = await requireActAllowed(name, who);
  if (second && !reason) misused(`${name} needs a --reason, because another person decides about it.`);
  const ordered = { name, outcome, call: { reason } };
  const more = second
    ? [`once another ${second.by.join(' or ')} has approved it, within ${second.withinHours} h`]
    : [];
  const { subject, before, after, will } = outcome;
  const decide = (print: At['print']) =>
    second
      ? propose({ ...ordered, second, command: command.name, given }, { ...who, print })
      : order(ordered, { ...who, print });
  return { subject, before, after, will: [...will, ...more], decide };
}

const LONGEST_REASON = 500;

/**
 * Says why a reason is unfit: it is too long, has several lines or contains a CPF. It is kept for ten years,
 * and other operators see it in their terminals. Undefined if the reason is fit.
 */
export function faultOfReason(reason: string): string | undefined {
  if (reason.length > LONGEST_REASON || /\p{Cc}/u.test(reason))
    return `A reason has at most ${LONGEST_REASON} characters, in one line.`;
  return withoutCpfs(reason) === reason ? undefined : 'A reason names no CPF: it is kept in clear.';
}

/** The text with the word “CPF” in place of each CPF. */
export const withoutCpfs = (text: string): string =>
  text.replaceAll(/(?<!\w)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\w)/g, (found) =>
    cpfDigits(found) ? 'CPF' : found,
  );
