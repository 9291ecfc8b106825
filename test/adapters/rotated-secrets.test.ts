import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretLoader } from '../../functions/adapters/aws/secrets.ts';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { addressScreening } from '../../functions/adapters/chainalysis/address-screening.ts';
import { cpfRegistry } from '../../functions/adapters/cpf-registry/serpro.ts';
import type { IdentitySettings } from '../../functions/adapters/identity/settings.ts';
import { identityProvider } from '../../functions/adapters/identity/sumsub.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixSettings } from '../../functions/adapters/pix/settings.ts';
import type { SerproSettings } from '../../functions/adapters/serpro.ts';
import { stubLog } from '../support/stub-log.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

/** The bound of docs/operations.md, "Secrets". */
const BOUND_MS = 5 * 60_000;
const CPF = '40442820135';
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const ENTITY = { address: WALLET, risk: 'Low', addressType: 'PRIVATE_WALLET', status: 'COMPLETE' };
const answerAt = (path: string): StubAnswer => (path.includes(WALLET) ? { body: ENTITY } : { status: 404 });

let stub: Stub;
let accepted: string;
let time: { now: number };
let stored: object;
beforeEach(async () => {
  time = { now: 0 };
  stub = await startStub(({ path, headers }) => {
    const { authorization } = headers;
    const shown = [authorization, `Bearer ${headers.token}`, `Bearer ${headers['x-app-token']}`];
    if (path !== '/token') return shown.includes(`Bearer ${accepted}`) ? answerAt(path) : { status: 401 };
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

type Reader = ReturnType<typeof secrets>;

/** Each provider's secret with one credential, and a call of it that the provider refuses with any other. */
const PROVIDERS = {
  'the payment provider': {
    holding: (clientSecret: string) => ({
      baseUrl: stub.url,
      tokenUrl: `${stub.url}/token`,
      clientId: 'key',
      clientSecret,
    }),
    asking({ clock, json }: Reader) {
      const deps = { clock, log: stubLog(), timeoutMs: 3_000 };
      const provider = pixProvider(() => json<PixSettings>('arn'), deps);
      return () => provider.findCharge('0'.repeat(32));
    },
    answer: undefined,
  },
  'the identity provider': {
    holding: (appToken: string) => ({
      baseUrl: stub.url,
      appToken,
      secretKey: 'key',
      levels: { identity: 'identity', liveness: 'liveness' },
    }),
    asking({ clock, json }: Reader) {
      const provider = identityProvider(() => json<IdentitySettings>('arn'), { clock, timeoutMs: 3_000 });
      return () => provider.findReview('a'.repeat(64));
    },
    answer: undefined,
  },
  'the vendor that judges wallets': {
    holding: (token: string) => ({ baseUrl: stub.url, token }),
    asking({ json }: Reader) {
      const vendor = addressScreening(() => json<{ baseUrl: string; token: string }>('arn'), {
        timeoutMs: 3_000,
      });
      return () => vendor.assess(WALLET);
    },
    answer: { name: 'CHAINALYSIS', risk: 'LOW' },
  },
} as const;

describe.each(Object.entries(PROVIDERS))('a secret that %s replaced', (_, { holding, asking, answer }) => {
  it('is refused until it is read again, and then it is used by an instance that runs', async () => {
    [accepted, stored] = ['first', holding('first')];
    const ask = asking(secrets());
    expect(await ask()).toEqual(answer);

    [accepted, stored] = ['second', holding('second')];
    time.now = BOUND_MS - 1;
    await expect(ask()).rejects.toThrow('401');
    time.now = BOUND_MS;

    expect(await ask()).toEqual(answer);
  });
});

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
