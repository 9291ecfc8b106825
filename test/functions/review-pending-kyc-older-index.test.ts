import { beforeEach, describe, expect, test } from 'vitest';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aPurchaseIn } from '../support/ports.ts';
import { approvedClient, events, indexOf, onList, openWorld, recordOf } from '../support/rescreening.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

/** A client with a paid purchase, whom the lists of the second day name. The rescreening makes the record PENDING. */
async function held() {
  const world = openWorld(tables);
  const { ports } = world;
  const { token, clientId, partner, cpf } = await approvedClient(world);
  const purchase = aPurchaseIn('PROCESSING', { kycToken: token, clientId, partnerId: partner.id });
  await ports.transactions.create(purchase);
  world.publish(2, { [cpf]: [onList('OFAC_SDN', 0.8)] });
  ports.clock.advance(MINUTE_MS);
  await rescreenClients(ports);
  expect(await recordOf(ports, { token })).toMatchObject({ status: 'PENDING' });
  const visit = () => {
    ports.clock.advance(1000);
    return checkWalletRisk({ transactionId: purchase.id }, ports);
  };
  const review = () => {
    ports.clock.advance(MINUTE_MS);
    return reviewPendingKyc(ports);
  };
  return { world, ports, token, cpf, visit, review };
}

describe('a client who is held by an index that can no longer be opened', () => {
  test('is not released by the copy of the deployment, which does not know the entry', async () => {
    const { world, ports, token, cpf, review } = await held();
    const record = await recordOf(ports, { token });
    // As after a submission while the wallets' oracle was silent: every source is asked again.
    await ports.kycReviews.saveOpen(
      token,
      { unanswered: ['WALLET_ORACLE'], openPairs: record.openPairs! },
      [],
    );
    world.publish(1, { [cpf]: [] }, 'BUNDLED');

    await review();
    await review();

    expect(await recordOf(ports, { token })).toMatchObject({
      status: 'PENDING',
      openPairs: record.openPairs,
      screenedWith: indexOf(2).version,
    });
    expect(await events(ports)).toMatchObject([{ type: 'kyc.pending' }]);
    world.publish(2, { [cpf]: [onList('OFAC_SDN', 0.8)] });
    for (let at = 0; at < 5; at++) await review();
    expect(await recordOf(ports, { token })).toMatchObject({ status: 'PENDING', unanswered: [] });
  });

  test('is refused if the copy has the entry', async () => {
    const { world, ports, token, cpf, review } = await held();
    const { openPairs } = await recordOf(ports, { token });
    await ports.kycReviews.saveOpen(token, { unanswered: ['WALLET_ORACLE'], openPairs: openPairs! }, []);
    world.publish(1, { [cpf]: [onList('UN_SC')] }, 'BUNDLED');

    await review();
    await review();

    expect(await recordOf(ports, { token })).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });

  test('is not settled by a search in the copy of the deployment', async () => {
    const { world, ports, token, cpf, visit } = await held();
    world.publish(3, { [cpf]: [] });
    const findIndex = ports.sanctions.findIndex;
    // A new instance: the publication can be read, its index cannot.
    ports.sanctions.findIndex = async () => {
      const newest = await findIndex();
      world.publish(1, {}, 'BUNDLED');
      ports.sanctions.findIndex = findIndex;
      return newest;
    };

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await recordOf(ports, { token })).toMatchObject({
      status: 'PENDING',
      screenedWith: indexOf(2).version,
    });
  });
});
