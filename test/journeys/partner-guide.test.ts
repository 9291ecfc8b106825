/** The examples of the pages for partners, as a newcomer would copy them: docs/partners. */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { editEndpoint, managed } from '../support/partner-endpoints.ts';
import { addressedTo, examplesIn } from '../support/partner-pages.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

/** The loops of the guide wait for ever. Nothing of a run that hangs may stay. */
const HANGS_MS = 550_000;

const run = promisify(execFile);
const [namesInShell = ''] = examplesIn('start.md', 'sh');
const [namesInTypeScript = ''] = examplesIn('start.md', 'ts');

/** Runs the examples in an empty folder, where no package and no file of ours is. */
async function runFor(apiKey: string, tool: string, examples: readonly string[]): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'guide-'));
  const text = addressedTo(examples.join('\n'), { url: sandbox().url, apiKey });
  const isNode = tool === process.execPath;
  await writeFile(join(cwd, 'guide.mts'), text);
  const { stdout } = await run(tool, isNode ? ['guide.mts'] : ['-c', text], { cwd, timeout: HANGS_MS });
  return stdout;
}

const inNode = async (examples: readonly string[], apiKey?: string) =>
  runFor(apiKey ?? (await newPartner()).apiKey, process.execPath, examples);

const inShell = async (tool: string, examples: readonly string[]) =>
  runFor((await newPartner()).apiKey, tool, examples);

describe.concurrent('the guide', () => {
  test.each(['bash', 'dash'])(
    'leads to a purchase and its verified webhook, word for word, in %s',
    async (shell) => {
      const output = await inShell(shell, examplesIn('start.md', 'sh'));

      expect(output).not.toContain('"success":false');
      expect(output).toContain('"status":"APPROVED"');
      const [, id = 'none'] = /"transactionId":"(\w+)","status":"PENDING_AUTH"/.exec(output) ?? [];
      expect(output).toContain('"pixPayload":"000201');
      expect(output).toMatch(/"status":"COMPLETED".*"txHash":"0x/);
      expect(output).toMatch(new RegExp(`"verified":true,"event":{"type":"transaction.completed"[^}]*${id}`));
    },
  );

  test('leads to a purchase and its verified webhook, word for word, in TypeScript', async () => {
    const output = await inNode(examplesIn('start.md', 'ts'));

    expect(output).toContain("status: 'APPROVED'");
    const [, id = 'none'] = /^(\w+) MFA_TOTP$/m.exec(output) ?? [];
    expect(output).toMatch(/^000201/m);
    expect(output).toMatch(/^COMPLETED 0x[0-9a-f]{64}$/m);
    const [event = '{}'] = /^{"type":"transaction.completed".*/m.exec(output) ?? [];
    expect(JSON.parse(event)).toMatchObject({ data: { transactionId: id, status: 'COMPLETED' } });
  });

  test.each([
    ['an address', '/v1/laas/kyc/submit', '/v1/laas/kyc/submitted', 'NOT_FOUND'],
    ['a field', 'kycToken: kyc.token', 'token: kyc.token', 'INVALID_REQUEST'],
    ['the code', "padStart(5, '0')", "padStart(5, '1')", 'MFA_INVALID_CODE'],
  ])('fails if %s in it is wrong', async (_, right, wrong, code) => {
    const examples = examplesIn('start.md', 'ts').map((example) => example.replaceAll(right, wrong));

    await expect(inNode(examples)).rejects.toThrow(code);
  });
});

describe('the guide, once more', () => {
  test('says on a second run that the client is enrolled, and ends', async () => {
    const { apiKey } = await newPartner();
    await inNode(examplesIn('start.md', 'ts'), apiKey);

    await expect(inNode(examplesIn('start.md', 'ts'), apiKey)).rejects.toThrow('This CPF is enrolled');
    expect(await runFor(apiKey, 'bash', examplesIn('start.md', 'sh'))).toContain('This CPF is enrolled');
  });
});

describe('the page about webhooks', () => {
  test('registers a server in a shell', async () => {
    const [register = ''] = examplesIn('webhooks.md', 'sh');

    expect(await inShell('bash', [namesInShell, register])).toMatch(
      /"url":"https:\/\/your-server.example\/webhooks".*"secret":"whsec_/,
    );
  });

  test('registers a server in TypeScript', async () => {
    const [register = ''] = examplesIn('webhooks.md', 'ts');

    expect(await inNode([namesInTypeScript, register])).toMatch(/secret: 'whsec_/);
  });

  test('lists events in a shell and in TypeScript', async () => {
    const [, , inSh = ''] = examplesIn('webhooks.md', 'sh');
    const [, , inTs = ''] = examplesIn('webhooks.md', 'ts');

    expect(await inShell('bash', [namesInShell, inSh])).toContain('"success":true,"data":{"events":[]');
    expect(await inNode([namesInTypeScript, inTs])).toContain('events: []');
  });
});

describe('the page about quotes', () => {
  test('gets quotes in a shell and in TypeScript', async () => {
    const shell = await inShell('bash', [namesInShell, ...examplesIn('quotes.md', 'sh')]);
    const typeScript = await inNode([namesInTypeScript, ...examplesIn('quotes.md', 'ts')]);

    expect(shell).toMatch(/"amountBrl":250,[\s\S]*"assetAmount":"45.500000"/);
    expect(typeScript).toMatch(/amountBrl: 250,[\s\S]*assetAmount: '45.500000'/);
  });
});

describe('the page about webhooks, for an endpoint that was stopped', () => {
  const stopped = async (examples: readonly string[]) => {
    const { apiKey } = await managed(['read', 'write', 'manage']);
    await editEndpoint(apiKey, 'receiver', { enabled: false });
    return { apiKey, examples: examples.map((each) => each.replaceAll('01K9ZK3F0000000A', 'receiver')) };
  };

  test('enables and replays in a shell and in TypeScript', async () => {
    const inSh = await stopped([namesInShell, examplesIn('webhooks.md', 'sh').at(-1)!]);
    const inTs = await stopped([namesInTypeScript, examplesIn('webhooks.md', 'ts').at(-1)!]);

    expect(await runFor(inSh.apiKey, 'bash', inSh.examples)).toContain('"data":{"events":0,"deliveries":0}');
    expect(await inNode(inTs.examples, inTs.apiKey)).toContain('{ events: 0, deliveries: 0 }');
  });
});

describe('the page about scenarios', () => {
  test('reads them and causes an event in a shell and in TypeScript', async () => {
    const shell = await inShell('bash', [namesInShell, ...examplesIn('scenarios.md', 'sh')]);
    const typeScript = await inNode([namesInTypeScript, ...examplesIn('scenarios.md', 'ts')]);

    expect(shell).toContain('"cpf":"11144477735"');
    expect(shell).toContain('"event":"LOW_LIQUIDITY","waits":true');
    expect(shell).not.toContain('"success":false');
    expect(typeScript).toContain("cpf: '11144477735'");
    expect(typeScript).toContain("{ event: 'LOW_LIQUIDITY', waits: true }");
  });
});
