import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import { sandbox } from '../support/sandbox.ts';

const { write } = operations();
const ROOT = new URL('../../', import.meta.url).pathname;
const PERSON = ['--name', 'Quirilânia Ostembergue', '--born', '1971-02-03'];

/** Runs the command as a person does, in its own process. */
async function rehearse(...args: string[]) {
  const { awsEndpoint: endpoint, region, outputs } = sandbox();
  const file = write('outputs.json', {
    OnrampSandbox: outputs,
    local: { endpoint, region, pid: process.pid },
  });
  const child = spawn(process.execPath, ['sandbox/rehearse.ts', ...args, '--outputs', file], { cwd: ROOT });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

const countsIn = (out: string) => /UN_SC: (\d+) entries, (\d+) before/.exec(out)!.slice(1).map(Number);

test('one command puts a person on a list, and searches for the clients; another takes the person off', async () => {
  const added = await rehearse('UN_SC', 'rehearsed', ...PERSON);
  const removed = await rehearse('UN_SC', 'rehearsed', '--off');

  const [[after, before], [last]] = [countsIn(added.out), countsIn(removed.out)] as [number[], number[]];
  expect([after, last]).toEqual([before! + 1, before]);
  for (const { out } of [added, removed]) expect(out).toMatch(/Clients searched again: \d+ kept, /);
});

test.each([
  [[]],
  [['UN_SC']],
  [['UN_SC', 'x']],
  [['UN_SC', 'x', ...PERSON, '--off']],
  [['NO_LIST', 'x', '--off']],
])('a call with the words %j fails, and says how the command is called', async (args) => {
  const { code, err } = await rehearse(...args);

  expect([code, err]).toEqual([2, expect.stringContaining('npm run rehearse -- <list> <entry>')]);
});
