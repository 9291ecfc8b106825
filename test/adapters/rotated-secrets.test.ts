import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretLoader } from '../../functions/adapters/aws/secrets.ts';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { cpfRegistry } from '../../functions/adapters/cpf-registry/serpro.ts';
import type { SerproSettings } from '../../functions/adapters/serpro.ts';
import { type Stub, startStub } from '../support/stub-server.ts';

/** The bound of docs/operations.md, "Secrets". */
const BOUND_MS = 5 * 60_000;
const CPF = '40442820135';

let stub: Stub;
let accepted: string;
let time: { now: number };
let stored: object;
beforeEach(async () => {
  time = { now: 0 };
  stub = await startStub(({ path, headers }) => {
    const { authorization } = headers;
    if (path !== '/token') return { status: authorization === `Bearer ${accepted}` ? 404 : 401 };
    const isKnown = authorization === `Basic ${Buffer.from(`key:${accepted}`).toString('base64')}`;
    return isKnown ? { body: { access_token: accepted, expires_in: 3600 } } : { status: 401 };
  });
});
afterEach(() => stub.close());

const serpro = (consumerSecret: string) => ({ baseUrl: stub.url, consumerKey: 'key', consumerSecret });

function secrets() {
  const client = { send: async () => ({ SecretString: JSON.stringify(stored) }) };
  const clock = { now: () => time.now, minuteMs: 60_000 };
  return { clock, ...secretLoader(async () => client as unknown as SecretsManagerClient, clock) };
}

describe('a secret that a provider replaced', () => {
  it('is used within five minutes by an instance that runs, though its token is still valid', async () => {
    [accepted, stored] = ['first', serpro('first')];
    const { clock, json } = secrets();
    const registry = cpfRegistry(() => json<SerproSettings>('arn'), { clock, timeoutMs: 3_000 });
    expect(await registry.findCpf(CPF)).toBeUndefined();

    [accepted, stored] = ['second', serpro('second')];
    time.now = BOUND_MS - 1;
    await expect(registry.findCpf(CPF)).rejects.toThrow('no token for our credentials');
    time.now = BOUND_MS;

    expect(await registry.findCpf(CPF)).toBeUndefined();
  });

  it('names the nodes of the chain that are asked from then on', async () => {
    stored = { rpcUrls: ['http://first.example'] };
    const { json } = secrets();
    const asked: string[] = [];
    const answering = async (url: string) => {
      asked.push(url);
      return new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }));
    };
    const rpc = jsonRpc(async () => (await json<{ rpcUrls: string[] }>('arn')).rpcUrls, {
      timeoutMs: 3_000,
      post: answering,
    });
    await rpc.call('eth_chainId', []);

    stored = { rpcUrls: ['http://second.example'] };
    time.now = BOUND_MS;
    await rpc.call('eth_chainId', []);

    expect(asked).toEqual(['http://first.example', 'http://second.example']);
  });
});
