import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import { CREATED_AT, KEY, problem, type StubPsp, startStubPsp } from '../support/stub-psp.ts';

let psp: StubPsp;
beforeEach(async () => {
  psp = await startStubPsp();
});
afterEach(() => psp.close());

const providerOf = (profile?: PixSettings['profile']) =>
  pixProvider(async () => ({ ...psp.settings(), profile }), {
    clock: stubClock(CREATED_AT),
    log: stubLog(),
    timeoutMs: 3_000,
  });
const answers = (body: unknown) => psp.faults.push({ on: 'GET /gn/config', instead: { status: 200, body } });
const config = (key: string, recebimento: object) => ({ pix: { chaves: { [key]: { recebimento } } } });

describe('the setting that only the debtor may pay', () => {
  test.each([
    [true, config(KEY, { documentoPagadorIgualDevedor: true })],
    [false, config(KEY, { documentoPagadorIgualDevedor: false })],
    [false, config(KEY, { documentoPagadorIgualDevedor: 'true' })],
    [false, config(KEY, { txidObrigatorio: true })],
    [false, config('another-key', { documentoPagadorIgualDevedor: true })],
    [false, { pix: { receberSemChave: true } }],
  ])('is %s at Efí where the answer is %j', async (expected, body) => {
    answers(body);

    expect(await providerOf('efi').isPayerEnforced()).toBe(expected);

    const token = psp.requests.find(({ path }) => path.endsWith('/token'));
    expect(JSON.stringify(token)).toContain('gn.settings.read');
  });

  test('is not asked of a provider that has only the document’s calls', async () => {
    expect(await providerOf().isPayerEnforced()).toBeUndefined();

    expect(psp.requests).toEqual([]);
  });

  test.each([[{}], [[]], [{ pix: null }], ['true']])(
    'is unavailable where the answer is %j',
    async (body) => {
      answers(body);

      await expect(providerOf('efi').isPayerEnforced()).rejects.toThrow(Unavailable);
    },
  );

  test.each([
    ['HTTP 403', problem(403, 'AcessoNegado')],
    ['the Pix provider', problem(503, 'ServicoIndisponivel')],
    ['the Pix provider', problem(404, 'NaoEncontrado')],
  ])('is an error, and never off, where the provider answers %s', async (words, instead) => {
    psp.faults.push({ on: 'GET /gn/config', instead });

    await expect(providerOf('efi').isPayerEnforced()).rejects.toThrow(words);
  });
});
