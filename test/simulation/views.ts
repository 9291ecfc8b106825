import { Transaction as Signed } from 'ethers';
import { toHex } from '../../functions/adapters/chain/rpc.ts';
import { bytesOf, chance } from './dice.ts';
import type { Answer } from './json-rpc.ts';

export type Request = { method: string; params: unknown[] };
/** `key` decides about the node's answers for each transaction. They stay the same for the whole spell. */
export type Spell = { key: string; reads: Reads };
export type Reads =
  | { kind: 'lag'; blocks: number }
  | { kind: 'fork'; from: number }
  | { kind: 'lie'; ahead: number };
export type View = ReturnType<typeof openView>;

type Block = Record<string, unknown> & { hash: string; number: string };
type Mined = Record<string, unknown> & { blockHash: string | null; blockNumber: string | null };
type Honest = (request: Request) => Promise<Answer>;
type Known = {
  honest: Honest;
  /** The bytes of all transactions that were sent to any node, by their hash. */
  sent: ReadonlyMap<string, string>;
  /** Called with each answer that is not the truth. */
  onUntruth: (kind: Reads['kind']) => void;
};

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** A liar puts an invented transaction this many blocks back. At this depth a true one would be final. */
const INVENTED_DEPTH = 20;
const NOTHING: Answer = { result: null };

/**
 * The view of one node while a spell lasts. The view is consistent: an invented block keeps its hash and its content.
 *
 * Balances and the results of contract calls can be old, but never false. The service believes them from a single
 * node.
 */
export function openView({ key, reads }: Spell, { honest, sent, onUntruth }: Known) {
  const invented = new Map<string, number>();
  const ownBlocks = new Set<number>();
  const ownHash = (number: number) => `0x${Buffer.from(bytesOf(32, key, 'block', number)).toString('hex')}`;
  const ask = async <Result>(method: string, params: unknown[]): Promise<Result | null> => {
    const answer = await honest({ method, params });
    return 'result' in answer ? (answer.result as Result) : null;
  };
  const readHead = async () => Number(await ask<string>('eth_blockNumber', []));

  async function answer(request: Request): Promise<Answer> {
    const truth = await honest(request);
    const shown = await show(request, truth);
    if (JSON.stringify(shown) !== JSON.stringify(truth)) onUntruth(reads.kind);
    return shown;
  }

  function show(request: Request, truth: Answer): Promise<Answer> | Answer {
    if (reads.kind === 'lag') return showOld(request, truth, reads.blocks);
    if (reads.kind === 'fork') return showFork(request, truth, reads.from);
    return showLie(request, truth, reads.ahead);
  }

  /** Answers as a node that does not have the last blocks. */
  async function showOld({ method, params }: Request, truth: Answer, blocks: number): Promise<Answer> {
    const height = Math.max(0, (await readHead()) - blocks);
    const at = tagOf(method, params);
    if (method === 'eth_blockNumber') return { result: toHex(height) };
    if (method === 'eth_getTransactionReceipt') return heightOf(truth) > height ? NOTHING : truth;
    if (method === 'eth_getTransactionByHash') return heightOf(truth) > height ? pending(truth) : truth;
    if (at === undefined || Number(at) <= height) return truth;
    if (at !== 'latest') return method === 'eth_getBlockByNumber' ? NOTHING : unknownBlock();
    return honest({ method, params: params.map((each) => (each === 'latest' ? toHex(height) : each)) });
  }

  /** Answers as a node with other blocks after block `from`. Their transactions differ too. */
  async function showFork({ method, params }: Request, truth: Answer, from: number): Promise<Answer> {
    const [first] = params;
    if (method === 'eth_getBlockByNumber') return showBlock(truth, (number) => number > from);
    if (method === 'eth_getTransactionCount' && Number(params[1] === 'latest' ? Infinity : params[1]) > from)
      return honest({ method, params: [first, toHex(from)] });
    if (method !== 'eth_getTransactionReceipt') return truth;
    const hash = String(first);
    const thrown = chance(key, hash);
    const mined = resultOf<Mined>(truth);
    if (!mined) return thrown < 0.3 ? invent(hash, { height: from + 1, succeeds: true }) : truth;
    const height = heightOf(truth);
    if (height <= from || thrown < 0.4) return height <= from ? truth : NOTHING;
    const there = { ...mined, blockHash: ownHash(height) };
    return { result: thrown < 0.75 ? there : { ...there, status: '0x0', logs: [] } };
  }

  /** Tells one lie about each transaction, or the truth. */
  async function showLie({ method, params }: Request, truth: Answer, ahead: number): Promise<Answer> {
    const [first] = params;
    if (method === 'eth_blockNumber') return { result: toHex((await readHead()) + ahead) };
    if (method === 'eth_getBlockByNumber') return showBlock(truth, (number) => ownBlocks.has(number));
    const at = Number(tagOf(method, params));
    // For a block that does not exist, the node answers as for the last one.
    if (at > (await readHead()))
      return honest({ method, params: params.map((each) => (Number(each) === at ? 'latest' : each)) });
    if (method === 'eth_getTransactionCount') return { result: countOf(truth, String(first)) };
    if (method === 'eth_getTransactionByHash') return isDenied(String(first)) ? NOTHING : truth;
    if (method !== 'eth_getTransactionReceipt') return truth;
    const hash = String(first);
    return isDenied(hash) ? NOTHING : showReceipt(hash, truth);
  }

  const lieOf = (hash: string) => chance(key, 'lie', hash);
  const isDenied = (hash: string) => lieOf(hash) < 0.25;

  async function showReceipt(hash: string, truth: Answer): Promise<Answer> {
    const lie = lieOf(hash);
    const mined = resultOf<Mined>(truth);
    if (lie > 0.8) return truth;
    if (!mined) {
      const height = Math.max(1, (await readHead()) - INVENTED_DEPTH);
      return invent(hash, { height, succeeds: lie < 0.6 });
    }
    if (lie < 0.5) return { result: { ...mined, status: '0x0', logs: [] } };
    if (lie < 0.65) return { result: { ...mined, logs: [] } };
    ownBlocks.add(heightOf(truth));
    return { result: { ...mined, blockHash: ownHash(heightOf(truth)) } };
  }

  /** Sometimes adds one to three to the count, as if a stranger had used the key. */
  function countOf(truth: Answer, address: string): string | null {
    const count = Number(resultOf<string>(truth));
    const more = chance(key, 'count', address) < 0.4 ? 1 + Math.floor(chance(key, 'more', address) * 3) : 0;
    return toHex(count + more);
  }

  /** Invents a receipt for a transaction that was sent but is in no block. */
  function invent(hash: string, { height, succeeds }: { height: number; succeeds: boolean }): Answer {
    const raw = sent.get(hash);
    if (raw === undefined) return NOTHING;
    if (!invented.has(hash)) invented.set(hash, height);
    const number = invented.get(hash)!;
    ownBlocks.add(number);
    const { from, to, data } = Signed.from(raw);
    const isTransfer = data.length === 138;
    const log = {
      address: to,
      topics: [TRANSFER, wordOf(from!.slice(2)), `0x${data.slice(10, 74)}`],
      data: `0x${data.slice(74)}`,
    };
    return {
      result: {
        transactionHash: hash,
        from,
        to,
        status: succeeds ? '0x1' : '0x0',
        blockHash: ownHash(number),
        blockNumber: toHex(number),
        logs: succeeds && isTransfer ? [log] : [],
      },
    };
  }

  function showBlock(truth: Answer, isOwn: (number: number) => boolean): Answer {
    const block = resultOf<Block>(truth);
    if (!block || !isOwn(Number(block.number))) return truth;
    return { result: { ...block, hash: ownHash(Number(block.number)) } };
  }

  return { answer };
}

const wordOf = (hex: string) => `0x${hex.toLowerCase().padStart(64, '0')}`;

function resultOf<Result>(answer: Answer): Result | null {
  return 'result' in answer ? (answer.result as Result) : null;
}

/** The number of the block that holds the transaction, or -1 when no block does. */
function heightOf(answer: Answer): number {
  return Number(resultOf<Mined>(answer)?.blockNumber ?? -1);
}

function pending(answer: Answer): Answer {
  return { result: { ...resultOf<Mined>(answer), blockHash: null, blockNumber: null } };
}

/** The block that a request asks about. */
function tagOf(method: string, params: unknown[]): string | undefined {
  if (method === 'eth_getBlockByNumber') return String(params[0]);
  const reads = ['eth_call', 'eth_getBalance', 'eth_getTransactionCount', 'eth_feeHistory'];
  return reads.includes(method) ? String(params[1]) : undefined;
}

function unknownBlock(): Answer {
  return { error: { code: -32_000, message: 'header not found' } };
}
