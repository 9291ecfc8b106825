import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import type { Answer } from './json-rpc.ts';
import { openMisbehaviour } from './misbehaviour.ts';
import { openView, type Reads, type Request } from './views.ts';

const MINED = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'12'.repeat(20)}`;
/** A chain of 30 blocks. Its only transaction is in block 25, and is the first of its account. */
async function honest({ method, params }: Request): Promise<Answer> {
  const [first, second] = params as [string, string];
  const number = first === 'latest' ? 30 : Number(first);
  const answers: Record<string, unknown> = {
    eth_blockNumber: '0x1e',
    eth_getBlockByNumber: number > 30 ? null : { number: `0x${number.toString(16)}`, hash: `true ${number}` },
    eth_getTransactionCount: second === 'latest' || Number(second) >= 25 ? '0x1' : '0x0',
    eth_getTransactionByHash: first === MINED ? { hash: first, blockNumber: '0x19' } : null,
    eth_getTransactionReceipt:
      first === MINED
        ? {
            transactionHash: first,
            blockHash: 'true 25',
            blockNumber: '0x19',
            status: '0x1',
            logs: ['a transfer'],
          }
        : null,
  };
  return { result: answers[method] };
}

async function openOf(reads: Reads, key = 'spell') {
  const raw = await new Wallet(`0x${'01'.repeat(32)}`).signTransaction({
    to: ADDRESS,
    nonce: 3,
    gasLimit: 21_000,
    chainId: 1,
    type: 2,
    data: `0xa9059cbb${'00'.repeat(64)}`,
  });
  const sent = new Map([['0xsent', raw]]);
  const untruths: string[] = [];
  const view = openView({ key, reads }, { honest, sent, onUntruth: (kind) => void untruths.push(kind) });
  const ask = async <Result>(method: string, ...params: unknown[]): Promise<Result> => {
    const answer = await view.answer({ method, params });
    return ('result' in answer ? answer.result : undefined) as Result;
  };
  return { ask, untruths };
}

type Receipt = { status: string; blockNumber: string; blockHash: string } | null;

describe('a node that lags', () => {
  it('consistently shows the chain as it was some blocks ago', async () => {
    const { ask, untruths } = await openOf({ kind: 'lag', blocks: 8 });

    expect(await ask('eth_blockNumber')).toBe('0x16');
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: 'true 22' });
    expect(await ask('eth_getBlockByNumber', '0x19', false)).toBeNull();
    expect(await ask('eth_getTransactionReceipt', MINED)).toBeNull();
    expect(await ask('eth_getTransactionByHash', MINED)).toMatchObject({ hash: MINED, blockNumber: null });
    expect(await ask('eth_getTransactionCount', ADDRESS, 'latest')).toBe('0x0');
    expect(new Set(untruths)).toEqual(new Set(['lag']));
  });

  it('tells the truth about older blocks', async () => {
    const { ask, untruths } = await openOf({ kind: 'lag', blocks: 2 });

    expect(await ask('eth_getTransactionReceipt', MINED)).toMatchObject({ blockHash: 'true 25' });
    expect(untruths).toEqual([]);
  });
});

/** The answers that each of many spells gives about a transaction. */
async function shownBy(reads: Reads, hash: string) {
  const spells = Array.from({ length: 60 }, (_, index) => openOf(reads, `spell ${index}`));
  return Promise.all(
    spells.map(async (opened) => {
      const { ask } = await opened;
      const receipt = await ask<Receipt>('eth_getTransactionReceipt', hash);
      const block =
        receipt && (await ask<{ hash: string }>('eth_getBlockByNumber', receipt.blockNumber, false));
      return { receipt, again: await ask<Receipt>('eth_getTransactionReceipt', hash), block };
    }),
  );
}

describe.each([
  ['on a fork', { kind: 'fork', from: 24 }],
  ['that lies', { kind: 'lie', ahead: 0 }],
] as const)('a node %s', (_, reads) => {
  it('sometimes denies a mined transaction, calls it reverted, or has it in another block', async () => {
    const shown = (await shownBy(reads, MINED)).map(({ receipt }) => receipt);

    expect(shown.some((receipt) => receipt === null)).toBe(true);
    expect(shown.some((receipt) => receipt?.status === '0x0')).toBe(true);
    expect(shown.some((receipt) => receipt && receipt.blockHash !== 'true 25')).toBe(true);
  });

  it('sometimes shows a receipt with a transfer for a transaction that was only sent', async () => {
    const shown = (await shownBy(reads, '0xsent')).map(({ receipt }) => receipt);

    expect(shown.some((receipt) => receipt === null)).toBe(true);
    const found = shown.find((receipt) => receipt?.status === '0x1');
    expect(found).toMatchObject({ logs: [{ address: ADDRESS }] });
  });

  it('never contradicts itself, neither between two answers nor between receipt and block', async () => {
    for (const hash of [MINED, '0xsent'])
      for (const { receipt, again, block } of await shownBy(reads, hash)) {
        expect(again).toEqual(receipt);
        if (receipt) expect(block?.hash).toBe(receipt.blockHash);
      }
  });
});

describe('a node that misbehaves', () => {
  async function open(isQuiet = false) {
    const passed: string[] = [];
    const pass = async (raw: string): Promise<Answer> => {
      passed.push(raw);
      return { result: 'its hash' };
    };
    const nodes = openMisbehaviour({ honest, pass, isQuiet: () => isQuiet });
    const end = nodes.begin('a', { key: 'spell', reads: { kind: 'lag', blocks: 8 } });
    const wallet = new Wallet(`0x${'01'.repeat(32)}`);
    const raws = Array.from({ length: 40 }, (_, nonce) =>
      wallet.signTransaction({ to: ADDRESS, nonce, gasLimit: 21_000, chainId: 1, type: 2 }),
    );
    return { nodes, end, passed, raws: await Promise.all(raws) };
  }

  it('may drop a transaction, refuse it or answer too late, and at the end sends those that it kept', async () => {
    const { nodes, end, passed, raws } = await open();

    const said = await Promise.all(raws.map((raw) => nodes.take('a', raw)));

    const isTaken = (index: number) => passed.includes(raws[index]!);
    const kinds = said.map((answer, index) =>
      answer === 'NO ANSWER' ? `late ${isTaken(index)}` : `${Object.keys(answer)[0]} ${isTaken(index)}`,
    );
    const all = ['error false', 'error true', 'late true', 'result false', 'result true'];
    expect([...new Set(kinds)].sort()).toEqual(all);
    const before = passed.length;
    await end();
    expect(passed.length).toBeGreaterThan(before);
    expect(new Set(passed).size).toBe(passed.length);
  });

  it('does not change the other nodes, and is honest after its spell and in the quiet time', async () => {
    const head = { method: 'eth_blockNumber', params: [] };
    const [current, quiet] = [await open(), await open(true)];

    expect(await current.nodes.answer('a', head)).toEqual({ result: '0x16' });
    expect(await current.nodes.answer('b', head)).toEqual({ result: '0x1e' });
    expect(await quiet.nodes.answer('a', head)).toEqual({ result: '0x1e' });
    await current.end();
    expect(await current.nodes.answer('a', head)).toEqual({ result: '0x1e' });
  });
});
