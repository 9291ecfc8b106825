import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { resumeIfMoved } from '../../functions/logic/purchase/waits.ts';
import { issued } from '../support/builders.ts';
import { aPurchaseIn, openPorts, putPurchaseIn, reread, START_AT, type TestPorts } from '../support/ports.ts';
import { executionStatus, realMachine, waitIn } from '../support/real-machine.ts';
import { sandboxTables } from '../support/tables.ts';

const AT = { now: START_AT, minuteMs: 60_000 };
const world = () => ({ ...openPorts(sandboxTables()), machine: realMachine() });

async function clearAuthentication(ports: Pick<TestPorts, 'transactions'>, purchase: Transaction) {
  await ports.transactions.save(advance(purchase, 'MFA code accepted', AT, issued(purchase))!);
}

/** Ends the purchase in its wait, so that the shared machine has nothing left to do. */
async function end(ports: ReturnType<typeof world>, id: string): Promise<void> {
  const purchase = (await ports.transactions.findTransaction(id))!;
  await ports.transactions.save(advance(purchase, 'no Pix payment within 30 minutes', AT)!);
  await resumeIfMoved((await ports.transactions.findTransaction(id))!, ports.machine);
}

describe('AwaitAuthentication', () => {
  test('stores its token, and continues when it gets the token back with the new status', async () => {
    const ports = world();
    const purchase = await putPurchaseIn({ ...openPorts(sandboxTables()) }, 'AWAITING_MFA');
    await ports.machine.start(purchase.id, 'AWAITING_MFA', 0);
    const first = await waitIn(ports, purchase.id, 'AWAITING_MFA');

    await clearAuthentication(ports, purchase);
    await resumeIfMoved((await ports.transactions.findTransaction(purchase.id))!, ports.machine);

    const second = await waitIn(ports, purchase.id, 'AWAITING_PIX');
    expect(second.token).not.toBe(first.token);
    await end(ports, purchase.id);
  });

  test('is resumed once by five functions that give the token back at once', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(openPorts(sandboxTables()), 'AWAITING_MFA');
    await ports.machine.start(purchase.id, 'AWAITING_MFA', 0);
    const { token } = await waitIn(ports, purchase.id, 'AWAITING_MFA');
    await clearAuthentication(ports, purchase);
    const news = { transactionId: purchase.id, status: 'AWAITING_PIX' } as const;

    await Promise.all(Array.from({ length: 5 }, () => ports.machine.resume(token, news)));

    const wait = await waitIn(ports, purchase.id, 'AWAITING_PIX');
    await ports.machine.resume(token, news);
    expect(await executionStatus(purchase.id)).toBe('RUNNING');
    expect((await ports.transactions.findTransaction(purchase.id))!.wait).toEqual(wait);
    await end(ports, purchase.id);
  });

  test('gives its own token back if the code was faster', async () => {
    const ports = world();
    const stores = openPorts(sandboxTables());
    const purchase = await stores.transactions.create(aPurchaseIn('AWAITING_MFA'));
    await clearAuthentication(ports, purchase);

    await ports.machine.start(purchase.id, 'AWAITING_MFA', 0);

    await waitIn(ports, purchase.id, 'AWAITING_PIX');
    expect((await reread(stores, purchase)).status).toBe('AWAITING_PIX');
    await end(ports, purchase.id);
  });
});
