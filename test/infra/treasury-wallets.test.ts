import { describe, expect, it } from 'vitest';
import { type Hold, holdOf, type Marks } from '../../functions/domain/treasury/hold.ts';
import { NOTHING } from '../../functions/domain/treasury/hot-wallet.ts';
import type { Plan } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import type { WalletHoldings } from '../../operations/stores/wallet-register.ts';
import { shortDecimalOf, walletCommands } from '../../operations/wallets.ts';
import { anOrder } from '../support/operators.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const FIRST = `0x${'aa'.repeat(20)}`;
const SECOND = `0x${'bb'.repeat(20)}`;
const MARKED: Marks = { witness: { at: AT }, tables: [{ at: AT }, { at: AT }] };
const HELD = { by: 'ana', reason: 'restore of the tables', at: AT };

const aWallet = (changes: Partial<WalletHoldings> = {}): WalletHoldings => ({
  address: FIRST,
  next: 3,
  latest: 3,
  isOpen: true,
  gas: 10n ** 18n,
  units: { ...NOTHING, USDT: 5_000_000n },
  ...changes,
});

function open(wallets: WalletHoldings[], marks: Marks = MARKED) {
  const desk = {
    clock: { now: () => AT },
    holds: { findMarks: async () => marks, findHold: async (): Promise<Hold | undefined> => holdOf(marks) },
    wallets: {
      listWallets: async () => wallets,
      async quarantine({ address }: WalletHoldings, quarantine: WalletHoldings['quarantine']) {
        wallets = wallets.map((each) => (each.address === address ? { ...each, quarantine } : each));
        return true;
      },
    },
  } as unknown as Desk;
  const command = (name: string, words: string[], flags = {}) => {
    const { run } = walletCommands.find((each) => each.name === name)!;
    return run({ words, flags, ask: async () => '' }, desk);
  };
  return {
    list: async () => shownLines((await command('treasury wallets', [])) as Shown).slice(1),
    hold: async (address: string) =>
      ((await command('treasury hold', [address])) as Plan).perform(anOrder({ reason: 'retire it' })),
  };
}

describe('treasury wallets', () => {
  it('shows a wallet without a hold or a fault as paying', async () => {
    expect(await open([aWallet()]).list()).toEqual([expect.stringMatching(/ {2}next 3 {2}pays$/)]);
  });

  it.each([
    [4, 123_456n, '12.3456'],
    [6, 5_000_000n, '5.000000'],
    [18, 10n ** 25n + 1n, '10000000.000000'],
    [18, 999_999_999_999n, '0.000000'],
  ])('shows tokens of %d decimals with at most six of them, rounded down', (decimals, units, text) => {
    expect(shortDecimalOf(units, decimals)).toBe(text);
  });

  it('shows every wallet as held while all money is held, with the time, operator and reason', async () => {
    const wallets = [aWallet(), aWallet({ address: SECOND })];

    const rows = await open(wallets, { ...MARKED, witness: { at: AT, held: HELD } }).list();

    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row).toMatch(/ {2}held +all money since 2026-11-20 09:00:00 by ana: restore of the tables$/);
  });

  it('shows all money as held if tables are behind their witness, with the time of the tables', async () => {
    const tables = [{ at: AT - 2 * 3_600_000 }, { at: AT }];

    const [row] = await open([aWallet()], { ...MARKED, tables }).list();

    expect(row).toMatch(/ {2}held +all money: tables are behind their witness, as of 2026-11-20 07:00:00$/);
  });

  it('shows both a restore of tables and an operator’s hold', async () => {
    const [row] = await open([aWallet()], { witness: { at: AT, held: HELD }, tables: [{}, {}] }).list();

    expect(row).toContain('all money: tables are behind their witness;');
    expect(row).toContain('since 2026-11-20 09:00:00 by ana: restore of the tables');
  });

  it('shows the time, operator and reason for a wallet that an operator has taken out of use', async () => {
    const { hold, list } = open([aWallet(), aWallet({ address: SECOND })]);
    await hold(SECOND);

    const [first, second] = await list();

    expect(first).toMatch(/ {2}pays$/);
    expect(second).toMatch(/ {2}held +this wallet since 2026-11-20 09:00:00 by ana: retire it$/);
  });

  it('shows the fault of a wallet beside the hold of all money', async () => {
    const quarantine = { reason: 'NONCE_USED_ELSEWHERE', at: AT, nonce: 2 } as const;
    const [alone] = await open([aWallet({ quarantine })]).list();
    const held = { ...MARKED, witness: { at: AT, held: HELD } };
    const [beside] = await open([aWallet({ quarantine })], held).list();

    expect(alone).toMatch(/ {2}wallet is in quarantine {2}since 2026-11-20 09:00:00$/);
    expect(beside).toContain('by ana: restore of the tables; wallet is in quarantine since 2026-11-20 09');
  });
});
