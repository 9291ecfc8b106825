import { describe, expect, test } from 'vitest';
import type { PolicyChanges } from '../../functions/domain/acts/act-policy.ts';
import { ACT_RULES, type ActName, type ActRule } from '../../functions/domain/acts/act-rules.ts';
import { operations } from '../support/operations.ts';
import { randomCpf } from '../support/sandbox.ts';

/** Production's rules about the second person, in the sandbox. */
const acts = Object.fromEntries(
  Object.entries(ACT_RULES as Record<ActName, ActRule>).map(([name, { second }]) => [
    name,
    second ? { second } : {},
  ]),
);
const { opsAs } = operations({ acts } as PolicyChanges);
const [ana, rui, bia] = ['ana@onramp.example', 'rui@onramp.example', 'bia@onramp.example'].map(opsAs);
const WHY = ['--reason', 'mistaken identity'];
const actIn = ({ out }: { out: string }) => out.split('\n')[0]!;

async function aBlock(): Promise<string> {
  const block = ['fraud', 'block', '--cpf', randomCpf(), '--reason', 'stolen document', '--yes'];
  const { out } = await bia!(block);
  return /[0-9a-f]{64}/.exec(out)![0];
}

// docs/operations.md, "Two persons"
describe.concurrent('a block of fraud', () => {
  test('is lifted by two persons, of whom one proposes and the other approves', async () => {
    const person = await aBlock();

    const proposed = await ana!(['fraud', 'lift', person, ...WHY], 'yes\n');

    expect(proposed).toMatchObject({
      code: 0,
      err: expect.stringContaining('once another compliance has approved'),
    });
    const act = actIn(proposed);
    expect((await bia!(['fraud', 'list', '--json'])).out).toContain(person);
    expect(await ana!(['acts', 'approve', act, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('another person must approve it'),
    });
    expect((await rui!(['acts', 'list'])).out).toMatch(
      new RegExp(`^${act} +fraud lift +${person} +PROPOSED`, 'm'),
    );
    expect((await rui!(['acts', 'show', act.slice(0, 6)])).out).toContain('"state":"ACTIVE"');
    const approved = await rui!(['acts', 'approve', act.slice(0, 6)], `${act}\n`);
    expect(approved).toMatchObject({
      code: 0,
      out: `The block of ${person} is lifted.\n`,
      err: expect.stringContaining('as ana@onramp.example proposed, because: mistaken identity'),
    });
    expect((await bia!(['fraud', 'list', '--lifted'])).out).toContain(
      'LIFTED by ana@onramp.example with rui@onramp.example',
    );
    const { out } = await bia!(['audit', 'list', '--subject', person]);
    expect(out).toMatch(
      new RegExp(`${act} +fraud lift +${person} +DONE +ana@\\S+ +rui@\\S+ .* mistaken identity`),
    );
    expect(out).toMatch(/fraud block +\S+ +DONE +bia@onramp.example +- /);
    expect((await bia!(['audit', 'list', '--who', 'rui', '--act', 'LIFT', '--since', '1h'])).out).toContain(
      act,
    );
    expect(await rui!(['acts', 'approve', act, '--yes'])).toMatchObject({ code: 1 });
  });

  test('is lifted once if two persons approve at once', async () => {
    const person = await aBlock();
    const act = actIn(await ana!(['fraud', 'lift', person, ...WHY, '--yes']));

    const ends = await Promise.all([rui!, bia!].map((ops) => ops(['acts', 'approve', act, '--yes'])));

    expect(ends.map(({ code }) => code).sort()).toEqual([0, 1]);
    const [told] = JSON.parse(
      (await bia!(['audit', 'list', '--act', 'fraud lift', '--subject', person, '--json'])).out,
    );
    expect(told.events.map(({ kind }: { kind: string }) => kind)).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
  });

  test('stays once the proposal was withdrawn', async () => {
    const person = await aBlock();
    const act = actIn(await ana!(['fraud', 'lift', person, ...WHY, '--yes']));

    expect(
      await ana!(['acts', 'withdraw', act, '--reason', 'it was the right person', '--yes']),
    ).toMatchObject({ code: 0 });

    expect(await rui!(['acts', 'approve', act, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('WITHDRAWN by ana@onramp.example'),
    });
    expect((await bia!(['fraud', 'list', '--json'])).out).toContain(person);
  });
});

describe('a key', () => {
  test('is shown to the one who approves it, alone on the standard output', async () => {
    const partner = `p${randomCpf()}`;
    await ana!(['partners', 'create', partner, '--name', 'Two', '--spread', '100', '--yes']);

    const act = actIn(await ana!(['keys', 'create', partner, '--reason', 'go-live', '--yes']));
    const { out } = await rui!(['acts', 'approve', act, '--yes']);

    expect(out).toMatch(/^sk_sandbox_\S+\n$/);
    const audited = await bia!(['audit', 'list', '--subject', partner, '--json']);
    expect(audited.out).not.toContain(out.trim());
    expect(audited.out).toContain('"keyId": "key1"');
  });
});

describe('audit list', () => {
  test('says so if nothing fits, and refuses a time that ends before it begins', async () => {
    expect((await ana!(['audit', 'list', '--subject', '%'])).out).toBe('No operator did such a thing.\n');
    expect((await ana!(['audit', 'list', '--subject', 'x'.repeat(10_000)])).out).toBe(
      'No operator did such a thing.\n',
    );
    expect(await ana!(['audit', 'list', '--since', 'today', '--until', '2020-01-01'])).toMatchObject({
      code: 2,
    });
  });
});
