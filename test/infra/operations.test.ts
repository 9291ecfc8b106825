import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPTIONS } from '../../operations/command.ts';
import { readAllCommands } from '../../operations/commands.ts';
import { openDesk } from '../../operations/desk.ts';
import { helpOf } from '../../operations/help.ts';
import { readTarget, SANDBOX_OUTPUTS } from '../../operations/outputs.ts';
import { RIGHTS_WORDS } from '../../operations/rights.ts';
import { columns } from '../../operations/words.ts';
import { runCommand } from '../support/operations.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

const folder = mkdtempSync(join(tmpdir(), 'outputs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const LookupSecret = 'arn:aws:secretsmanager:sa-east-1:111122223333:secret:Lookup-abc';
const deployed = { Stage: 'production', LookupSecret, PartnersTable: 'partners' };

describe('the file of outputs', () => {
  it('names the stack, its stage, and its region by the secret’s address', () => {
    const path = write('production.json', { OnrampProduction: deployed });

    expect(readTarget(path)).toEqual({
      name: 'OnrampProduction',
      stage: 'production',
      region: 'sa-east-1',
      outputs: deployed,
    });
  });

  it('of the sandbox lies in this clone, so that another clone beside it has its own', () => {
    const clone = fileURLToPath(new URL('../../', import.meta.url));

    expect(SANDBOX_OUTPUTS).toBe(join(clone, '.cache', 'sandbox-outputs.json'));
  });

  it('of a sandbox also names its address', () => {
    const local = { endpoint: 'http://127.0.0.1:4566', region: 'us-east-1', pid: 1 };
    const path = write('sandbox.json', { OnrampSandbox: { ...deployed, Stage: 'sandbox' }, local });

    expect(readTarget(path)).toMatchObject({
      stage: 'sandbox',
      region: 'us-east-1',
      endpoint: local.endpoint,
    });
  });

  it.each([
    ['is not there', join(folder, 'nothing.json')],
    ['is no JSON', () => write('broken.json', '{')],
    ['is of no stack', () => write('empty.json', {})],
    ['is of two stacks', () => write('two.json', { A: deployed, B: deployed })],
    ['is of another service', () => write('other.json', { Other: { Url: 'https://other.example' } })],
  ])('that %s is a misuse and not a refusal', (_, path) => {
    const read = () => readTarget(typeof path === 'string' ? path : path());

    expect(read).toThrow(expect.objectContaining({ name: 'Misused' }));
  });
});

describe('a webhook to an address of this machine', () => {
  const tables = ['Partners', 'Clients', 'Deliveries', 'Events', 'Evidence'].map((name) => [
    `${name}Table`,
    name,
  ]);
  const outputs = { LookupSecret, DataKeyId: 'key', ...Object.fromEntries(tables) };
  const sandbox = { name: 'OnrampSandbox', stage: 'sandbox', region: 'us-east-1', outputs };

  it.each(['http://127.0.0.1:9001/hook', 'http://localhost:9001/hook'])(
    'may be registered only in a sandbox on this machine: %s',
    async (url) => {
      const local = openDesk({ ...sandbox, endpoint: 'http://127.0.0.1:4566' });

      expect(await local.webhookSender.isAllowed(url)).toBe(true);
      expect(await openDesk(sandbox).webhookSender.isAllowed(url)).toBe(false);
    },
  );
});

describe('the stack’s outputs', () => {
  let production: Synthesized;
  beforeAll(async () => {
    production = await synthesized('production');
  });

  it('have every name that the command reads', () => {
    const tables = [
      ...['Partners', 'Clients', 'Deliveries', 'Events', 'Evidence'],
      ...[
        'Cases',
        'KycRecords',
        'Transactions',
        'Settlements',
        'Callbacks',
        'UnmatchedPayments',
        'MoneyCases',
      ],
      'Ledger',
    ].map((name) => `${name}Table`);

    for (const name of ['Stage', 'DataKeyId', 'LookupSecret', 'StateMachineArn', ...tables])
      production.template.hasOutput(name, {});
    production.template.hasOutput('Stage', { Value: 'production' });
  });

  it('exist for each $Name of docs/operations.md', () => {
    const text = readFileSync('docs/operations.md', 'utf8');
    const named = [...text.matchAll(/\$([A-Z][a-z]\w+)/g)].map(([, name]) => name!);
    // These outputs exist only in a stage with a vendor of wallet risk or with domains of its own.
    const optional = ['WalletScreeningSecret', 'CallbackDomainTarget', 'ApiDomainTarget'];
    const expected = new Set(named.filter((name) => !optional.includes(name)));

    expect(expected.size).toBeGreaterThan(5);
    for (const name of expected) production.template.hasOutput(name, {});
  });
});

const COMMANDS = await readAllCommands();

describe('the help', () => {
  it('names the rights on AWS of one command, and of all that begin with a word', () => {
    const ofOne = helpOf(COMMANDS.filter(({ name }) => name === 'treasury replay')).join('\n');
    const ofWord = helpOf(COMMANDS.filter(({ name }) => name.startsWith('subject '))).join('\n');

    expect(ofOne).toContain('treasury: read `transactions`');
    expect(ofOne).toContain('treasury replay: read `moneyCases`');
    expect(ofOne).not.toContain('cases close:');
    expect(ofWord).toContain('subject erase: those of `subject export`');
    expect(helpOf(COMMANDS).join('\n')).not.toContain('Rights on AWS');
  });

  it.each(RIGHTS_WORDS)('names rights of commands that exist: %s', (words) => {
    expect(COMMANDS.some(({ name }) => name === words || name.startsWith(`${words} `))).toBe(true);
  });
});

describe('every command', () => {
  it.each(COMMANDS)('$name takes only the options that it names', ({ takes, options = [] }) => {
    const named = [...takes.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!);

    expect(new Set(named)).toEqual(new Set(options));
    for (const name of named) expect(Object.keys(OPTIONS)).toContain(name);
  });

  it('that removes something for good, opens an account, or exports a client’s data, needs a reason', () => {
    const wanting = COMMANDS.filter(({ needsReason }) => needsReason).map(({ name }) => name);

    expect(wanting).toEqual([
      'acts withdraw',
      ...['partners suspend', 'partners kyc-tokens', 'partners limits', 'partners quota'],
      ...['keys approve', 'keys revoke'],
      ...['vendor-keys approve', 'vendor-keys withdraw', 'totp reset'],
      ...[
        'reviews clear',
        'reviews confirm',
        'reviews undo',
        'reviews close',
        'cases export',
        'cases close',
        'clients unblock',
        'clients limits',
      ],
      ...['fraud block', 'fraud lift'],
      ...[
        'evidence export',
        'subject export',
        'subject hold',
        'subject release',
        'subject correct',
        'subject erase',
        'psp verify',
        'treasury hold',
        'treasury release',
        'treasury cancel',
      ],
      ...['treasury pause', 'treasury resume', 'treasury allow', 'treasury reprice'],
      ...['treasury replay', 'treasury decide'],
    ]);
  });
});

describe('the process', () => {
  it('lists every command and ends with 0 on a request for help', async () => {
    const { code, out } = await runCommand(['--help']);

    expect(code).toBe(0);
    for (const { name, takes } of COMMANDS) expect(out).toContain([name, takes].join(' ').trimEnd());
  });

  it.each([
    [],
    ['partners'],
    ['partners', 'burn'],
    ['partners', 'list', '--url', 'x'],
    ['partners', 'list', '--unknown'],
    ['partners', 'suspend', 'acme', '--outputs', 'nothing.json'],
  ])('ends with 2 when it is called as %s %s', async (...args) => {
    const { code } = await runCommand(args.filter((arg) => arg !== undefined));

    expect(code).toBe(2);
  });

  it('ends with 1 if there is no answer at the address', async () => {
    const local = { endpoint: 'http://127.0.0.1:9', region: 'us-east-1', pid: 1 };
    const names = ['Partners', 'Clients', 'Deliveries', 'Events', 'Evidence'].map((name) => [
      `${name}Table`,
      name,
    ]);
    const stack = { ...deployed, Stage: 'sandbox', DataKeyId: 'key', ...Object.fromEntries(names) };
    const path = write('dead.json', { OnrampSandbox: stack, local });

    const { code, err } = await runCommand(['partners', 'list', '--outputs', path]);

    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('columns', () => {
  it('are as wide as their widest cell', () => {
    expect(
      columns([
        ['a', 'bcd', 'e'],
        ['fgh', 'i', ''],
      ]),
    ).toEqual(['a    bcd  e', 'fgh  i']);
    expect(columns([])).toEqual([]);
  });
});
