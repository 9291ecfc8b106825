import { describe, expect, it } from 'vitest';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { type DataSubjectWorld, dataSubject } from '../support/data-subject.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newEndToEndId, newId, START_AT } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';

const PARTS = ['purchases', 'kycRecords', 'reviewCases', 'moneyCases', 'blocks', 'holds'];
type Told = Record<string, Record<string, string>[]>;

const shown = ({ ops, cpf }: DataSubjectWorld, flags: object = {}) =>
  ops('ana', 'subject show', { typed: cpf, flags });
const dataOf = async (world: DataSubjectWorld): Promise<Told> =>
  JSON.parse(await shown(world, { json: true }));

/** Adds a review case, a money case that blocks, a block and a hold to the person. */
async function withAll() {
  const world = await dataSubject();
  const { ports, partnerId, clientId, personId, purchase, put } = world;
  const candidate = { list: 'OFAC_SDN', entryId: '4711', listed: 'MARIA SILVA' };
  const review = { id: newId(), partnerId, clientId, status: 'OPEN', openedAt: START_AT, candidate };
  await put('cases', review);
  const about = { partnerId, clientId, transactionId: purchase.id, openedAt: START_AT };
  const money = aMoneyCase('REFUND_FAILED', newEndToEndId(), { ...about, amountCentavos: 250_00 });
  await ports.moneyCases.open(money);
  const order = { by: 'rui', at: START_AT, reason: 'order 4711' };
  await ports.personBlocks.block({ id: personId, state: 'ACTIVE', ...order });
  await ports.litigationHolds.hold({ personId, clientIds: [clientId], state: 'HELD', ...order });
  return { ...world, review, money };
}

// docs/operations.md, "A client's rights"
describe('subject show', () => {
  it('has purchases, KYC records, cases, block and hold of a CPF at all partners', async () => {
    const world = await withAll();
    const { purchase, partnerId, review, money, personId } = world;

    const told = await dataOf(world);

    expect(Object.keys(told)).toEqual(PARTS);
    expect(told).toMatchObject({
      purchases: [{ purchase: purchase.id, partner: partnerId }],
      kycRecords: [{ partner: partnerId, status: 'EXPIRED', cause: 'its time is over' }],
      reviewCases: [{ case: review.id, listed: 'MARIA SILVA', status: 'OPEN' }],
      moneyCases: [{ case: money.id, purchase: purchase.id }],
      blocks: [{ person: personId }],
      holds: [{ person: personId, reason: 'order 4711' }],
    });
  });

  it('has the records of each partner, the newest first', async () => {
    const world = await dataSubject();
    const again = { ...(await dataSubject()), ...world };
    const clientId = await clientIdOf({ partnerId: world.other, cpf: world.cpf }, world.ports.lookup);
    const known = (await world.ports.kycRecords.findRecord(world.token))!;
    const token = `kyc_${newId()}`;
    await again.put('kycRecords', {
      ...known,
      token,
      id: token,
      clientId,
      partnerId: world.other,
      issuedAt: START_AT + 1,
      expiresAt: START_AT + 60_000,
    });

    const { kycRecords = [] } = await dataOf(world);

    expect(kycRecords.map(({ partner, status, cause }) => [partner, status, cause])).toEqual([
      [world.other, 'APPROVED', 'nothing is wrong'],
      [world.partnerId, 'EXPIRED', 'its time is over'],
    ]);
  });

  it('says of each part that it is empty, for an unknown CPF', async () => {
    const unknown = { ...(await dataSubject()), cpf: randomCpf() };

    const text = await shown(unknown);

    for (const words of [
      'No purchase at any partner is of this CPF.',
      'No partner has submitted this CPF.',
      'The person resembles no listed person.',
      'No case of money is about this person.',
      'The person is not blocked.',
      'The person is not held.',
    ])
      expect(text).toContain(words);
  });

  it('shows no hold that was lifted', async () => {
    const world = await withAll();
    await world.ports.litigationHolds.free(world.personId, { by: 'eva', at: START_AT, reason: 'lifted' });

    expect((await dataOf(world)).holds).toEqual([]);
  });

  it('shows no CPF, no name of the client, and only the end of a KYC token', async () => {
    const world = await withAll();

    const text = await shown(world);

    expect(text).not.toContain(world.cpf);
    expect(text).not.toContain('MARIA DA SILVA');
    expect(text).not.toContain(world.token.slice(0, -6));
    expect(text).toContain(`kyc_…${world.token.slice(-6)}`);
  });

  it('is recorded with its reader, by the keyed hash and without the CPF', async () => {
    const world = await withAll();

    await shown(world);

    const events = await world.ports.acts.listOfSubject(world.personId);
    expect(events.map(({ kind }) => kind).sort()).toEqual(['DONE', 'ORDERED']);
    expect(JSON.stringify(events)).toContain('ana');
    expect(JSON.stringify(events)).not.toContain(world.cpf.replaceAll(/\D/g, ''));
  });

  it.each(['operator', 'viewer'] as const)('is refused to the role %s', async (role) => {
    const world = await withAll();

    const text = await world.ops('ana', 'subject show', { role, typed: world.cpf });

    expect(text).toContain('may not do that');
    expect(text).not.toContain(world.purchase.id);
  });
});
