/** Calls an operators' command for a person who is signed in, like the terminal. */
import type { Flags, Given } from '../command.ts';
import { commandsOf } from '../commands.ts';
import type { Desk } from '../desk.ts';
import { perform } from '../run.ts';
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
  const given: Given = { words, flags: { ...flags, by: session.person }, ask: nobody };
  const outcome = await command.run(given, desk);
  if (!('perform' in outcome)) return outcome;
  if ('will' in outcome) refused(`${name} changes something: this page only reads.`);
  return perform(command, outcome, { desk, operator: { by: session.person, isSure: true } });
}

const nobody = async () => refused('A page answers no question.');
