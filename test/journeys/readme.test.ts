import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { getAddress } from 'ethers';
import { describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import { RISKY_WALLET } from '../../sandbox/providers/chainalysis.ts';
import { LISTED_WALLET } from '../../sandbox/providers/lists/ofac.ts';
import { SANDBOX_API_KEY } from '../../sandbox/seed.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

/** The loops of the README wait for ever. Nothing of a run that hangs may stay. */
const HANGS_MS = 290_000;
/** The commands run twice. */
const TWICE_MS = 2 * HANGS_MS + 10_000;

const root = new URL('../../', import.meta.url).pathname;
const readme = await readFile(`${root}README.md`, 'utf8');

function sectionOf(title: string): string {
  return readme.split('\n## ').find((section) => section.startsWith(`${title}\n`)) ?? '';
}

/** The text between the fences of a section, for a shell. */
function blocksOf(title: string): string[] {
  return [...sectionOf(title).matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '');
}

const blocks = [...blocksOf('One purchase'), ...blocksOf('Every tier, model and outcome')];

/** The blocks one after the other in one shell, unchanged but for the address and the key. Gives the output of each. */
async function paste(shell: string, { apiKey }: { apiKey: string }): Promise<string[]> {
  const script = blocks
    .join('\necho; echo ------\n')
    .replace('http://127.0.0.1:4000', sandbox().url)
    .replace(SANDBOX_API_KEY, apiKey);
  const { stdout, stderr } = await promisify(execFile)(shell, ['-c', script], {
    cwd: root,
    timeout: HANGS_MS,
  });
  expect(stderr).toBe('');
  return stdout.split('------\n');
}

/** The expected output of each block, in the first run and in every other. */
function expectOutcomes([standard = '', shorthands, high = '', others = '']: string[]): void {
  const [, id = ''] = /"transactionId":"([^"]+)","status":"PENDING_AUTH"/.exec(standard) ?? [];
  expect(standard).toContain('"riskTier":"STANDARD"');
  expect(standard).toContain('"enrollment":');
  expect(standard).toContain('"pixPayload":"000201');
  expect(standard).toMatch(/"status":"COMPLETED".*"txHash":"0x/);
  expect(standard).toMatch(new RegExp(`"webhooks":\\[.*"transaction\\.completed"[^}]*"${id}"`));
  expect(shorthands?.trim()).toBe('');
  expect(high).toMatch(/"type":"LIVENESS".*"livenessUrl":"http/);
  expect(high).toContain('"outcome":"PASSED"');
  expect(high).toContain('"transaction.pix_ready"');
  expect(high).toMatch(/"status":"AWAITING_PIX".*"pixPayload":"000201/);
  expect(high).toMatch(/"status":"COMPLETED".*"asset":"USDT".*"txHash":"0x/);
  const [model2, model3, ...risks] = others.trim().split('\n');
  expect(model2).toMatch(/"status":"APPROVED"/);
  expect(model3).toMatch(/"status":"PENDING".*"widgetToken":/);
  expect(risks).toEqual(Array(3).fill(expect.stringContaining('"code":"WALLET_RISK_TOO_HIGH"')));
}

describe.concurrent('the commands of the README', () => {
  test.each(['bash', 'dash'])(
    'do what it says, word for word and twice on one sandbox, in %s',
    async (shell) => {
      const partner = await newPartner();

      expectOutcomes(await paste(shell, partner));
      expectOutcomes(await paste(shell, partner));
    },
    TWICE_MS,
  );
});

describe('the page of the scenarios', () => {
  // docs/decisions.md, "The sandbox's endpoints and keys"
  test.each([
    ['CPF', 11, 'scenarios'],
    ['CNPJ', 14, 'companies'],
  ] as const)('has a row for every %s that the sandbox lists, and no other', async (_, digits, kind) => {
    const { apiKey } = await newPartner();
    const page = await readFile(`${root}docs/partners/scenarios.md`, 'utf8');
    const rows = [...page.matchAll(/^\| `(\d+)` +\|/gm)].map(([, number = '']) => number);

    const listed = await createOnrampClient({ apiKey, baseUrl: sandbox().url }).sandbox.scenarios();

    const numbers = listed[kind].map((each) => ('cpf' in each ? each.cpf : each.cnpj));
    expect(new Set(rows.filter(({ length }) => length === digits))).toEqual(new Set(numbers));
    expect(numbers.length).toBeGreaterThan(4);
  });
});

describe('the README', () => {
  test('names the refused wallets', () => {
    expect(readme).toContain(`ORACLE=${getAddress(ORACLE_LISTED_WALLET)}\n`);
    expect(readme).toContain(`OFAC=${LISTED_WALLET}\n`);
    expect(readme).toContain(`RISKY=${RISKY_WALLET}\n`);
  });
});
