import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postJson } from '../../functions/adapters/chain/post.ts';
import { jsonRpc, quantity, RpcError, toHex } from '../../functions/adapters/chain/rpc.ts';
import { Unavailable } from '../../functions/domain/errors.ts';

const KEY = 'a-key-in-the-path';

type Answer = (response: ServerResponse, body: { method: string; params: unknown[] }) => void;
type Node = { url: string; server: Server; answer: Answer; asked: { method: string; params: unknown[] }[] };

async function openNode(): Promise<Node> {
  const node: Node = { url: '', server: createServer(), answer: result('0x1'), asked: [] };
  node.server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    node.asked.push(body);
    node.answer(response, body);
  });
  await new Promise<void>((resolve) => node.server.listen(0, '127.0.0.1', resolve));
  node.url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}/${KEY}`;
  return node;
}

const send = (body: string, status = 200): Answer => {
  return (response) => response.writeHead(status).end(body);
};
const result = (value: unknown) => send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }));
const error = (code: number, message: string, data?: string) =>
  send(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message, data } }));

let one: Node;
let two: Node;
beforeAll(async () => {
  [one, two] = await Promise.all([openNode(), openNode()]);
});
beforeEach(() => {
  for (const node of [one, two]) {
    node.answer = result('0x1');
    node.asked = [];
  }
});
afterAll(() => {
  for (const node of [one, two]) node.server.closeAllConnections();
});

const open = (...urls: string[]) => jsonRpc(async () => urls, { timeoutMs: 3_000, post: postJson });

const OUTAGES: Record<string, Answer> = {
  'answers 500': send('{}', 500),
  'answers 429': send('{"error":{"code":-32005,"message":"limit"}}', 429),
  'answers no JSON': send('<html>bad gateway</html>'),
  'answers an empty object': send('{}'),
  'answers null': send('null'),
  'answers an error without a code': send('{"error":{"message":"?"}}'),
  'hangs up': (response) => response.destroy(),
  'never answers': () => undefined,
};

describe('a call', () => {
  it('gives the result', async () => {
    one.answer = result('0x2a');

    expect(await open(one.url).call('eth_blockNumber', [])).toBe('0x2a');
    expect(one.asked).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }]);
  });

  it('is sent again when its kept connection is dead', async () => {
    const rpc = open(one.url);
    await rpc.call('eth_chainId', []);
    const answer = one.answer;
    one.answer = (response, body) => {
      one.answer = answer;
      OUTAGES['hangs up']?.(response, body);
    };

    expect(await rpc.call('eth_blockNumber', [])).toBe('0x1');
    expect(one.asked.map(({ method }) => method)).toEqual([
      'eth_chainId',
      'eth_blockNumber',
      'eth_blockNumber',
    ]);
  });

  it.each(Object.keys(OUTAGES))('is unavailable when the node %s, and does not name it', async (outage) => {
    one.answer = OUTAGES[outage] as Answer;

    const failure = await open(one.url)
      .call('eth_chainId', [])
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(Unavailable);
    expect((failure as Error).message).toBe('chain RPC is unavailable');
    expect(JSON.stringify(describeError(failure))).not.toContain(KEY);
  });

  it('is unavailable without a node, or without its address', async () => {
    const closed = 'http://127.0.0.1:1/secret';
    const failing = jsonRpc(() => Promise.reject(new Error(KEY)), { timeoutMs: 3_000, post: postJson });

    await expect(open(closed).call('eth_chainId', [])).rejects.toThrow(Unavailable);
    await expect(open('not a url').call('eth_chainId', [])).rejects.toThrow(Unavailable);
    await expect(open().call('eth_chainId', [])).rejects.toThrow(Unavailable);
    await expect(failing.call('eth_chainId', [])).rejects.toThrow('chain RPC is unavailable');
  });

  it('goes to the next node when one is down', async () => {
    one.answer = send('', 503);
    two.answer = result('0x7');

    expect(await open(one.url, two.url).call('eth_chainId', [])).toBe('0x7');
  });

  it.each([
    [-32005, 'daily request count exceeded, request rate limited'],
    [-32000, 'header not found'],
    [-32603, 'Internal error'],
    [-32601, 'the method eth_call does not exist/is not available'],
  ])('goes to the next node after an error of the first: %i %s', async (code, message) => {
    one.answer = error(code, message);
    two.answer = result('0x7');

    expect(await open(one.url, two.url).call('eth_call', [])).toBe('0x7');
    two.answer = error(code, message);
    await expect(open(one.url, two.url).call('eth_call', [])).rejects.toMatchObject({ code, message });
  });

  it.each([
    [3, 'execution reverted: Pausable: paused'],
    [-32000, 'execution reverted'],
    [-32000, 'invalid opcode: INVALID'],
    [-32015, 'VM execution error.'],
    [-32603, 'Error: Transaction reverted without a reason string'],
  ])('throws the refusal of a contract, and asks no other node: %i %s', async (code, message) => {
    one.answer = error(code, message);

    await expect(open(one.url, two.url).call('eth_call', [])).rejects.toMatchObject({ code, message });
    expect(two.asked).toEqual([]);
  });

  it('has the data of a contract’s refusal', async () => {
    one.answer = error(3, 'execution reverted', '0x08c379a0');

    const failure = await open(one.url, two.url)
      .call('eth_call', [])
      .catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' });
    expect(two.asked).toEqual([]);
  });

  it('can be sent to each node alone', async () => {
    one.answer = result('0x1');
    two.answer = result('0x2');

    const nodes = await open(one.url, two.url).nodes();

    expect(await Promise.all(nodes.map((node) => node.call('eth_blockNumber', [])))).toEqual(['0x1', '0x2']);
    two.answer = send('', 500);
    await expect(nodes[1]!.call('eth_blockNumber', [])).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('a broadcast', () => {
  it('goes to every node, and is accepted if one of them accepts it', async () => {
    one.answer = error(-32000, 'nonce too low');

    expect(await open(one.url, two.url).broadcast('0x02')).toBe('accepted');
    expect([one, two].map((node) => node.asked[0])).toEqual([
      expect.objectContaining({ method: 'eth_sendRawTransaction', params: ['0x02'] }),
      expect.objectContaining({ method: 'eth_sendRawTransaction', params: ['0x02'] }),
    ]);
  });

  it('passes on the words of a refusal as a hint', async () => {
    one.answer = send('', 500);
    two.answer = error(-32000, 'insufficient funds for gas * price + value');

    expect(await open(one.url, two.url).broadcast('0x02')).toBe('insufficient funds for gas * price + value');
  });

  it.each(Object.keys(OUTAGES))('never throws, even when the node %s', async (outage) => {
    one.answer = OUTAGES[outage] as Answer;

    expect(await open(one.url).broadcast('0x02')).toBe('no answer');
  });

  it('never throws without addresses of nodes', async () => {
    const failing = jsonRpc(() => Promise.reject(new Error('no secret')), {
      timeoutMs: 3_000,
      post: postJson,
    });

    expect(await failing.broadcast('0x02')).toBe('no answer');
  });
});

describe('a number in JSON-RPC', () => {
  it('is hexadecimal in both directions', () => {
    expect(quantity('0x2a')).toBe(42n);
    expect(toHex(42n)).toBe('0x2a');
  });

  it('is refused in any other form', () => {
    for (const odd of ['', '0x', '42', 'x', null, undefined, 42, {}])
      expect(() => quantity(odd)).toThrow(Unavailable);
  });
});

/** Everything that a logger could print of an error. */
function describeError(failure: unknown): unknown {
  const { message, stack, cause } = failure as Error;
  return { message, stack, cause: cause === undefined ? undefined : String(cause) };
}
