import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hotWallets } from '../../functions/adapters/chain/hot-wallets.ts';
import type { Signer } from '../../functions/adapters/chain/kms-signer.ts';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { ASSET_NAMES, perAsset } from '../../functions/domain/assets.ts';
import { memoryBook } from '../support/memory-book.ts';
import { chain, openWorld, type World } from '../support/settlement-world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const FUNDS = { wei: 3n * 10n ** 18n, tokenUnits: 5_000_000n };

type Call = { method: string; params: unknown[] };
type Twist = (call: Call, result: unknown) => unknown;

/** A node for each twist, with its version of the truth. Nothing means no answer. */
function walletsAt(signers: Signer[], ...twists: Twist[]) {
  const urls = twists.map((_, index) => `http://node-${index}/`);
  const calls: Call[] = [];
  const twisted = async (url: string | URL | Request, init?: RequestInit) => {
    const call = JSON.parse(String(init?.body)) as Call;
    calls.push(call);
    const { result } = (await (await fetch(world.url, init)).json()) as { result: unknown };
    const told = twists[urls.indexOf(String(url))]!(call, result);
    return told === undefined ? new Response('', { status: 502 }) : Response.json({ result: told });
  };
  const rpc = jsonRpc(async () => urls, { timeoutMs: 3000, post: twisted as typeof fetch });
  const book = memoryBook();
  return { calls, book, wallets: hotWallets({ rpc, chain, signers, book }) };
}

const honest: Twist = (_, result) => result;
const silent: Twist = () => undefined;
const says =
  (wanted: string, value: string): Twist =>
  ({ method }, result) =>
    method === wanted ? value : result;

const HELD = { gasWei: FUNDS.wei, units: perAsset(() => FUNDS.tokenUnits) };

describe('the balance of the hot wallets', () => {
  it('is read at one block, which is named', async () => {
    const rich = await world.openWallet(FUNDS);
    const poor = await world.openWallet({ wei: 7n, tokenUnits: 1n });
    const { calls, wallets } = walletsAt([rich.signer, poor.signer], honest);

    const { block, wallets: held } = await wallets.readHoldings();

    expect(held).toMatchObject([HELD, { gasWei: 7n, units: perAsset(() => 1n) }]);
    const reads = calls.filter(({ method }) => method !== 'eth_blockNumber');
    expect(reads.map(({ params }) => params.at(-1))).toEqual(
      Array(2 * (2 + ASSET_NAMES.length)).fill(`0x${block.toString(16)}`),
    );
  });

  it('is the smallest that any node shows', async () => {
    const { signer } = await world.openWallet(FUNDS);
    const poorer = `0x${'1'.padStart(64, '0')}`;

    const { wallets } = walletsAt([signer], honest, says('eth_call', poorer), says('eth_getBalance', '0x2'));

    expect((await wallets.readHoldings()).wallets).toMatchObject([{ gasWei: 2n, units: perAsset(() => 1n) }]);
  });

  it('is that of the other nodes if one node is silent or answers nonsense', async () => {
    const { signer } = await world.openWallet(FUNDS);

    const { wallets } = walletsAt([signer], silent, says('eth_call', '0x'), honest);

    expect((await wallets.readHoldings()).wallets).toMatchObject([HELD]);
  });

  it.each([
    ['is nothing of a wallet that somebody else uses, as two nodes show: it pays nobody', 'huu', 1],
    ['is nothing of one that somebody else uses, as the only node that answers shows', 'us', 1],
    ['is all of a wallet that only one of three nodes counts too many of', 'hhu', 2],
    ['is all of one that only one of two counts too many of', 'hu', 2],
  ])('%s', async (_, nodes, paying) => {
    const [used, good] = await Promise.all([world.openWallet(FUNDS), world.openWallet(FUNDS)]);
    const address = await used.signer.address();
    const isUsed: Twist = ({ method, params }, result) =>
      method === 'eth_getTransactionCount' && params[0] === address ? '0x3' : result;
    const twists: Record<string, Twist> = { h: honest, u: isUsed, s: silent };
    const each = [...nodes].map((node) => twists[node]!);
    const { wallets, book } = walletsAt([used.signer, good.signer], ...each);
    const all = [address, await good.signer.address()];
    const held = async () => {
      const { wallets: paying, addresses } = await wallets.readHoldings();
      // A wallet that cannot pay is still ours.
      expect(addresses).toEqual(all);
      return paying.length;
    };

    // The count of a wallet that the service never paid from starts at its present nonce.
    expect(await held()).toBe(2);
    await book.openWallet(address, 2);
    expect(await held()).toBe(paying);
  });

  it('is complete for a wallet whose payments are under way', async () => {
    const { signer } = await world.openWallet(FUNDS);
    const { wallets, book } = walletsAt([signer], honest);
    await book.openWallet(await signer.address(), 2);

    expect((await wallets.readHoldings()).wallets).toMatchObject([HELD]);
  });

  it('is unknown if no node answers', async () => {
    const { signer } = await world.openWallet(FUNDS);

    const { wallets } = walletsAt([signer], silent, silent);

    await expect(wallets.readHoldings()).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
