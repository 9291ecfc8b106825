import { expect, test } from 'vitest';
import { startFront } from '../../sandbox/cloud/front.ts';

test('AWS’s services answer on the wanted port, or on another one when a second sandbox uses it', async () => {
  const first = await startFront();
  const port = Number(new URL(first.endpoint).port);

  const second = await startFront(port);
  expect(second.endpoint).not.toBe(first.endpoint);
  await first.stop();
  const third = await startFront(port);

  expect(third.endpoint).toBe(first.endpoint);
  await Promise.all([second.stop(), third.stop()]);
});
