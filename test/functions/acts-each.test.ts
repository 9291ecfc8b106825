import { type Acts, type Asked, describeActs, type World } from '../support/acts-each.ts';
import { aClient, aPartner } from '../support/builders.ts';
import { aMoneyCase, openOwedCase } from '../support/money-cases.ts';
import { newEndToEndId, newId, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';

async function aReview({ ports }: World, verb: string): Promise<Asked> {
  const { id } = await openCase(ports);
  return { words: `reviews ${verb} ${id}`, state: () => ports.cases.findCase(id) };
}

async function aConfirmation({ ports }: World): Promise<Asked> {
  const { id } = await openCase(ports);
  const decision = { decidedBy: 'bia', decidedAt: START_AT, reason: 'the wrong case' } as const;
  await ports.cases.decide(id, { status: 'CONFIRMED', ...decision });
  return { words: `reviews undo ${id}`, state: () => ports.cases.findCase(id) };
}

async function aMedCase({ ports }: World) {
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}` });
  const clientId = newId();
  await ports.clients.create(aClient({ id: clientId, partnerId: partner.id }));
  const subject = { transactionId: newId(), partnerId: partner.id, clientId, endToEndId: newEndToEndId() };
  const found = aMoneyCase('MED_REFUND', newEndToEndId(), {
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

const ACTS: Acts = {
  'reviews clear': (world) => aReview(world, 'clear'),
  'reviews confirm': (world) => aReview(world, 'confirm'),
  'reviews undo': aConfirmation,
  async 'cases close RETURNED_OUTSIDE'({ ports }) {
    const { id } = await openOwedCase(ports, { now: ports.clock.now() });
    const state = () => ports.moneyCases.findCase(id);
    return { words: `cases close ${id}`, flags: { outcome: 'RETURNED_OUTSIDE', amount: '250.00' }, state };
  },
  async 'clients unblock'(world) {
    const { id, state } = await aMedCase(world);
    return { words: `clients unblock ${id}`, state };
  },
  async 'subject release'({ ports }) {
    const personId = newId();
    const ordered = { by: 'ana', at: ports.clock.now(), reason: 'request 4711' };
    await ports.litigationHolds.hold({ ...ordered, personId, state: 'HELD', clientIds: [newId()] });
    return { words: `subject release ${personId}`, state: () => ports.litigationHolds.findHold(personId) };
  },
  async 'keys create'(world) {
    const { id } = await aPartnerOf(world);
    return { words: `keys create ${id}`, state: () => world.ports.partners.findKey(id, 'key1') };
  },
};

describeActs(ACTS);
