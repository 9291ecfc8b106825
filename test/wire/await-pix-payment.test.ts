import { describe, expect, test } from 'vitest';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { resumeIfMoved } from '../../functions/logic/purchase/waits.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { executionStatus, realMachine, waitIn } from '../support/real-machine.ts';
import { eventually } from '../support/sandbox.ts';
import { sandboxTables } from '../support/tables.ts';

const AT = { now: START_AT, minuteMs: 60_000 };

describe('AwaitPixPayment', () => {
  test('stores its token, and ends with the status that comes back with it', async () => {
    const ports = openPorts(sandboxTables());
    const machine = realMachine();
    const purchase = await putPurchaseIn(ports, 'AWAITING_PIX');
    await machine.start(purchase.id, 'AWAITING_PIX', 0);
    await waitIn(ports, purchase.id, 'AWAITING_PIX');

    await ports.transactions.save(advance(purchase, 'no Pix payment within 30 minutes', AT)!);
    await resumeIfMoved(await reread(ports, purchase), machine);

    const status = await eventually(
      () => executionStatus(purchase.id),
      (found) => found !== 'RUNNING',
    );
    expect(status).toBe('SUCCEEDED');
  });

  test('gives its own token back if the purchase has already ended', async () => {
    const ports = openPorts(sandboxTables());
    const machine = realMachine();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');

    await machine.start(purchase.id, 'AWAITING_PIX', 0);

    const status = await eventually(
      () => executionStatus(purchase.id),
      (found) => found !== 'RUNNING',
    );
    expect(status).toBe('SUCCEEDED');
    expect((await reread(ports, purchase)).wait?.status).toBe('AWAITING_PIX');
  });

  test('is not resumed once its execution has ended', async () => {
    const ports = openPorts(sandboxTables());
    const machine = realMachine();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    await machine.start(purchase.id, 'AWAITING_PIX', 0);
    await eventually(
      () => executionStatus(purchase.id),
      (found) => found !== 'RUNNING',
    );

    await resumeIfMoved(await reread(ports, purchase), machine);

    expect(await machine.isRunning(purchase.id, 0)).toBe(false);
    expect(await machine.isRunning(purchase.id, 1)).toBe(false);
  });
});
