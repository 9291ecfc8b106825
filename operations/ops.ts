/**
 * `npm run ops -- <command>` is the operators' command: docs/operations.md. It acts on the sandbox that runs here or,
 * with --outputs, on a stack of AWS.
 */
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { moneyCaseCommands } from './cases.ts';
import { clientCommands } from './clients.ts';
import { COMMON, type Command, type Flags, OPTIONS } from './command.ts';
import { deliveryCommands } from './deliveries.ts';
import { openDesk } from './desk.ts';
import { endpointCommands } from './endpoints.ts';
import { evidenceCommands } from './evidence.ts';
import { fraudCommands } from './fraud.ts';
import { keyCommands } from './keys.ts';
import { ledgerCommands } from './ledger.ts';
import { readTarget, type Target } from './outputs.ts';
import { partnerCommands } from './partners.ts';
import { reviewCommands } from './reviews.ts';
import { run } from './run.ts';
import { openTerminal } from './terminal.ts';
import { totpCommands } from './totp.ts';
import { treasuryCommands } from './treasury.ts';
import { replayCommands } from './treasury-replay.ts';
import { txCommands } from './tx.ts';
import { unmatchedCommands } from './unmatched-payments.ts';
import { walletCommands } from './wallets.ts';
import { misused } from './words.ts';

export const COMMANDS: Command[] = [
  ...txCommands,
  ...partnerCommands,
  ...keyCommands,
  ...endpointCommands,
  ...totpCommands,
  ...deliveryCommands,
  ...reviewCommands,
  ...unmatchedCommands,
  ...moneyCaseCommands,
  ...clientCommands,
  ...fraudCommands,
  ...ledgerCommands,
  ...walletCommands,
  ...evidenceCommands,
  ...treasuryCommands,
  ...replayCommands,
];

const EXIT = { done: 0, refused: 1, misused: 2 } as const;

function helpText(): string {
  const lines = COMMANDS.flatMap(({ name, takes, about, needsReason }) => [
    `  ${[name, takes, needsReason && '--reason <why>'].filter(Boolean).join(' ')}`,
    `      ${about}`,
  ]);
  return [
    'npm run ops -- <command>',
    '',
    ...lines,
    '',
    'Every change is shown, confirmed and recorded as evidence. Options of all commands:',
    '  --outputs <file>  the stack’s outputs, of cdk deploy --outputs-file; else the sandbox that runs here',
    '  --reason <why>    for the record; --by <who>, else the name of your account on this machine',
    '  --yes             asks nothing, for scripts',
    'Exit codes: 0 done, 1 refused or failed, 2 misused.',
  ].join('\n');
}

type Parsed = { command: Command; words: string[]; flags: Flags };

function parse(args: string[]): Parsed | 'HELP' {
  const { values, positionals } = parseOptions(args);
  const [first, second, ...words] = positionals;
  if (values.help || first === undefined) return 'HELP';
  const command = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (!command)
    misused(`There is no command ${[first, second].filter(Boolean).join(' ')}: --help lists them.`);
  const allowed: string[] = [...COMMON, ...(command.options ?? [])];
  const wrong = Object.keys(values).find((name) => !allowed.includes(name));
  if (wrong) misused(`${command.name} takes no --${wrong}.`);
  return { command, words, flags: values };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return misused((error as Error).message);
  }
}

function nameOf({ name, endpoint, region }: Target): string {
  return endpoint ? `${name}, the sandbox at ${endpoint}` : `${name} in ${region}`;
}

async function main(args: string[]): Promise<number> {
  const terminal = openTerminal();
  try {
    const parsed = parse(args);
    if (parsed === 'HELP') {
      terminal.say(helpText());
      return args.length > 0 ? EXIT.done : EXIT.misused;
    }
    const { command, words, flags } = parsed;
    const target = readTarget(text(flags.outputs));
    terminal.tell(nameOf(target));
    const by = text(flags.by) ?? userInfo().username;
    const operator = { by, reason: text(flags.reason), isSure: flags.yes === true };
    const given = { words, flags: { ...flags, by }, ask: terminal.ask };
    await run(command, given, { desk: openDesk(target), terminal, operator });
    return EXIT.done;
  } catch (error) {
    const { name, message } = error as Error;
    terminal.tell(['Misused', 'Refused'].includes(name) ? message : `${name}: ${message}`);
    return name === 'Misused' ? EXIT.misused : EXIT.refused;
  } finally {
    terminal.close();
  }
}

const text = (value: string | boolean | undefined) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
