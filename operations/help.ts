import type { Command } from './command.ts';
import { rightsOf } from './rights.ts';

const ENDING = [
  'Every change is shown, confirmed and recorded as evidence. Options of all commands:',
  '  --outputs <file>  the stack’s outputs, of cdk deploy --outputs-file; else the sandbox that runs here',
  '  --reason <why>    for the record; it names you by your credentials of AWS',
  '  --yes             asks nothing, for scripts',
  '  --json            prints JSON, with instants in UTC; else they are in Brasília’s time',
  '  --help            of one command, or of all that begin with a word: with their rights on AWS',
  'Four characters of a case or six of a purchase are enough if unique; treasury decide needs the whole id.',
  'Days: 2026-11-20, 20/11/2026, today, yesterday. Instants: a day with 09:00, or 2h ago. They are in',
  'Brasília’s time, unless the text ends with a zone.',
  'Exit codes: 0 done, 1 refused, unknown or failed, 2 misused.',
];

const usageOf = ({ name, takes, needsReason }: Command) =>
  [name, takes, needsReason && '--reason <why>'].filter(Boolean).join(' ');

/** @param wanted the commands about which help was asked for */
export function helpOf(wanted: readonly Command[]): string[] {
  const [only, ...others] = wanted;
  if (only && others.length === 0)
    return [
      `npm run ops -- ${usageOf(only)}`,
      '',
      `  ${only.about}`,
      '',
      ...rightsOf([only.name]),
      '',
      ...ENDING,
    ];
  const firstWords = new Set(wanted.map(({ name }) => name.split(' ')[0]));
  return [
    'npm run ops -- <command>',
    '',
    ...wanted.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.about}`]),
    ...(wanted.length > 0 ? [''] : []),
    '  completion bash | zsh',
    '      completes the words of the shell function `ops`: source <(npm run -s ops -- completion bash)',
    '',
    ...(firstWords.size === 1 ? [...rightsOf(wanted.map(({ name }) => name)), ''] : []),
    ...ENDING,
  ];
}
