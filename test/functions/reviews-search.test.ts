import { beforeAll, describe, expect, test } from 'vitest';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import type { Flags } from '../../operations/command.ts';
import { actWorld } from '../support/act-world.ts';
import { aPartner } from '../support/builders.ts';
import { START_AT } from '../support/ports.ts';
import { CANDIDATE, openCase } from '../support/review-cases.ts';
import { allRowsIn } from '../support/tables.ts';

const DAY_MS = 24 * 60 * 60_000;
const CPF = '52998224725';

/** A person who is a client of two partners, with a case at each, and other decided cases. */
async function searchWorld() {
  const world = actWorld();
  const { ports } = world;
  for (const id of ['acme', 'other']) await ports.register.create(aPartner({ id }));
  const decide = async (
    changes: Parameters<typeof openCase>[1],
    status: 'CLEARED' | 'CONFIRMED',
    [decidedBy, days]: [string, number],
  ) => {
    const { id } = await openCase(ports, changes);
    const decidedAt = START_AT - days * DAY_MS;
    await ports.cases.decide(id, { status, decidedBy, decidedAt, reason: 'looked at' });
    return id;
  };
  const of = async (partnerId: string) => ({
    partnerId,
    clientId: await clientIdOf({ partnerId, cpf: CPF }, ports.lookup),
  });
  const listed = (entryId: string, name: string) => ({
    candidate: { ...CANDIDATE, list: 'UN_SC' as const, entryId, listed: name },
  });
  const ids = {
    atAcme: await decide(await of('acme'), 'CLEARED', ['ana with rui', 1]),
    atOther: await decide(await of('other'), 'CONFIRMED', ['bia with rui', 900]),
    jose: await decide(listed('QDi.001', 'JOSÉ AÇAÍ'), 'CONFIRMED', ['bia with caio', 40]),
    old: await decide(listed('QDi.001', 'JOSÉ AÇAÍ'), 'CLEARED', ['bia with caio', 400]),
  };
  await openCase(ports, await of('acme'));
  const found = async (flags: Flags) => {
    const said = await world.ops('ana', 'reviews search', { flags: { ...flags, json: true } });
    return (JSON.parse(said) as { case: string }[]).map((each) => each.case);
  };
  return { ...world, ids, found };
}

let world: Awaited<ReturnType<typeof searchWorld>>;
beforeAll(async () => {
  world = await searchWorld();
});

type Name = 'atAcme' | 'atOther' | 'jose' | 'old';

// docs/operations.md, "Review cases"
describe('reviews search', () => {
  test.each<[Flags, Name[]]>([
    [{}, ['atAcme', 'jose']],
    [{ since: '1000d' }, ['atAcme', 'jose', 'old', 'atOther']],
    [{ since: '500d', until: '30d' }, ['jose', 'old']],
    [{ cpf: '529.982.247-25' }, ['atAcme', 'atOther']],
    [{ cpf: CPF, since: '30d' }, ['atAcme']],
    [{ cpf: CPF, partner: 'other' }, ['atOther']],
    [{ list: 'UN_SC' }, ['jose']],
    [{ entry: 'qdi.001', since: '500d' }, ['jose', 'old']],
    [{ name: 'acai jose' }, ['jose']],
    [{ who: 'RUI' }, ['atAcme']],
    [{ decision: 'CONFIRMED' }, ['jose']],
    [{ decision: 'CLOSED' }, []],
    [{ name: '%' }, []],
    [{ name: 'x'.repeat(10_000) }, []],
  ])('by %j finds %j', async (flags, names) => {
    expect(await world.found(flags)).toEqual(names.map((name) => world.ids[name]));
  });

  test.each<[Flags, string]>([
    [{ cpf: '11111111111' }, 'That is no CPF'],
    [{ list: 'OFAC' }, '--list is one of OFAC_SDN'],
    [{ decision: 'OPEN' }, '--decision is one of CLEARED, CONFIRMED, CLOSED'],
    [{ partner: 'nobody' }, 'There is no partner nobody'],
    [{ since: '1d', until: '2d' }, '--since must be before --until'],
    [{ who: ' ' }, '--who is missing'],
  ])('refuses %j', async (flags, words) => {
    expect(await world.ops('ana', 'reviews search', { flags })).toContain(words);
  });

  test('is recorded under the person, without the CPF and without the searched name', async () => {
    const { ops, tables } = await searchWorld();

    await ops('ana', 'reviews search', { flags: { cpf: CPF, name: 'maria da silva' } });

    const rows = await allRowsIn(tables);
    const recorded = rows.filter(({ kind, decidedBy }) => kind === 'operation' && decidedBy === 'ana');
    expect(recorded).toMatchObject([
      { inputs: { command: 'reviews search', options: ['cpf', 'name'], personId: expect.any(String) } },
    ]);
    for (const secret of [CPF, 'maria da silva']) expect(JSON.stringify(recorded)).not.toContain(secret);
    expect(await ops('ana', 'reviews search', { role: 'operator' })).toContain('may not do that');
  });

  test.each<[Flags, RegExp]>([
    [{}, /^will +search decided cases without an option$/m],
    [{ name: 'maria', since: '30d' }, /^will +search decided cases by name, since$/m],
    [{ cpf: CPF }, /^will +of the person [0-9a-f]{64}$/m],
  ])('by %j is an act that says what was searched', async (flags, words) => {
    const { ops } = await searchWorld();
    await ops('ana', 'reviews search', { flags });
    const listed = await ops('ana', 'audit list', { role: 'admin', flags: { json: true } });
    const [{ act }] = JSON.parse(listed) as [{ act: string }];

    const shown = await ops('ana', `acts show ${act}`, { role: 'admin' });

    expect(shown).toMatch(words);
    for (const secret of [CPF, 'maria']) expect(shown).not.toContain(secret);
  });
});
