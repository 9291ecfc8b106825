/**
 * `npm run bench:settlement -- --transfers 2000 --at-once 1000 --only memory`
 *
 * Measures confirmed transfers per second from one wallet through the settlement protocol, on anvil with a block of
 * 30M gas every second. It compares them with pre-signed transactions sent as fast as possible, and with transfers
 * that each await their receipt. All options may be left out.
 */
import { parseArgs } from 'node:util';
import { computeAddress } from 'ethers';
import { MAX_IN_FLIGHT } from '../functions/adapters/chain/claim.ts';
import type { Signer } from '../functions/adapters/chain/kms-signer.ts';
import { memoryBook } from '../test/support/memory-book.ts';
import {
  awaitEach,
  blast,
  fundFor,
  newKey,
  nextBlock,
  openChain,
  presign,
  requirePaid,
  type Sent,
} from './settlement-chain.ts';
import { type Emulators, startEmulators } from './settlement-emulators.ts';
import { type Figure, measure, printed, ratios } from './settlement-report.ts';
import { sharedTransport } from './settlement-transport.ts';
import { kmsInMemory, memorySigner, newPayouts, openTreasury, settleAll } from './settlement-visits.ts';

const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '4000' },
    'at-once': { type: 'string', default: '700' },
    only: { type: 'string' },
  },
});
const TRANSFERS = Number(values.transfers);
const AT_ONCE = Number(values['at-once']);
const AWAITED = 12;
/**
 * The number of transfers with the emulators. The emulators are slower, so fewer transfers take about the
 * same time.
 */
const EMULATED = Math.ceil(TRANSFERS / 4);
const EMULATED_AT_ONCE = 250;
const FEW = 10 * MAX_IN_FLIGHT;
const UNLIMITED = 100_000;

type Load = { transfers: number; atOnce: number; maxInFlight: number };

const world = await openChain();
let emulators: Emulators | undefined;
try {
  const wants = (mode: string) => values.only === undefined || values.only.split(',').includes(mode);
  const awaited = await plain('await each receipt', AWAITED, (sent) => awaitEach(world, sent));
  const blasts = [await blasted()];
  const figures: Figure[] = [];
  const memory = { transfers: TRANSFERS, atOnce: AT_ONCE, maxInFlight: UNLIMITED };
  if (wants('memory')) figures.push(await inMemory('in memory', memorySigner(), memory));
  if (wants('kms')) figures.push(await inMemory('in memory, KMS answers checked', kmsInMemory(), memory));
  blasts.push(await blasted());
  if (wants('emulators')) figures.push(await emulated());
  const few = { transfers: FEW, atOnce: MAX_IN_FLIGHT, maxInFlight: MAX_IN_FLIGHT };
  if (wants('few'))
    figures.push(await inMemory(`in memory, ${MAX_IN_FLIGHT} in flight`, memorySigner(), few));
  console.log('');
  for (const figure of figures) {
    const { ofBlast, timesAwaited } = ratios(figure, blasts, awaited);
    console.log(
      `${figure.name}: ${ofBlast.toFixed(3)} of the blast, ${timesAwaited.toFixed(0)} x await each`,
    );
  }
} finally {
  await emulators?.stop();
  await world.stop();
}

async function plain(name: string, transfers: number, run: (sent: Sent[], wallet: string) => Promise<void>) {
  const key = newKey();
  const wallet = computeAddress(key);
  await fundFor(world, wallet, transfers);
  const sent = presign(key, transfers);
  await nextBlock(world);
  const figure = await measure(name, transfers, async () => {
    await run(sent, wallet);
    return undefined;
  });
  await requirePaid(world, wallet, transfers);
  console.log(printed(figure));
  return figure;
}

function blasted(): Promise<Figure> {
  return plain('pre-signed, blasted', TRANSFERS, (sent, wallet) => blast(world, wallet, sent));
}

function inMemory(name: string, signer: Signer, load: Load): Promise<Figure> {
  return protocol(name, load, { book: memoryBook(), signer, findHold: async () => undefined });
}

async function emulated(): Promise<Figure> {
  emulators = await startEmulators();
  const { calls, ...ports } = emulators;
  const load = { transfers: EMULATED, atOnce: EMULATED_AT_ONCE, maxInFlight: UNLIMITED };
  return protocol('on emulators', load, ports, calls);
}

async function protocol(
  name: string,
  { transfers, atOnce, maxInFlight }: Load,
  ports: Pick<Emulators, 'book' | 'signer' | 'findHold'>,
  database?: Map<string, number>,
): Promise<Figure> {
  const wallet = await ports.signer.address();
  const payouts = newPayouts(transfers);
  const transport = sharedTransport();
  await fundFor(world, wallet, transfers);
  await emulators?.putPurchases(payouts);
  await nextBlock(world);
  const figure = await measure(`protocol ${name}`, transfers, async () => {
    const treasury = openTreasury(world, { ...ports, transport, maxInFlight });
    const { visits, doing } = await settleAll(treasury, payouts, atOnce);
    if (visits > transfers) console.log(`  ${visits} visits:`, Object.fromEntries(doing));
    return { node: transport.calls, database };
  });
  await requirePaid(world, wallet, transfers);
  console.log(printed(figure));
  return figure;
}
