import { describe, expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';

/** Ana has proposed to lift a block, and Rui has approved it. */
async function lifted() {
  const { ops, blocked, proposed } = actWorld();
  const id = await proposed(await blocked());
  await ops('rui', `acts approve ${id}`);
  return { ops, id };
}

// docs/decisions.md, "Two pairs of eyes"
describe('audit list', () => {
  test.each([
    ['the operator', 'RUI'],
    ['the reason', 'mistaken'],
    ['the state before', 'stolen document'],
    ['the state after', '"state":"LIFTED"'],
  ])('finds an act by a part of %s', async (_, text) => {
    const { ops, id } = await lifted();

    expect(await ops('bia', 'audit list', { flags: { text } })).toContain(id);
  });

  test.each(['%', '.*', 'x'.repeat(10_000)])('finds nothing by a text that no event has', async (text) => {
    const { ops } = await lifted();

    expect(await ops('bia', 'audit list', { flags: { text } })).toBe('No operator did such a thing.');
  });
});
