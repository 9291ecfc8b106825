import { describe, expect, it } from 'vitest';
import { walletRisk } from '../../functions/adapters/wallet-risk.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { VendorFinding } from '../../functions/domain/screening/wallet-risk.ts';
import { stubLog } from '../support/stub-log.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const index = { version: '2026-11-20T12:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' } as const;
const clean = { address: '0xoracle', blockNumber: 42, isSanctioned: false };
const low: VendorFinding = { name: 'CHAINALYSIS', risk: 'LOW' };

const issuer = { asset: 'USDT', token: '0xtoken', blockNumber: 43, isBlocked: false } as const;

type Answers = {
  isBlocked?: boolean;
  entryId?: string;
  isSanctioned?: boolean;
  vendor?: VendorFinding;
  silent?: Record<string, Error>;
};

/** Each source gives its answer, or fails with the error that `silent` has for it. */
function checkWith({ entryId, isSanctioned = false, isBlocked = false, vendor, silent = {} }: Answers) {
  const asked: string[] = [];
  const answer =
    <Answer>(source: string, value: Answer) =>
    async (address: string) => {
      asked.push(`${source} ${address}`);
      if (silent[source]) throw silent[source];
      return value;
    };
  const log = stubLog();
  const risk = walletRisk({
    listed: { findWallet: answer('OFAC_LIST', { index, ...(entryId && { entryId }) }) },
    findHead: async () => {
      if (silent.HEAD) throw silent.HEAD;
      return 42n;
    },
    askOracle: async ({ address, head }) => ({
      ...(await answer('SANCTIONS_ORACLE', { ...clean, isSanctioned })(address)),
      blockNumber: Number(await head),
    }),
    askIssuer: ({ asset, address }) => answer('TOKEN_ISSUER', { ...issuer, asset, isBlocked })(address),
    vendor: vendor && { assess: answer('WALLET_VENDOR', vendor) },
    reserved: ['0xtoken'],
    log,
  });
  return { risk, asked, log, check: (asset?: Asset) => risk.check(WALLET, asset) };
}

const isDown = (source: string) => ({ [source]: new Unavailable(source) });

describe('check', () => {
  it('asks every source, and gives all answers', async () => {
    const { check, asked } = checkWith({ vendor: low });

    expect(await check('USDT')).toEqual({
      isClear: true,
      isSanctioned: false,
      isRisky: false,
      rules: [],
      facts: { listed: { index }, oracle: clean, issuer, vendor: low, unavailable: [] },
    });
    expect(asked.sort()).toEqual([
      `OFAC_LIST ${WALLET}`,
      `SANCTIONS_ORACLE ${WALLET}`,
      `TOKEN_ISSUER ${WALLET}`,
      `WALLET_VENDOR ${WALLET}`,
    ]);
  });

  it('asks the chain at the block that was read before', async () => {
    const { risk } = checkWith({});

    expect((await risk.check(WALLET, undefined, Promise.resolve(41n))).facts.oracle?.blockNumber).toBe(41);
  });

  it('does not end the process for a block that was read in vain', async () => {
    const { risk } = checkWith({ silent: isDown('HEAD') });

    const head = risk.findHead();

    // Vitest fails the run for an unhandled rejection.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(head).rejects.toThrow(Unavailable);
  });

  it('asks no issuer if nothing is bought', async () => {
    const { check, asked } = checkWith({ isBlocked: true });

    expect(await check()).toMatchObject({ isClear: true });
    expect(asked.join()).not.toContain('TOKEN_ISSUER');
  });

  it('asks no vendor if the deployment has none', async () => {
    const { check, asked } = checkWith({});

    expect((await check()).facts).toEqual({ listed: { index }, oracle: clean, unavailable: [] });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, Answers]>([
    ['OFAC lists', { entryId: '18503' }],
    ['the oracle lists', { isSanctioned: true }],
    ['the vendor judges severe', { vendor: { ...low, risk: 'SEVERE' } }],
    ['the issuer blocks', { isBlocked: true }],
  ])('clears no wallet that %s', async (_, answers) => {
    expect(await checkWith(answers).check('USDT')).toMatchObject({ isClear: false });
  });

  it.each(['OFAC_LIST', 'SANCTIONS_ORACLE', 'TOKEN_ISSUER', 'WALLET_VENDOR'])(
    'is unavailable, never a pass, while %s does not answer',
    async (source) => {
      const { check } = checkWith({ vendor: low, silent: isDown(source) });

      await expect(check('USDT')).rejects.toThrow(`${source} is unavailable`);
    },
  );

  it('passes on our own faults, such as refused credentials', async () => {
    const { check } = checkWith({ vendor: low, silent: { WALLET_VENDOR: new Error('HTTP 403') } });

    await expect(check()).rejects.toThrow(new Error('HTTP 403'));
  });

  it.each<[string, string, Answers]>([
    ['OFAC lists', 'SANCTIONS_ORACLE', { entryId: '18503' }],
    ['OFAC lists', 'WALLET_VENDOR', { entryId: '18503', vendor: low }],
    ['the oracle lists', 'OFAC_LIST', { isSanctioned: true }],
    ['the oracle lists', 'WALLET_VENDOR', { isSanctioned: true, vendor: low }],
    ['the oracle lists', 'TOKEN_ISSUER', { isSanctioned: true }],
  ])('refuses a wallet that %s while %s does not answer, and logs the outage', async (_, source, answers) => {
    const { check, log } = checkWith({ ...answers, silent: isDown(source) });

    expect(await check('USDC')).toMatchObject({ isSanctioned: true, facts: { unavailable: [source] } });
    expect(log.raised).toEqual(['WalletSourceSilent']);
    expect(log.lines).toEqual([expect.stringContaining(source)]);
    expect(log.lines.join()).not.toContain(WALLET);
  });
});

it('the addresses that must never be paid are named', () => {
  expect(checkWith({}).risk.listReserved()).toEqual(['0xtoken']);
});
