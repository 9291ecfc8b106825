import { afterEach, describe, expect, test } from 'vitest';
import { addressScreening } from '../../functions/adapters/chainalysis/address-screening.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TOKEN = 'a-token-of-tests';
/** An answer of the vendor, as in its documentation. */
const ENTITY = {
  address: WALLET,
  risk: 'Low',
  riskReason: null,
  addressType: 'PRIVATE_WALLET',
  cluster: null,
  addressIdentifications: [],
  exposures: [
    { category: 'exchange', value: 424895.68594, exposureType: 'direct', direction: 'both_directions' },
  ],
  triggers: [],
  status: 'COMPLETE',
};

let stub: Stub;
afterEach(() => stub.close());

async function screening(answer: StubAnswer) {
  stub = await startStub(() => answer);
  return addressScreening(async () => ({ baseUrl: `${stub.url}/api/risk`, token: TOKEN }), {
    timeoutMs: 3_000,
  });
}

describe('assess', () => {
  test('asks for the address with the token, once', async () => {
    const vendor = await screening({ body: ENTITY });

    expect(await vendor.assess(WALLET)).toEqual({ name: 'CHAINALYSIS', risk: 'LOW' });
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /api/risk/v2/entities/${WALLET}`,
    ]);
    expect(stub.requests[0]?.headers.token).toBe(TOKEN);
  });

  test.each([
    ['Low', 'LOW'],
    ['Medium', 'MEDIUM'],
    ['High', 'HIGH'],
    ['Severe', 'SEVERE'],
  ])('reads the risk %s as %s', async (risk, ours) => {
    const vendor = await screening({ body: { ...ENTITY, risk } });

    expect(await vendor.assess(WALLET)).toMatchObject({ risk: ours });
  });

  test('keeps the beginning of the reason', async () => {
    const vendor = await screening({
      body: { ...ENTITY, risk: 'Severe', riskReason: 'Stolen funds '.repeat(99) },
    });

    const { reason } = await vendor.assess(WALLET);

    expect(reason).toMatch(/^Stolen funds /);
    expect(reason).toHaveLength(200);
  });

  test('accepts the address in any case', async () => {
    const vendor = await screening({ body: { ...ENTITY, address: WALLET.toLowerCase() } });

    expect(await vendor.assess(WALLET)).toMatchObject({ risk: 'LOW' });
  });

  test.each<[string, StubAnswer]>([
    ['a risk in unknown words', { body: { ...ENTITY, risk: 'Unknown' } }],
    ['no risk', { body: { ...ENTITY, risk: null } }],
    ['another address', { body: { ...ENTITY, address: `0x${'1'.repeat(40)}` } }],
    ['an unfinished judgement', { body: { ...ENTITY, status: 'PENDING' } }],
    ['a message', { body: { message: 'Address not registered' } }],
    ['too many requests', { status: 429 }],
    ['an outage', { status: 503 }],
    ['silence', { fault: 'hang' }],
    ['half an answer', { raw: '{"address":' }],
    ['an empty answer', {}],
  ])('is Unavailable, never a pass, on %s', async (_, answer) => {
    await expect((await screening(answer)).assess(WALLET)).rejects.toBeInstanceOf(Unavailable);
  });

  test.each([401, 403, 404])('throws on HTTP %i, without token or address', async (status) => {
    const error = await (await screening({ status, body: { message: TOKEN } }))
      .assess(WALLET)
      .catch((cause) => cause);

    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe(`the wallet screening provider refused a query: HTTP ${status}`);
  });
});
