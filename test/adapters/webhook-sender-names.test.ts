import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { isPublic, judgedLookup, nameResolver } from '../../functions/adapters/webhook-sender.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';

describe('a name', () => {
  const signal = new AbortController().signal;
  const asked = (names: NameServer) => names.questions.map(({ name, type }) => `${name} ${type}`);

  test('is looked up in DNS, for IPv4, and for IPv6 if there is none', async () => {
    const names = await startNameServer({
      'four.example': { A: ['93.184.216.34', '93.184.216.35'], AAAA: ['2606:4700::1111'] },
      'six.example': { AAAA: ['2606:4700::1111'] },
    });
    const resolve = nameResolver([names.address]);

    expect(await resolve('four.example', signal)).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '93.184.216.35', family: 4 },
    ]);
    expect(await resolve('six.example', signal)).toEqual([{ address: '2606:4700::1111', family: 6 }]);
    await expect(resolve('none.example', signal)).rejects.toThrow();
    expect(asked(names).slice(0, 3)).toEqual(['four.example A', 'six.example A', 'six.example AAAA']);
    await names.close();
  });

  test('gives the socket its judged addresses, and none if one is ours', async () => {
    const names = await startNameServer({
      'outer.example': { A: ['93.184.216.34'] },
      'inner.example': { A: ['93.184.216.34', '169.254.169.254'] },
      'hidden.example': { AAAA: ['fd00:ec2::254'] },
    });
    const resolve = nameResolver([names.address]);
    const lookup = judgedLookup((name) => resolve(name, signal), isPublic);
    const told = (name: string) =>
      new Promise<string | LookupAddress[]>((done) =>
        lookup(name, { all: true }, (error, all) => done(error ? error.message : all)),
      );

    expect(await told('outer.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await told('inner.example')).toBe('address not allowed');
    expect(await told('hidden.example')).toBe('address not allowed');
    expect(await told('localhost')).toBe('address not allowed');
    await names.close();
  });

  // docs/decisions.md, "Webhooks"
  test('is not waited for beyond the time-out if its server is silent, nor asked again', async () => {
    const names = await startNameServer('silent');
    const startedAt = performance.now();

    await expect(nameResolver([names.address])('late.example', AbortSignal.timeout(200))).rejects.toThrow();

    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await expect.poll(() => asked(names)).toEqual(['late.example A']);
    // The next try would come half a second after the first.
    await new Promise((done) => setTimeout(done, 1_200));
    expect(asked(names)).toEqual(['late.example A']);
    await names.close();
  });
});
