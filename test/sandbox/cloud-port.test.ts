import { expect, test } from 'vitest';
import { startFront } from '../../sandbox/cloud/front.ts';

test('AWS’s services answer where they are asked to, and elsewhere when another sandbox is there', async () => {
  const first = await startFront();
  const port = Number(new URL(first.endpoint).port);

  const second = await startFront(port);
  expect(second.endpoint).not.toBe(first.endpoint);
  await first.stop();
  const third = await startFront(port);

  expect(third.endpoint).toBe(first.endpoint);
  await Promise.all([second.stop(), third.stop()]);
});
