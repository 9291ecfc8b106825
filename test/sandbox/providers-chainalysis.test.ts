import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressScreening } from '../../functions/adapters/chainalysis/address-screening.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { RISKY_WALLET } from '../../sandbox/providers/chainalysis.ts';
import { type Stub, startStub } from '../support/stub-server.ts';
import { openWorld } from './providers-support.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const sandbox = openWorld();
let stub: Stub;
beforeAll(async () => {
  stub = await startStub(async ({ path, headers }) => {
    const answer = await sandbox.call('GET', path, undefined, { token: String(headers.token) });
    return { status: answer.status, body: await answer.json() };
  });
});
afterAll(() => stub.close());

const vendorWith = (token: string) =>
  addressScreening(async () => ({ baseUrl: `${stub.url}/chainalysis`, token }));
const vendor = () => vendorWith(sandbox.world.settings.chainalysis.token);
const say = (address: string, judgement: object) =>
  sandbox.call('PUT', `/control/chainalysis/addresses/${address}`, judgement);

describe("the product's wallet screening against the simulated Chainalysis", () => {
  it('finds a low risk for a wallet without a rating', async () => {
    expect(await vendor().assess(WALLET)).toEqual({ name: 'CHAINALYSIS', risk: 'LOW' });
  });

  it('finds the scenario’s wallet severe, with a reason', async () => {
    expect(await vendor().assess(RISKY_WALLET)).toEqual({
      name: 'CHAINALYSIS',
      risk: 'SEVERE',
      reason: 'Identified as Stolen Funds',
    });
  });

  it('finds the rating that the control interface has set for one wallet', async () => {
    await say(WALLET.toLowerCase(), { risk: 'Medium', riskReason: '> 5% Exposure To Mixing' });

    expect(await vendor().assess(WALLET)).toMatchObject({
      risk: 'MEDIUM',
      reason: '> 5% Exposure To Mixing',
    });
  });

  it('is unavailable for a wallet for which the control interface has set a failure', async () => {
    await say(WALLET, { status: 503 });

    await expect(vendor().assess(WALLET)).rejects.toBeInstanceOf(Unavailable);
  });

  it('refuses another token', async () => {
    await expect(vendorWith('another').assess(RISKY_WALLET)).rejects.toThrow('HTTP 403');
  });
});
