import { expect, test } from 'vitest';
import type { Flags } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { txCommands } from '../../operations/tx.ts';
import { openPorts, putPurchaseIn, START_AT } from '../support/ports.ts';

async function world() {
  const ports = openPorts();
  const nextCheckAt = START_AT;
  const { id: waiting } = await putPurchaseIn(ports, 'AWAITING_PIX', { partnerId: 'p1', nextCheckAt });
  const at = [{ status: 'PROCESSING', at: START_AT - 3_600_000 } as const];
  const { id: stuck } = await putPurchaseIn(ports, 'PROCESSING', {
    partnerId: 'p2',
    history: at,
    nextCheckAt,
  });
  const refund = { status: 'PENDING', endToEndId: 'E1', amountCentavos: 1, reason: 'PAID_LATE' } as const;
  const { id: owed } = await putPurchaseIn(ports, 'FAILED', {
    partnerId: 'p2',
    refund,
    nextCheckAt: START_AT,
  });
  await putPurchaseIn(ports, 'COMPLETED', { partnerId: 'p2' });
  const list = async (flags: Flags = {}) => {
    const { run } = txCommands.find(({ name }) => name === 'tx list')!;
    const desk = ports as unknown as Desk;
    return [...shownLines((await run({ words: [], flags, ask: async () => '' }, desk)) as Shown)];
  };
  return { waiting, stuck, owed, list };
}

test('tx list shows open purchases and refunds with client and wallet, the oldest first', async () => {
  const { waiting, stuck, owed, list } = await world();

  const [, first, ...rest] = await list();

  expect(first).toMatch(new RegExp(`^${stuck} .* PROCESSING .* p2 .* 0x`));
  expect(rest).toHaveLength(2);
  expect(rest.join('\n')).toMatch(new RegExp(`${owed} .* FAILED, refund PENDING`));
  expect(rest.join('\n')).toContain(waiting);
});

test('tx list shows those of one partner', async () => {
  const { waiting, list } = await world();

  const [, ...rows] = await list({ partner: 'p1' });

  expect(rows).toEqual([expect.stringContaining(waiting)]);
  expect(await list({ partner: 'nobody' })).toEqual(['No purchase is open.']);
});
