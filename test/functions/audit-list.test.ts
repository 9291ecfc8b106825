import { describe, expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';

/** A world in which Ana has proposed to lift a block, and Rui has approved it. */
async function lifted() {
  const { ops, blocked, proposed } = actWorld();
  const id = await proposed(await blocked());
  await ops('rui', `acts approve ${id}`);
  return { ops, id };
}

/** The persons of an act that Ana has proposed, as a table shows them: its author, and the second. */
async function personsAfter(by: string, decision: string): Promise<string[]> {
  const { ops, blocked, proposed } = actWorld();
  const id = await proposed(await blocked());
  const role = by === 'ana' ? 'operator' : 'compliance';
  await ops(by, `acts ${decision} ${id}`, { role });
  const lines = (await ops('bia', 'audit list')).split('\n');
  const cells = lines.map((line) => line.split(/ {2,}/));
  const { who, second } = Object.fromEntries(
    cells[0]!.map((name, at) => [name.toLowerCase(), cells[1]![at]!]),
  );
  return [who!, second!];
}

// docs/operations.md, "Two persons"
describe('the second person of an act', () => {
  test.each([
    ['who approved it', 'rui', 'approve', 'rui'],
    ['who refused it', 'rui', 'withdraw', 'rui'],
    ['nobody, if its author withdrew it', 'ana', 'withdraw', '-'],
  ])('is %s', async (_, by, decision, second) => {
    expect(await personsAfter(by, decision)).toEqual(['ana', second]);
  });
});

// docs/operations.md, "Two persons"
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
