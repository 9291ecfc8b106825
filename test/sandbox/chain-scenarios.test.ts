import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { deploy, localChain } from '../../sandbox/chain/deploy.ts';
import { rpc } from '../../sandbox/chain/rpc.ts';
import { findTraps } from '../../sandbox/chain/traps.ts';
import { chargeBody, openWorld, pspClient, TXID } from './providers-support.ts';

const RECOVERS = '90000000841';
const NEVER_SETTLES = '90000000922';
const ANOTHER = '52998224725';
const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const destination = { asset: 'USDC', walletAddress: WALLET, units: '45123456' };

let chain: Anvil;

beforeAll(async () => {
  chain = await startAnvil();
  await deploy(chain.url);
});
afterAll(() => chain?.stop());

/**
 * Opens a charge of that client at a payment provider that may know the chain. The returned function pays it and
 * reads the traps that the payment set. Its `trigger` causes an event for the purchase.
 */
async function openCharge(cpf: string, knowsChain = true) {
  const sandbox = openWorld();
  const { tokens } = localChain;
  if (knowsChain) await sandbox.call('PUT', '/control/chain', { rpcUrl: chain.url, tokens });
  const api = await pspClient(sandbox);
  const devedor = { cpf, nome: 'Fulano de Tal' };
  expect((await api('PUT', `/cob/${TXID}`, chargeBody({ devedor }))).status).toBe(201);
  // Mines an empty block, so that the traps of earlier tests are not counted.
  await rpc(chain.url, 'evm_mine');
  const from = Number(await rpc(chain.url, 'eth_blockNumber'));
  const pay = async (payment: object) => {
    const response = await sandbox.call('POST', `/control/psp/pay/${TXID}`, payment);
    const { note } = (await response.json()) as { note?: string };
    const to = Number(await rpc(chain.url, 'eth_blockNumber'));
    const traps = await findTraps(chain.url, { tokens: Object.values(tokens), from, to });
    return { status: response.status, note, traps };
  };
  const trigger = (event: string) =>
    sandbox.call('POST', '/control/triggers', { event, partnerId: 'p1', subject: TXID });
  return Object.assign(pay, { trigger });
}

describe('a payment', () => {
  it('sets a trap for all tries where the partner has asked for it, once', async () => {
    const pay = await openCharge(ANOTHER);

    await pay.trigger('SETTLEMENT_REVERTS');

    expect((await pay({ destination })).traps).toMatchObject([{ units: 45_123_456n, reverts: 4 }]);
  });

  it('that is late, too, sets no trap', async () => {
    const pay = await openCharge(ANOTHER);

    await pay.trigger('SETTLEMENT_REVERTS');
    await pay.trigger('LATE_PIX');

    expect((await pay({ destination })).traps).toEqual([]);
  });

  it.each([
    { cpf: RECOVERS, reverts: 3 },
    { cpf: NEVER_SETTLES, reverts: 4 },
  ])('of $cpf sets a trap for its own transfer, $reverts times', async ({ cpf, reverts }) => {
    const pay = await openCharge(cpf);

    expect(await pay({ destination })).toEqual({
      status: 200,
      note: undefined,
      traps: [{ token: localChain.tokens.USDC.toLowerCase(), to: WALLET, units: 45_123_456n, reverts }],
    });
  });

  it.each([
    { what: 'of any other client', cpf: ANOTHER, payment: {} },
    { what: 'of another amount, which is only refunded', cpf: RECOVERS, payment: { amountBrl: '1.00' } },
    { what: 'by somebody else, which is only refunded', cpf: RECOVERS, payment: { payerCpf: ANOTHER } },
  ])('$what sets no trap', async ({ cpf, payment }) => {
    const pay = await openCharge(cpf);

    expect(await pay({ ...payment, destination })).toEqual({ status: 200, note: undefined, traps: [] });
  });

  it.each([
    { what: 'no chain is known', knowsChain: false, payment: { destination } },
    { what: 'the bank pays directly and does not know the wallet', knowsChain: true, payment: {} },
  ])('says that its scenario has no effect when $what', async ({ knowsChain, payment }) => {
    const pay = await openCharge(NEVER_SETTLES, knowsChain);

    const { status, note, traps } = await pay(payment);

    expect(status).toBe(200);
    expect(note).toMatch(/acts on nothing/);
    expect(traps).toEqual([]);
  });
});
