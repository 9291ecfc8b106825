import { describe, expect, test } from 'vitest';
import { openSettlement } from '../../functions/domain/treasury/settlement.ts';
import { actWorld } from '../support/act-world.ts';
import { putPurchaseIn } from '../support/ports.ts';
import { treasuryDesk, WALLET } from '../support/treasury-desk.ts';

const ADMIN = { role: 'admin' } as const;
const TO = `0x${'bb'.repeat(20)}`;

/**
 * A world whose `done` gives the last words of a command: Ana runs it, and Rui approves it if it needs a second person.
 */
function openWorld() {
  const world = actWorld();
  const { ops } = world;
  async function done(words: string): Promise<string> {
    const said = await ops('ana', words, ADMIN);
    return said.includes('acts approve') ? ops('rui', `acts approve ${said.split('\n')[0]}`, ADMIN) : said;
  }
  return { ...world, desk: treasuryDesk(world.tables), done };
}

describe('the treasury answers with a sentence', () => {
  test('to hold and release of a wallet', async () => {
    const { desk, done } = openWorld();
    await desk.book.openWallet(WALLET.address, WALLET.next);

    const [address] = (await desk.wallets.listWallets()).map((each) => each.address);

    expect(await done(`treasury hold ${address}`)).toContain(`The wallet ${address} is held.`);
    expect(await done(`treasury release ${address}`)).toContain(`The wallet ${address} is released.`);
  });

  test('to cancel, and the story of the purchase shows the order while all money is held', async () => {
    const { desk, done, ports, ops } = openWorld();
    const { id } = await putPurchaseIn(ports, 'PROCESSING');
    await desk.book.open(openSettlement({ transactionId: id, asset: 'USDC', units: 5n, to: TO }, 0));
    await desk.holds.hold({ by: 'bia', at: 1, reason: 'a stolen key' });

    expect(await done(`treasury cancel ${id}`)).toContain(`The cancel of ${id} is ordered.`);

    const story = await ops('ana', `tx show ${id}`, ADMIN);
    expect(story).toMatch(/^ +transfer .*a cancel was asked for: SETTLEMENT_CANCELLED/m);
  });
});
