import { describe, expect, test } from 'vitest';
import { pairOf } from '../../functions/domain/screening/review-case.ts';
import type { Flags } from '../../operations/command.ts';
import { actWorld } from '../support/act-world.ts';
import { aClient, aKycRecord, anEvidence, aPartner, MINUTE_MS } from '../support/builders.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { type DeathAt, mortalClient } from '../support/mortal-client.ts';
import { newEndToEndId, newId } from '../support/ports.ts';

type World = ReturnType<typeof actWorld>;
/** The call that proposes the act, and the state that it changes. */
type Asked = { words: string; flags?: Flags; state(): Promise<unknown> };

const CANDIDATE = {
  list: 'OFAC_SDN',
  entryId: '9001',
  entryVersion: '2e7047584874c49c',
  listed: 'a listed one',
  score: 0.8,
  threshold: 0.9,
  zone: 'REVIEW',
  explanation: 'name equal, birth date differs',
} as const;

async function aReview({ ports }: World, verb: string): Promise<Asked> {
  const [clientId, id] = [newId(), newId()];
  const pair = pairOf({ personHash: clientId.padEnd(32, '0') }, CANDIDATE);
  await ports.clients.create(aClient({ id: clientId }));
  const record = aKycRecord({
    token: newId(),
    clientId,
    status: 'PENDING',
    nextCheckAt: 1,
    openPairs: [pair],
  });
  const index = {
    version: '2026-11-20T00:00:00.000Z',
    digest: 'ab'.repeat(32),
    source: 'PUBLISHED',
  } as const;
  const found = {
    id,
    pair,
    clientId,
    partnerId: 'demo',
    token: record.token,
    candidate: CANDIDATE,
    index,
    opened: 'PENDING',
    status: 'OPEN',
    openedAt: record.issuedAt,
  } as const;
  const evidence = anEvidence('kyc', { subject: record.token, at: record.issuedAt });
  await ports.kycRecords.create(record, evidence, { cases: [found] });
  return { words: `reviews ${verb} ${id}`, state: () => ports.cases.findCase(id) };
}

async function aCaseOf({ ports }: World, kind: 'REFUND_FAILED' | 'MED_REFUND') {
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}` });
  const clientId = newId();
  await ports.clients.create(aClient({ id: clientId, partnerId: partner.id }));
  const subject = { transactionId: newId(), partnerId: partner.id, clientId, endToEndId: newEndToEndId() };
  const found = aMoneyCase(kind, newEndToEndId(), {
    ...subject,
    openedAt: ports.clock.now(),
    amountCentavos: 250_00,
  });
  await ports.moneyCases.open(found);
  return { id: found.id, state: () => ports.moneyCases.findCase(found.id) };
}

async function aPartnerOf({ ports }: World) {
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}`, keyIds: [] });
  await ports.register.create(partner);
  return partner;
}

const ACTS: Readonly<Record<string, (world: World) => Promise<Asked>>> = {
  'reviews clear': (world) => aReview(world, 'clear'),
  'reviews confirm': (world) => aReview(world, 'confirm'),
  async 'cases close RETURNED_OUTSIDE'(world) {
    const { id, state } = await aCaseOf(world, 'REFUND_FAILED');
    return { words: `cases close ${id}`, flags: { outcome: 'RETURNED_OUTSIDE', amount: '250.00' }, state };
  },
  async 'clients unblock'(world) {
    const { id, state } = await aCaseOf(world, 'MED_REFUND');
    return { words: `clients unblock ${id}`, state };
  },
  async 'keys create'(world) {
    const { id } = await aPartnerOf(world);
    return { words: `keys create ${id}`, state: () => world.ports.partners.findKey(id, 'key1') };
  },
};

async function proposedWorld(name: string) {
  const world = actWorld();
  const { words, flags, state } = await ACTS[name]!(world);
  const before = await state();
  const said = await world.ops('ana', words, { role: 'admin', flags });
  const id = said.split('\n')[0]!;
  const approve = (death?: DeathAt) => {
    const { client } = world.tables;
    const tables = { ...world.tables, client: death ? mortalClient(client, death) : client };
    return world.ops('rui', `acts approve ${id}`, { role: 'admin', tables }).catch((error: Error) => error);
  };
  return { ...world, id, before, state, approve, kinds: async () => (await world.kindsOf(id))! };
}

// docs/decisions.md, "Two pairs of eyes"
describe.each(Object.keys(ACTS))('the act %s', (name) => {
  test('changes nothing until another person approves it', async () => {
    const { before, state, approve, kinds } = await proposedWorld(name);

    expect(await kinds()).toEqual(['PROPOSED']);
    expect(await state()).toEqual(before);
    await approve();
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
    expect(await state()).not.toEqual(before);
  });

  test.each([false, true])(
    'is done once if its run dies at any call, after the effect: %s',
    async (isAfter) => {
      for (let call = 1; call < 60; call++) {
        const { approve, kinds, state, before, ports } = await proposedWorld(name);
        const died = await approve({ call, isAfter });
        if (!(died instanceof Error)) return;
        const made = await state();
        const isMade = JSON.stringify(made) !== JSON.stringify(before);
        ports.clock.advance(MINUTE_MS);

        await approve();

        expect((await kinds()).at(-1), `${call}: ${await kinds()}`).toBe('DONE');
        expect((await kinds()).filter((kind) => kind === 'APPROVED')).toHaveLength(1);
        expect(await state()).not.toEqual(before);
        if (isMade) expect(await state()).toEqual(made);
      }
      throw new Error('more calls than an approval may make');
    },
  );
});
