import { expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';
import { openOwedCase } from '../support/money-cases.ts';
import { START_AT } from '../support/ports.ts';

test('unmatched list shows the amount as all commands do', async () => {
  const { ports, ops } = actWorld();
  const { endToEndId } = await openOwedCase(ports, { now: START_AT });

  const shown = await ops('ana', 'unmatched list', { role: 'operator' });

  expect(shown).toMatch(new RegExp(`^${endToEndId} .* R\\$250\\.00 `, 'm'));
});
