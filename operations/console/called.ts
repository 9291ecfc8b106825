/** Calls an operators' command for a person who is signed in, as the terminal does. */
import type { Operator } from '../../functions/domain/acts/operator.ts';
import { getDefined } from '../../functions/domain/get.ts';
import type { Command, Disclosure, Flags, Given } from '../command.ts';
import { commandsOf } from '../commands.ts';
import type { Desk } from '../desk.ts';
import { disclose, isDisclosure, isShown } from '../preparing.ts';
import type { Shown } from '../shown.ts';
import { refuseOrder } from '../words.ts';
import type { Session } from './session.ts';

export type CommandCall = { name: string; words?: string[]; flags?: Flags };
type SignedCaller = { desk: Desk; session: Session };

/**
 * Returns the output of a command. Refuses a command that changes something. A read of personal data is recorded under
 * the person's name.
 */
export async function called(
  { name, words = [], flags = {} }: CommandCall,
  caller: SignedCaller,
): Promise<Shown> {
  const command = await requireCommandNamed(name);
  const outcome = await command.run(givenOf(words, flags), caller.desk);
  if (isShown(outcome)) return outcome;
  if (!isDisclosure(outcome)) return refuseOrder(`${name} changes something: this page only reads.`);
  return disclosed(name, outcome, caller);
}

/** Returns personal data, after the reading is recorded under the person's name. */
export async function disclosed(
  name: string,
  outcome: Disclosure,
  { desk, session }: SignedCaller,
): Promise<Shown> {
  const printed: Shown[] = [];
  const at = { desk, operator: operatorOf(session), print: (shown: Shown) => void printed.push(shown) };
  await disclose(name, { outcome }, at);
  return getDefined(printed[0], 'output');
}

export async function requireCommandNamed(name: string): Promise<Command> {
  const found = await commandsOf(name.split(' ')[0] ?? '');
  return found.find((each) => each.name === name) ?? refuseOrder(`There is no command ${name}.`);
}

export const givenOf = (words: string[], flags: Flags): Given => ({ words, flags, ask: nobody });

export const operatorOf = ({ person, role }: Session): Operator => ({ ...person, roles: [role] });

const nobody = async () => refuseOrder('A page answers no question.');
