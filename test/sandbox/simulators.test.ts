import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import { settingsFrom } from '../../sandbox/providers/handler.ts';
import { postTo } from '../../sandbox/providers/post.ts';
import { askSimulators } from '../../sandbox/simulators.ts';
import { openWorld } from './providers-support.ts';

/** Longer than the limits at the shortest patience, and shorter than all others. */
const SLOW_MS = 2_000;
const IMPATIENT = '0.005';

async function slowServer(): Promise<string> {
  const server = createServer(async (_, response) => {
    await wait(SLOW_MS);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => () => vi.unstubAllEnvs());

describe('the patience of the sandbox', () => {
  it.each([
    [IMPATIENT, 'are unavailable'],
    [undefined, 'answer'],
    ['5', 'answer'],
  ])(
    'limits the calls of its endpoints to the simulators: at patience %s they %s',
    async (patience, outcome) => {
      vi.stubEnv('SIMULATORS_URL', await slowServer());
      vi.stubEnv('PATIENCE', patience);

      const asked = askSimulators('/slow').then(
        () => 'answer',
        (error) => (error instanceof Unavailable ? 'are unavailable' : error),
      );

      expect(await asked).toBe(outcome);
    },
  );

  it.each([
    [IMPATIENT, 'TimeoutError'],
    [undefined, 200],
    ['5', 200],
  ])('limits the callbacks of a provider: at patience %s it gets %s', async (patience, outcome) => {
    const { world } = openWorld({ settings: settingsFrom({ PATIENCE: patience }) });

    const url = await slowServer();

    expect(await postTo({ ...world, fetch }, { url, body: '{}' })).toBe(outcome);
  });

  it('gives a provider time for three tries of a callback before the payer’s call times out', async () => {
    const limits: number[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return new AbortController().signal;
    });
    onTestFinished(() => timeout.mockRestore());
    vi.stubEnv('SIMULATORS_URL', 'http://127.0.0.1:1');
    await askSimulators('/pay').catch(() => undefined);
    await postTo(openWorld().world, { url: 'http://127.0.0.1:1', body: '{}' });

    const [ofThePayer = 0, ofTheProvider = 0] = limits;
    expect(3 * ofTheProvider).toBeLessThan(ofThePayer);
  });
});
