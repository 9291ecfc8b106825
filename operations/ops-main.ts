/** Parses a call of the operators' command, and runs it. Modules are loaded only when a command needs them. */
import { parseArgs } from 'node:util';
import { COMMON, type Command, type Flags, OPTIONS } from './command.ts';
import { commandsOf, readAllCommands } from './commands.ts';
import { readTarget, type Target } from './outputs.ts';
import { openTerminal } from './terminal.ts';
import { misused } from './words.ts';

const EXIT = { done: 0, refused: 1, misused: 2 } as const;

type Parsed = { words: string[]; flags: Flags };
type Terminal = ReturnType<typeof openTerminal>;

function parseWords(args: string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { words: positionals, flags: values };
  } catch (error) {
    return misused((error as Error).message);
  }
}

function requireCommand({ words: [first = '', second], flags }: Parsed, found: Command[]): Command {
  const name = second === undefined ? first : `${first} ${second}`;
  const command = found.find((each) => each.name === name) ?? found.find((each) => each.name === first);
  if (!command) misused(`There is no command ${name}: --help lists them.`);
  const allowed: string[] = [...COMMON, ...(command.options ?? [])];
  const wrong = Object.keys(flags).find((each) => !allowed.includes(each));
  if (wrong) misused(`${command.name} takes no --${wrong}. It takes: ${command.takes || 'nothing'}`);
  return command;
}

function targetName({ name, endpoint, region }: Target): string {
  return endpoint ? `${name}, the sandbox at ${endpoint}` : `${name} in ${region}`;
}

/** Prints help or a script for completion. False if the words are a command that must run. */
async function isAnswered({ words: [first, second], flags }: Parsed, terminal: Terminal): Promise<boolean> {
  if (first === 'completion' && !flags.help) {
    const { completionFor } = await import('./completion.ts');
    for (const line of completionFor(second, await readAllCommands())) terminal.say(line);
    return true;
  }
  if (!flags.help && first !== undefined) return false;
  const { helpOf } = await import('./help.ts');
  const ofWord = await commandsOf(first ?? '');
  const wanted = ofWord.filter(({ name }) => name === `${first} ${second}`);
  const shown = wanted.length > 0 ? wanted : ofWord.length > 0 ? ofWord : await readAllCommands();
  for (const line of helpOf(shown)) terminal.say(line);
  return true;
}

async function performCommand(parsed: Parsed, terminal: Terminal): Promise<void> {
  const { words, flags } = parsed;
  const command = requireCommand(parsed, await commandsOf(words[0] ?? ''));
  const target = readTarget(optionText(flags.outputs));
  terminal.tell(targetName(target));
  const call = { reason: optionText(flags.reason), isSure: flags.yes === true };
  const given = { words: words.slice(command.name.split(' ').length), flags, ask: terminal.ask };
  const [{ openDesk }, { run }] = await Promise.all([import('./desk.ts'), import('./run.ts')]);
  await run(command, given, { desk: openDesk(target), terminal, call });
}

export async function main(args: string[]): Promise<number> {
  const terminal = openTerminal();
  try {
    const parsed = parseWords(args);
    if (!(await isAnswered(parsed, terminal))) await performCommand(parsed, terminal);
    return args.length > 0 ? EXIT.done : EXIT.misused;
  } catch (error) {
    const { name, message } = error as Error;
    terminal.tell(['Misused', 'Refused'].includes(name) ? message : `${name}: ${message}`);
    return name === 'Misused' ? EXIT.misused : EXIT.refused;
  } finally {
    terminal.close();
  }
}

const optionText = (value: string | boolean | undefined) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
