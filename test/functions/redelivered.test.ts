import { describe, expect, test } from 'vitest';
import { openDelivery, parked } from '../../functions/domain/partners/deliveries.ts';
import { actWorld } from '../support/act-world.ts';
import { aPartner } from '../support/builders.ts';
import { newId, START_AT } from '../support/ports.ts';

const ENDPOINT = { id: 'one', url: 'https://partner.example/hook', addedAt: START_AT, secrets: [] };

describe('deliveries redeliver', () => {
  test.each([
    [1, '1 delivery is queued within a minute.'],
    [3, '3 deliveries are queued within a minute.'],
    [501, '501 deliveries are queued within 2 minutes, 500 in each.'],
  ])('says when %d are queued', async (count, words) => {
    const { ports, ops } = actWorld();
    const partnerId = `p${newId().slice(-12).toLowerCase()}`;
    const webhookEndpoints = [ENDPOINT] as never;
    await ports.register.create(aPartner({ id: partnerId, keyIds: [], webhookEndpoints }));
    for (let place = 0; place < count; place++) {
      const opened = openDelivery({ id: `${newId()}.1`, partnerId, at: START_AT }, ENDPOINT.id);
      await ports.deliveries.save(parked(opened, START_AT));
    }

    const said = await ops('ana', 'deliveries redeliver', {
      role: 'operator',
      flags: { partner: partnerId, parked: true },
    });

    expect(said.split('\n').at(-1)).toBe(words);
  });
});
