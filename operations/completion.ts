import { COMMON, type Command } from './command.ts';
import { misused } from './words.ts';

/**
 * A script with which the shell completes the words of the function `ops`: docs/operations.md, "The operations
 * command".
 */
export function completionFor(shell: string | undefined, commands: readonly Command[]): string[] {
  if (shell === 'bash') return scriptOf(commands);
  if (shell === 'zsh') return [...FOR_ZSH, ...scriptOf(commands)];
  return misused('completion is for bash or zsh.');
}

/**
 * These lines make zsh understand bash's form of completion. The first line loads zsh's own completion if no
 * configuration has loaded it.
 */
const FOR_ZSH = [
  '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D; }',
  'autoload -Uz bashcompinit && bashcompinit',
];

function scriptOf(commands: readonly Command[]): string[] {
  const names = commands.map(({ name }) => name.split(' '));
  const firsts = [...new Set(names.map(([first]) => first))];
  const secondsOf = (first: string | undefined) =>
    names.filter((name) => name[0] === first).flatMap(([, second]) => second ?? []);
  return [
    '_ops() {',
    `  local word=\${COMP_WORDS[COMP_CWORD]} choices=''`,
    '  case "$COMP_CWORD" in',
    `    1) choices='${[...firsts, 'completion'].join(' ')}' ;;`,
    `    2) case "\${COMP_WORDS[1]}" in`,
    "      completion) choices='bash zsh' ;;",
    ...firsts.map((first) => `      ${first}) choices='${secondsOf(first).join(' ')}' ;;`),
    '    esac ;;',
    `    *) case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    ...commands.map(
      ({ name, options = [] }) =>
        `      '${name}'${name.includes(' ') ? '' : "' '*"}) choices='${flagsOf(options)}' ;;`,
    ),
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$choices" -- "$word"))',
    '}',
    'complete -o default -F _ops ops',
  ];
}

const flagsOf = (options: readonly string[]) => [...options, ...COMMON].map((name) => `--${name}`).join(' ');
