import { describe, expect, it } from 'vitest';
import { instantOf } from '../../functions/domain/ports.ts';
import { getChange } from '../../functions/domain/purchase/transitions.ts';
import { readUsage } from '../../functions/logic/purchase/claim-charge.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { correctable, payFor } from '../support/corrected.ts';
import { reread, type TestPorts } from '../support/ports.ts';

/** A client who has bought, and whose data were then erased. */
async function erased() {
  const world = await correctable();
  const { ports, buyer, cpf, ops, personId } = world;
  const first = await buyer.initiate();
  await buyer.confirm(first);
  ports.clock.advance(MINUTE_MS);
  await complete({ id: first.transactionId }, ports);
  const used = await readUsage(personId, ports);
  const proposed = await ops('ana', 'subject erase', { typed: cpf });
  expect(await ops('rui', `acts approve ${proposed.split('\n')[0]}`)).toContain('enrols the app again');
  return { ...world, first, used };
}

async function complete(bought: { id: string }, ports: TestPorts) {
  await payFor(bought.id, ports);
  const change = getChange(
    await reread(ports, bought),
    'stablecoin settled on-chain',
    instantOf(ports.clock),
    {
      txHash: '0xhash',
    },
  );
  expect(await ports.transactions.save(change)).toBe(true);
}

// docs/operations.md, "A client's rights"
describe('a client who comes back after an erasure', () => {
  it('is submitted again, enrols the app again, and buys', async () => {
    const { ports, buyer } = await erased();

    const { token, status } = await buyer.again();
    const opened = await buyer.initiate(ports, token);
    await buyer.confirm(opened);

    expect(status).toBe('APPROVED');
    expect(await reread(ports, { id: opened.transactionId })).toMatchObject({ status: 'AWAITING_PIX' });
    expect(await ports.clients.findClient(buyer.clientId)).toMatchObject({ enrolledAt: ports.clock.now() });
  });

  it('proves nothing with the app of before', async () => {
    const { ports, buyer, first } = await erased();
    const { token } = await buyer.again();
    const { transactionId } = await buyer.initiate(ports, token);

    await expect(buyer.confirm({ ...first, transactionId })).rejects.toMatchObject({
      code: 'MFA_INVALID_CODE',
    });

    expect(await reread(ports, { id: transactionId })).toMatchObject({ status: 'AWAITING_MFA' });
  });

  it('has the limits of before, because an erasure must not free them', async () => {
    const { ports, personId, buyer, used } = await erased();

    await buyer.again();

    expect(used.day).toBe(250_00);
    expect(await readUsage(personId, ports)).toEqual(used);
  });
});
