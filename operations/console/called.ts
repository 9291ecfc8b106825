/** Calls an operators' command for a person who is signed in, as the terminal does. */
import type { Operator } from '../../functions/domain/acts/operator.ts';
import { getDefined } from '../../functions/domain/get.ts';
import { order, requireAllowed } from '../acting.ts';
import type { Flags, Given } from '../command.ts';
import { commandsOf } from '../commands.ts';
import type { Desk } from '../desk.ts';
import type { Shown } from '../shown.ts';
import { refused } from '../words.ts';
import type { Session } from './session.ts';

export type Call = { name: string; words?: string[]; flags?: Flags };
type Caller = { desk: Desk; session: Session };

/**
 * Returns the output of a command. Refuses a command that changes something. A read of personal data is recorded under
 * the person's name.
 */
export async function called(
  { name, words = [], flags = {} }: Call,
  { desk, session }: Caller,
): Promise<Shown> {
  const found = await commandsOf(name.split(' ')[0] ?? '');
  const command = found.find((each) => each.name === name) ?? refused(`There is no command ${name}.`);
  const given: Given = { words, flags, ask: nobody };
  const outcome = await command.run(given, desk);
  if ('will' in outcome || 'prepare' in outcome) refused(`${name} changes something: this page only reads.`);
  if (!('perform' in outcome)) return outcome;
  const printed: Shown[] = [];
  const at = { desk, operator: operatorOf(session), print: (shown: Shown) => void printed.push(shown) };
  await requireAllowed(name, at);
  await order({ name, outcome, call: {} }, at);
  return getDefined(printed[0], 'output');
}

const operatorOf = ({ person, role }: Session): Operator => ({ ...person, roles: [role] });

const nobody = async () => refused('A page answers no question.');
