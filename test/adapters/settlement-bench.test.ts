import { describe, expect, it } from 'vitest';
import { printed, ratios, readCpu } from '../../benchmarks/settlement-report.ts';
import { sharedTransport } from '../../benchmarks/settlement-transport.ts';

type Call = { id: number; method: string; params: unknown[] };

/** A node that accepts only batches and answers them backwards, as a node may. */
function nodeOf(answer: (call: Call) => object | undefined) {
  const batches: Call[][] = [];
  const serve = async (_: unknown, init?: RequestInit) => {
    const batch = JSON.parse(String(init?.body)) as Call[];
    batches.push(batch);
    return Response.json(batch.map(answer).reverse());
  };
  return { batches, transport: sharedTransport(serve as typeof fetch) };
}

async function ask(transport: { fetch: typeof fetch }, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  return (await transport.fetch('http://node/', { method: 'POST', body })).json();
}

describe('the shared transport', () => {
  it('carries the calls of a moment in one request, and gives each its own answer', async () => {
    const { batches, transport } = nodeOf(({ id, method }) => ({ id, result: `of ${method}` }));

    const answers = await Promise.all(['a', 'b', 'a'].map((method) => ask(transport, method)));

    expect(answers).toEqual(['of a', 'of b', 'of a'].map((result) => ({ id: 1, result })));
    expect(batches.map((batch) => batch.length)).toEqual([3]);
    expect(Object.fromEntries(transport.calls)).toEqual({ a: 2, b: 1 });
  });

  it('carries at most a hundred calls in a request', async () => {
    const { batches, transport } = nodeOf(({ id }) => ({ id, result: true }));

    await Promise.all(Array.from({ length: 130 }, () => ask(transport, 'a')));

    expect(batches.map((batch) => batch.length)).toEqual([100, 30]);
  });

  it('has no result for a call that the node left out, and fails all without a node', async () => {
    const { transport } = nodeOf(({ id, method }) => (method === 'b' ? { id: 77 } : { id, result: 1 }));
    const dead = sharedTransport(() => Promise.reject(new Error('ECONNREFUSED')));

    expect(await Promise.all([ask(transport, 'a'), ask(transport, 'b')])).toEqual([
      { id: 1, result: 1 },
      { id: 1 },
    ]);
    await expect(ask(dead, 'a')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('the figures', () => {
  const figure = (transfers: number, seconds: number) => ({ name: 'x', transfers, seconds, cpu: {} });

  it('are ratios to the faster of a blast and one-by-one transfers', () => {
    const blasts = [figure(400, 1), figure(500, 1)];

    expect(ratios(figure(900, 2), blasts, figure(10, 10))).toEqual({ ofBlast: 0.9, timesAwaited: 450 });
  });

  it('show CPU and calls per transfer', () => {
    const calls = { database: new Map([['Get', 30]]), node: new Map([['eth_call', 55]]) };
    const text = printed({ ...figure(10, 2), cpu: { ours: 0.05, anvil: 0.001 }, calls });

    expect(text).toContain('5.0 transfers/s');
    expect(text).toContain('CPU ms per transfer: ours 5.00\n');
    expect(text).toContain('calls of the node per transfer: 5.5 (eth_call 5.50)');
    expect(text).toContain('calls of DynamoDB per transfer: 3.0 (Get 3.00)');
  });

  it('count the CPU of this process', () => {
    const before = readCpu().ours!;
    const start = process.cpuUsage();
    while (process.cpuUsage(start).user < 20_000);

    expect(readCpu().ours! - before).toBeGreaterThan(0.005);
  });
});
