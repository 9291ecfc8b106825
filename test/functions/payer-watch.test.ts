import { beforeEach, describe, expect, test } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { hasRoom } from '../../functions/domain/treasury/liquidity.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId, openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const TOKEN = 10n ** 6n;

/** A treasury with room, at a provider that refuses strangers and was tried 70 days ago. */
async function openAccount() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const floats = floatStore(tables.client, tables.names, dice);
  const start = ports.clock.now();
  ports.pix.proof = { provenAt: start - 70 * DAY_MS };
  ports.pix.isEnforced = true;
  let revision = 0;
  /** Saves new figures of the treasury for each asset, and then runs `reconcilePix` once. */
  async function run() {
    ports.log.raised.length = 0;
    const reading = {
      free: 10n ** 12n,
      largest: 10n ** 12n,
      hourlyPayout: 10n ** 12n,
      readAt: ports.clock.now(),
      block: 1,
    };
    for (const asset of ASSET_NAMES)
      await floats.save(
        { asset, ...reading, isGasLow: false, hotWallets: ['0xhot'] },
        { revision, over: [] },
      );
    revision += 1;
    await reconcilePix(ports);
    return { sells: await sells(), raised: [...ports.log.raised] };
  }
  /** Whether a charge of one token may be made, as initiate sees it and as the charge's own write decides. */
  async function sells() {
    const now = ports.clock.now();
    const answers = ASSET_NAMES.map(async (asset) => [
      hasRoom(await floats.findFloat(asset), TOKEN, now),
      await floats.reserve(asset, { id: newId(), units: TOKEN }, now),
    ]);
    const [first, ...others] = [...new Set((await Promise.all(answers)).flat())];
    return others.length === 0 ? first : 'differs';
  }
  return { ports, run, start };
}

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount();
});

// docs/decisions.md, "The payer must be the client"
// Threat: "a provider stops refusing strangers after its test"
describe('new charges', () => {
  test('pause for every asset when the provider’s setting is off, and go on when it is on again', async () => {
    const { ports, run } = account;
    expect(await run()).toEqual({ sells: true, raised: [] });

    ports.pix.isEnforced = false;
    expect(await run()).toEqual({ sells: false, raised: ['PayerNotProven'] });
    expect(ports.log.errors.at(-1)).toContain('"reason":"SETTING_OFF"');

    ports.pix.isEnforced = true;
    expect(await run()).toEqual({ sells: true, raised: [] });
  });

  test('pause when the proof is older than the setting, which a person hears two weeks before', async () => {
    const { ports, run } = account;
    ports.clock.advance(6 * DAY_MS);
    expect(await run()).toEqual({ sells: true, raised: ['PayerProofEnds'] });

    ports.clock.advance(14 * DAY_MS);
    expect(await run()).toEqual({ sells: true, raised: ['PayerProofEnds'] });

    ports.clock.advance(1);
    expect(await run()).toEqual({ sells: false, raised: ['PayerNotProven'] });

    ports.pix.proof = { provenAt: ports.clock.now() };
    expect(await run()).toEqual({ sells: true, raised: [] });
  });

  test('pause without a proof, and in a stage that needs none the setting alone counts', async () => {
    const { ports, run } = account;
    ports.pix.proof = { provenAt: undefined };
    expect(await run()).toMatchObject({ sells: false });

    ports.pix.proof = 'NOT_NEEDED';
    expect(await run()).toMatchObject({ sells: true });

    ports.pix.isEnforced = false;
    expect(await run()).toMatchObject({ sells: false });
  });

  test('follow the age of the proof alone at a provider without such a setting', async () => {
    const { ports, run } = account;
    ports.pix.isEnforced = undefined;

    expect(await run()).toMatchObject({ sells: true });
    ports.clock.advance(21 * DAY_MS);
    expect(await run()).toMatchObject({ sells: false });
  });
});

describe('a setting that cannot be read', () => {
  const silent = () => Promise.reject(new Unavailable('the Pix provider'));

  test('rings, and pauses after an hour without an answer', async () => {
    const { ports, run } = account;
    ports.pix.isPayerEnforced = silent;

    expect(await run()).toEqual({ sells: true, raised: ['PayerSettingNotRead'] });
    ports.clock.advance(60 * MINUTE_MS - 1);
    expect(await run()).toMatchObject({ sells: true });

    ports.clock.advance(1);
    expect(await run()).toEqual({ sells: false, raised: ['PayerSettingNotRead', 'PayerNotProven'] });
    expect(ports.pix.registrations).toBe(3);
  });

  test('counts anew after each answer', async () => {
    const { ports, run } = account;
    const { isPayerEnforced } = ports.pix;
    for (let hours = 0; hours < 3; hours++) {
      ports.pix.isPayerEnforced = silent;
      expect(await run()).toMatchObject({ sells: true });
      ports.clock.advance(50 * MINUTE_MS);
      ports.pix.isPayerEnforced = isPayerEnforced;
      expect(await run()).toMatchObject({ sells: true });
    }
  });

  test('ends no pause', async () => {
    const { ports, run } = account;
    ports.pix.isEnforced = false;
    await run();
    ports.pix.isPayerEnforced = silent;

    expect(await run()).toMatchObject({ sells: false });
  });

  test('hides no old proof', async () => {
    const { ports, run } = account;
    ports.pix.isPayerEnforced = silent;
    ports.clock.advance(21 * DAY_MS);

    expect(await run()).toEqual({ sells: false, raised: ['PayerNotProven'] });
  });
});
