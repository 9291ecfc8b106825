import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/operations.ts';
import { type Stub, startStub } from '../support/stub-server.ts';

let stub: Stub;
let outputs: string;
beforeAll(async () => {
  // Tables without rows.
  stub = await startStub(() => ({ body: { Items: [] } }));
  outputs = join(tmpdir(), 'outputs.json');
  const names = ['Partners', 'Transactions', 'KycRecords', 'UnmatchedPayments', 'Settlements', 'MoneyCases'];
  const stack = {
    ...Object.fromEntries(names.map((name) => [`${name}Table`, name])),
    Stage: 'sandbox',
    LookupSecret: 'arn:aws:secretsmanager:us-east-1:111122223333:secret:Lookup-abc',
  };
  const local = { endpoint: stub.url, region: 'us-east-1', pid: 1 };
  writeFileSync(outputs, JSON.stringify({ OnrampSandbox: stack, local }));
});
afterAll(() => stub.close());

/** The modules that a call loads. To load them takes most of the time until the call answers. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const { err } = await runCommand([...args, '--outputs', outputs], '', { options: NOTING });
  return loadedIn(err);
}

/** The options for Node with which a program prints the modules that it has loaded. */
const NOTING = ['--import', './test/support/loaded-modules.ts'];

function loadedIn(stderr: string): string[] {
  const told = stderr.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(told) as { loaded: string[] }).loaded;
}

describe('a command loads only what it needs', () => {
  it.each([
    ['partners list', 140],
    ['deliveries list --partner acme', 140],
    ['unmatched list', 160],
    ['cases list', 180],
    ['tx show 01JD4G0000000000000000000A', 220],
    ['tx show --help', 150],
  ])('%s: at most %d modules, and none of the chain', async (words, most) => {
    const loaded = await loadedBy(...words.split(' '));

    expect(loaded.filter((url) => /\/node_modules\/ethers\/|adapters\/chain\//.test(url))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.length).toBeLessThanOrEqual(most);
  });
});

describe('the start', () => {
  // A module that is loaded before the cache is compiled each time.
  it('loads nothing before the cache of compiled code is in use', () => {
    const importsOf = (file: string) => readFileSync(`operations/${file}`, 'utf8').match(/^import .*/gm);

    expect(importsOf('ops.ts')).toEqual(["import { keepCompiledCode } from './code-cache.ts';"]);
    expect(importsOf('code-cache.ts')).toEqual(["import { enableCompileCache } from 'node:module';"]);
  });

  it('is compiled by the installation, with each module that a command loads', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, file] = /^node (\S+)$/.exec(scripts.postinstall!)!;

    const { status, stdout, stderr } = spawnSync(process.execPath, [...NOTING, file!], { encoding: 'utf8' });

    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    const compiled = loadedIn(stderr);
    for (const words of [
      'tx show 01JD4G0000000000000000000A',
      'cases list',
      'deliveries list --partner acme',
    ]) {
      const missing = (await loadedBy(...words.split(' '))).filter((url) => !compiled.includes(url));
      expect(missing.filter((url) => !url.endsWith('/operations/ops.ts'))).toEqual([]);
    }
  });
});

describe('help', () => {
  it('of one command tells that command alone, and the exit codes', async () => {
    const { code, out } = await runCommand(['tx', 'show', '--help']);

    expect(code).toBe(0);
    expect(out).toMatch(/^npm run ops -- tx show </);
    expect(out).not.toContain('npm run ops -- partners');
    expect(out).toContain('Exit codes: 0 done, 1 refused, unknown or failed, 2 misused.');
  });

  it('of a word lists its commands', async () => {
    const { out } = await runCommand(['cases', '--help']);

    expect(out).toContain('cases close');
    expect(out).not.toContain('keys create');
  });
});

describe('the evacuation', () => {
  const evacuate = (...args: string[]) => runCommand(args, '', { script: 'operations/evacuate.ts' });

  it('tells its usage when asked, and without arguments', async () => {
    const asked = await evacuate('--help');
    const none = await evacuate();

    expect([asked.code, asked.err, none.code, none.out]).toEqual([0, '', 2, '']);
    for (const option of ['outputs', 'region', 'rpc', 'to', 'wallet', 'outbid', 'yes'])
      expect(asked.out).toContain(`--${option} `);
    expect(none.err).toBe(asked.out);
  });

  it.each([['--walet', '0x00'], ['0x00'], ['--to']])(
    'refuses %s in words, without a stack',
    async (...args) => {
      const { code, out, err } = await evacuate(...args);

      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('--help lists the options.');
      expect(err).not.toMatch(/ at |ERR_/);
    },
  );

  it('says which options it needs', async () => {
    expect(await evacuate('--to', '0x00')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--region'),
    });
  });
});

/** Asks for the choices of a shell, after its script of completion. */
const ASK = {
  bash: (typed: string, at: number) =>
    `COMP_WORDS=(${typed}); COMP_CWORD=${at}; _ops; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (typed: string, at: number) =>
    `words=(${typed}); CURRENT=${at + 1}; COMP_WORDS=($words); COMP_CWORD=${at}; compgen -F _ops -- "$words[-1]"`,
} as const;
type Shell = keyof typeof ASK;

/** The words that the shell offers for the last one. Zsh itself leaves out those that begin otherwise. */
async function offered(shell: Shell, ...words: string[]): Promise<string[]> {
  const { out } = await runCommand(['completion', shell]);
  const typed = ['ops', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${out}\n${ASK[shell](typed, words.length)}`;
  const args = shell === 'zsh' ? ['-f', '-c', script] : ['-c', script];
  const found = await new Promise<string>((resolve, reject) =>
    execFile(shell, args, (error, stdout) => (error ? reject(error) : resolve(stdout))),
  );
  return found.split('\n').filter((each) => each !== '' && each.startsWith(words.at(-1) ?? ''));
}

// Without a shell its test is skipped. `apt-get install zsh` installs it.
const hasShell = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;

describe('completion', () => {
  const offersEachWord = async (shell: Shell) => {
    expect(await offered(shell, 'tr')).toEqual(['treasury']);
    expect(await offered(shell, 'tx', 's')).toEqual(['show']);
    expect(await offered(shell, 'partners', 'create', '--s')).toEqual(['--spread']);
    expect(await offered(shell, 'partners', 'list', '--j')).toEqual(['--json']);
  };

  it('of bash offers the first word, the second and the options of a command', () => offersEachWord('bash'));
  it.skipIf(!hasShell('zsh'))('of zsh offers the same words', () => offersEachWord('zsh'));

  it('of another shell is misused', async () => {
    expect(await runCommand(['completion', 'fish'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('a reader that reads only the first lines, such as head', () => {
  it('ends the output, and not the command', async () => {
    const child = spawn(process.execPath, ['operations/ops.ts', '--help']);
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));

    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('--json', () => {
  it('prints a list that is empty as one', async () => {
    const { code, out } = await runCommand(['partners', 'list', '--json', '--outputs', outputs]);

    expect({ code, out }).toEqual({ code: 0, out: '[]\n' });
  });

  it('is left out: an empty list says so', async () => {
    const { out } = await runCommand(['partners', 'list', '--outputs', outputs]);

    expect(out).toBe('There are no partners.\n');
  });
});
