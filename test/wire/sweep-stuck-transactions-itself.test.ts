import { expect, test } from 'vitest';
import { instantOf } from '../../functions/domain/ports.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { resumeIfMoved } from '../../functions/logic/purchase/waits.ts';
import { openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { executionStatus, realMachine, waitIn } from '../support/real-machine.ts';
import { eventually } from '../support/sandbox.ts';
import { sandboxTables } from '../support/tables.ts';

test('the deployed schedule starts an execution for a purchase without one', async () => {
  const ports = openPorts(sandboxTables());
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', { nextCheckAt: 1 });

  await waitIn(ports, purchase.id, 'AWAITING_PIX');

  expect(await executionStatus(purchase.id, 1)).toBe('RUNNING');
  expect((await reread(ports, purchase)).executions).toBe(1);
  await ports.transactions.save(
    advance(await reread(ports, purchase), 'no Pix payment within 30 minutes', instantOf(ports.clock))!,
  );
  await resumeIfMoved(await reread(ports, purchase), realMachine());
  await eventually(
    () => executionStatus(purchase.id, 1),
    (status) => status === 'SUCCEEDED',
  );
});
