import { describe, expect, test } from 'vitest';
import { afterAttempt, BACKOFF_MINUTES, isDue, openDelivery } from '../../functions/domain/deliveries.ts';
import { AT, MINUTE_MS, NOW } from '../support/builders.ts';

const fresh = openDelivery('event.1', 'endpoint');

describe('afterAttempt', () => {
  test.each([200, 204, 299])('is done with %i', (statusCode) => {
    expect(afterAttempt(fresh, statusCode, AT)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  });

  test.each([undefined, 100, 301, 400, 410, 500])('tries again after %s', (statusCode) => {
    const next = afterAttempt(fresh, statusCode, AT);

    expect(next).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(next.nextAttemptAt).toBe(NOW + BACKOFF_MINUTES[0] * MINUTE_MS);
  });

  test('waits longer each time, over three days, then parks', () => {
    let delivery = fresh;
    const waits: number[] = [];
    while (delivery.status === 'PENDING') {
      delivery = afterAttempt(delivery, 500, AT);
      if (delivery.nextAttemptAt) waits.push(delivery.nextAttemptAt - NOW);
    }

    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(total / MINUTE_MS / 60 / 24).toBeGreaterThan(3);
    expect(delivery).toMatchObject({ status: 'PARKED', attempts: BACKOFF_MINUTES.length + 1 });
    expect(delivery.nextAttemptAt).toBeUndefined();
  });
});

describe('isDue', () => {
  test('holds for what is pending and whose time has come', () => {
    expect(isDue(fresh, NOW)).toBe(true);
    expect(isDue({ ...fresh, nextAttemptAt: NOW }, NOW)).toBe(true);
    expect(isDue({ ...fresh, nextAttemptAt: NOW + 1 }, NOW)).toBe(false);
    expect(isDue({ ...fresh, status: 'DELIVERED' }, NOW)).toBe(false);
    expect(isDue({ ...fresh, status: 'PARKED' }, NOW)).toBe(false);
  });
});
