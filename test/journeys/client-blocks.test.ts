import { describe, expect, test } from 'vitest';
import { moneyCaseStore } from '../../functions/adapters/dynamodb/money-cases.ts';
import { type MoneyCase, openMoneyCase } from '../../functions/domain/books/money-case.ts';
import { dice as random } from '../support/dice.ts';
import { operations } from '../support/operations.ts';
import {
  type ApprovedClient,
  approvedClient,
  expectRefusal,
  initiate,
  rowsWhere,
} from '../support/partner-api.ts';
import { newEndToEndId, newId } from '../support/ports.ts';
import { aPurchase } from '../support/requests.ts';
import { sandboxTables } from '../support/tables.ts';

const { ops, opsAs } = operations();
const WHY = ['--reason', 'the bank withdrew its claim'];

/** A payment of the client that its bank has taken back, as reconciliation finds it. */
async function takenBack({ partnerId }: ApprovedClient): Promise<MoneyCase> {
  const { client, names } = sandboxTables();
  const [row] = await rowsWhere('TablesClients', (each) => each.partnerId === partnerId);
  const endToEndId = newEndToEndId();
  const found = openMoneyCase({
    kind: 'MED_REFUND',
    key: `${endToEndId}#D1`,
    openedAt: Date.now(),
    transactionId: newId(),
    partnerId,
    clientId: String(row!.id),
    endToEndId,
    amountCentavos: 50_000_00,
    facts: { nature: 'MED_FRAUDE', returnId: 'D1', at: Date.now(), from: 'losses' },
  });
  await moneyCaseStore(client, names, random).open(found);
  return found;
}
const begin = ({ apiKey, kycToken }: ApprovedClient) => initiate(apiKey, aPurchase(kycToken));
const blocked = (...more: string[]) => ops(['clients', 'blocked', ...more]);

describe.concurrent('a client whose payment the bank took back', () => {
  // docs/decisions.md, "MED refunds and fraud"
  test('stays blocked when the case is closed as LOST, until the block is lifted with name and reason', async () => {
    const client = await approvedClient();
    const { id, clientId } = await takenBack(client);
    expectRefusal(await begin(client), 'CLIENT_BLOCKED', {});

    const lost = ['--outcome', 'LOST', '--reason', 'nobody answers', '--yes'];
    const closed = await opsAs('rui@onramp.example')(['cases', 'close', id, ...lost]);

    expect(closed).toMatchObject({ code: 0, err: expect.stringContaining('the client stays blocked') });
    expectRefusal(await begin(client), 'CLIENT_BLOCKED', {});
    const { out } = await blocked('--partner', client.partnerId, '--cpf', client.cpf);
    for (const part of [id, clientId!, 'R$50,000.00', 'case CLOSED as LOST by rui@onramp.example'])
      expect(out).toContain(part);
    expect((await ops(['cases', 'show', id])).out).toMatch(/^client +blocked/m);
    expect((await ops(['cases', 'list', '--closed'])).out).toContain(id);

    const lifted = await ops(['clients', 'unblock', id, ...WHY], `${id}\n`);

    expect(lifted).toMatchObject({
      code: 0,
      out: `The block of ${id} is lifted: the client buys again.\n`,
      err: expect.stringContaining('whose case is CLOSED as LOST'),
    });
    expect((await begin(client)).status).toBe(200);
    expect((await blocked('--partner', client.partnerId)).out).not.toContain(id);
    const record = 'block LIFTED by ana@onramp.example, ';
    expect((await blocked('--lifted', '--partner', client.partnerId)).out).toContain(record);
    expect((await ops(['cases', 'show', id])).out).toContain(record);
    const [operation] = await rowsWhere(
      'TablesEvidence',
      ({ id: row, inputs }) =>
        String(row).startsWith(`${id}#`) && (inputs as { command: string }).command === 'clients unblock',
    );
    expect(operation).toMatchObject({
      clientId,
      decidedBy: 'ana@onramp.example',
      decision: { reason: 'the bank withdrew its claim', outcome: 'ORDERED' },
    });
  });

  test('stays blocked until both of two blocks are lifted', async () => {
    const client = await approvedClient();
    const [one, other] = [await takenBack(client), await takenBack(client)];

    const first = await ops(['clients', 'unblock', one.id, ...WHY, '--yes']);

    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`stays blocked for ${other.id}`) });
    expect(first.err).toContain('whose case is still OPEN');
    expectRefusal(await begin(client), 'CLIENT_BLOCKED', {});
    expect((await ops(['clients', 'unblock', other.id, ...WHY, '--yes'])).code).toBe(0);
    expect((await begin(client)).status).toBe(200);
  });

  test('is not freed without a reason or a confirmation, and only once', async () => {
    const client = await approvedClient();
    const { id } = await takenBack(client);
    const unblock = ['clients', 'unblock', id];

    expect(await ops([...unblock, '--yes'])).toMatchObject({ code: 2 });
    expect(await ops([...unblock, ...WHY], 'no\n')).toMatchObject({ code: 1 });
    expect(await ops(['clients', 'unblock', 'MED_REFUND#nothing', ...WHY])).toMatchObject({ code: 1 });
    expectRefusal(await begin(client), 'CLIENT_BLOCKED', {});
    expect(await ops([...unblock, ...WHY, '--yes'])).toMatchObject({ code: 0 });
    const again = await opsAs('rui@onramp.example')([...unblock, '--reason', 'x', '--yes']);

    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('LIFTED by ana@onramp.example') });
  });
});
