import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import { CREATED_AT, problem, type StubPsp, startStubPsp } from '../support/stub-psp.ts';

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
const answers = (body: unknown) => psp.faults.push({ on: 'GET /gn/saldo', instead: { status: 200, body } });
const blocked = (total: string) => ({ judicial: '0.00', med: total, total });

describe('the balance', () => {
  test('is asked of Efí with the blocked amounts, which cover no refund', async () => {
    answers({ saldo: '100.10', bloqueios: blocked('40.05') });

    expect(await providerOf('efi').findBalance()).toBe(60_05);

    const asked = psp.requests.find(({ path }) => path === '/v2/gn/saldo');
    expect(asked?.query.get('bloqueios')).toBe('true');
    const token = psp.requests.find(({ path }) => path.endsWith('/token'));
    expect(JSON.stringify(token)).toContain('gn.balance.read');
  });

  test('is not asked of a provider that has only the document’s calls, which a person must accept', async () => {
    expect(await providerOf().findBalance()).toBe('UNWATCHED');
    const accepting = async () => ({ ...psp.settings(), acceptsUnwatchedBalance: true });
    const deps = { clock: stubClock(CREATED_AT), log: stubLog() };
    expect(await pixProvider(accepting, deps).findBalance()).toBeUndefined();

    expect(psp.requests).toEqual([]);
  });

  test.each([
    [{}],
    [{ saldo: '100.00' }],
    [{ saldo: 100, bloqueios: blocked('0.00') }],
    [{ saldo: '-1.00', bloqueios: blocked('0.00') }],
    [{ saldo: '1e9', bloqueios: blocked('0.00') }],
    [{ saldo: '100.001', bloqueios: blocked('0.00') }],
    [{ saldo: '100.00', bloqueios: { total: null } }],
    [[]],
    ['100.00'],
  ])('is unavailable where the answer is %j', async (body) => {
    answers(body);

    await expect(providerOf('efi').findBalance()).rejects.toThrow(Unavailable);
  });

  test('is refused by name where the credentials lack the scope', async () => {
    psp.faults.push({ on: 'GET /gn/saldo', instead: problem(403, 'AcessoNegado') });

    await expect(providerOf('efi').findBalance()).rejects.toThrow('refused to show the balance: HTTP 403');
  });
});
