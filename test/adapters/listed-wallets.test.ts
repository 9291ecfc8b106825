import { expect, test } from 'vitest';
import { listedWallets } from '../../functions/adapters/lists/listed-wallets.ts';
import type { InForce } from '../../functions/adapters/lists/published.ts';
import { Unavailable } from '../../functions/domain/errors.ts';

const LISTED = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';
const version = '2026-11-20T12:00:00.000Z';
const digest = 'cd'.repeat(32);

const published = (source: InForce['source'], wallets: Record<string, string>) => ({
  current: async () => ({
    source,
    publication: { version, index: { name: `indexes/${digest}.idx`, digest, bytes: 1 }, wallets },
  }),
});

test('the entry of an address is found in any case of its letters', async () => {
  const wallets = listedWallets(published('PUBLISHED', { [LISTED.toLowerCase()]: '18503' }));
  const index = { version, digest, source: 'PUBLISHED' };

  expect(await wallets.findWallet(LISTED)).toEqual({ index, entryId: '18503' });
  expect(await wallets.findWallet(`0x${LISTED.slice(2).toUpperCase()}`)).toEqual({ index, entryId: '18503' });
  expect(await wallets.findWallet(`0x${'1'.repeat(40)}`)).toEqual({ index });
});

test('the answer says that the copy of the deployment was used', async () => {
  const wallets = listedWallets(published('BUNDLED', {}));

  expect(await wallets.findWallet(LISTED)).toEqual({ index: { version, digest, source: 'BUNDLED' } });
});

test('the search is unavailable without any publication', async () => {
  const current = () => Promise.reject(new Unavailable('sanctions lists'));

  await expect(listedWallets({ current }).findWallet(LISTED)).rejects.toThrow(Unavailable);
});
