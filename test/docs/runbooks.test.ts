import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runbooksDocument } from '../../docs/runbooks.ts';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';
import { CONDITIONS } from '../../functions/domain/watching/conditions.ts';

const FUNCTIONS = new URL('../../functions', import.meta.url).pathname;
const [, SHELL = ''] = /```sh\n([\s\S]+?)```/.exec(runbooksDocument()) ?? [];
/** Stands for the `aws` command. It prints its arguments in the place of answers. */
const STUB =
  'aws() { if [ "$2" = start-query ]; then printf "%s\\n" "$@" >&3; fi; }; sleep() { :; }; date() { echo 100000; }';

/** The hours and the filter of the query that a line of the shell makes. */
function askedBy(line: string): { hours: number; filter: string } {
  const functions = SHELL.slice(0, SHELL.indexOf('\nlines TreasuryLow'));
  const script = `exec 3>&1; ${STUB}\n${functions}\n${line} > /dev/null`;
  const args = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n');
  const after = (name: string) => args[args.indexOf(name) + 1]!;
  const [, filter = ''] = /^SOURCE logGroups\(namePrefix: \['Onramp'\]\) \| filter (.+)$/.exec(
    after('--query-string'),
  )!;
  return { hours: (100_000 - Number(after('--start-time'))) / 3600, filter };
}

describe('the shell functions of the run-books', () => {
  it.each([
    ['lines TreasuryLow', 3, 'ispresent(TreasuryLow)'],
    ['lines TreasuryLow 12', 12, 'ispresent(TreasuryLow)'],
    ['said "message failed"', 3, "message = 'message failed'"],
    ['said "message failed" 8', 8, "message = 'message failed'"],
    [
      'said "request answered" code=INVALID_API_KEY',
      3,
      "message = 'request answered' and code = 'INVALID_API_KEY'",
    ],
    ['said "a b" partnerId=p1 24', 24, "message = 'a b' and partnerId = 'p1'"],
  ])('look in the logs for %s', (line, hours, filter) => {
    expect(askedBy(line)).toEqual({ hours, filter });
  });

  it('look back as far as each condition is counted', () => {
    const longest = Math.max(...ALARMS.filter(({ id }) => id in CONDITIONS).map(({ minutes }) => minutes));

    expect(askedBy('lines ListOld').hours * 60).toBeGreaterThanOrEqual(longest);
  });
});

it.each([
  ['of ReconcilePix', 'logs tail ReconcilePixLogs --since 3h'],
  ['of ReconcilePix 12', 'logs tail ReconcilePixLogs --since 12h'],
])('%s reads the log of a function by its name', (line, asked) => {
  const functions = SHELL.slice(0, SHELL.indexOf('\nlines TreasuryLow'));
  // Answers the search for a log group with the pattern of its name.
  const aws = 'aws() { if [ "$2" = tail ]; then echo "$@"; else echo "$4"; fi; }';

  const said = execFileSync('bash', ['-c', `${aws}\n${functions}\n${line}`], { encoding: 'utf8' });

  expect(said.trim()).toBe(asked);
});

describe('a run-book', () => {
  const code = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('domain/watching'))
    .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'))
    .join('');
  const saidIn = ALARMS.flatMap(({ id, look, ends }) =>
    [...`${look} ${ends}`.matchAll(/said "([^"]+)"/g)].map(([, message]) => [id, message!] as const),
  );

  it('names only messages that code logs', () => {
    expect(saidIn.length).toBeGreaterThan(5);
    expect(saidIn.filter(([, message]) => !code.includes(`'${message}'`))).toEqual([]);
  });

  it('names the code of the refusals that ring it', () => {
    for (const { id, source, look } of ALARMS)
      if ('dimensions' in source && look.includes('request answered'))
        expect(look, id).toContain(`code=${source.dimensions?.code}`);
  });
});
