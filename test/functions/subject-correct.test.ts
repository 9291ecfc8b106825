import { describe, expect, it } from 'vitest';
import { getKycStatus } from '../../functions/api/get-kyc-status.ts';
import { handler as submission } from '../../functions/api/submit-kyc.ts';
import { CORRECTABLE } from '../../functions/domain/kyc/correction.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aBuyer } from '../support/buyer.ts';
import { type Correctable, correctable } from '../support/corrected.ts';
import { Died, mortalClient } from '../support/mortal-client.ts';
import { START_AT } from '../support/ports.ts';
import { events, indexOf, onList } from '../support/rescreening.ts';
import { openCase } from '../support/review-cases.ts';
import { randomCpf } from '../support/sandbox.ts';
import { reviewIs } from '../support/submissions.ts';
import { rowIn } from '../support/tables.ts';

type Buyer = Correctable['buyer'];

const lookUp = ({ ports }: Correctable, { partner, token }: Pick<Buyer, 'partner' | 'token'>) =>
  getKycStatus({ kycToken: token }, { partner } as never, ports);
const expired = expect.objectContaining({ code: 'KYC_TOKEN_EXPIRED' });

/** A client of two partners, a minute after the submissions of their KYC data. */
async function aMinuteLater() {
  const world = await correctable();
  world.ports.clock.advance(MINUTE_MS);
  return world;
}

// docs/operations.md, "A client's rights"
describe('subject correct', () => {
  it('ends the KYC tokens of the person at all partners', async () => {
    const world = await aMinuteLater();
    const before = await lookUp(world, world.buyer);

    await world.correct();

    const expiresAt = new Date(START_AT + MINUTE_MS).toISOString();
    expect(before.status).toBe('APPROVED');
    for (const each of [world.buyer, world.other]) {
      expect(await lookUp(world, each)).toEqual({
        ...before,
        token: each.token,
        status: 'EXPIRED',
        expiresAt,
      });
      await expect(each.initiate()).rejects.toThrow(expired);
    }
  });

  it('lets the next submission ask the sources and search the lists for the corrected data', async () => {
    const world = await aMinuteLater();
    const { ports, buyer } = world;
    await world.correct();
    ports.clock.advance(1);
    const holder = { name: 'MARIA CORRIGIDA TESTE', birthDate: '1980-01-01' };
    ports.cpfRegistry.entry = { ...holder, situation: 'REGULAR' };
    await reviewIs(ports, { partnerId: buyer.partner.id, cpf: world.cpf }, 'APPROVED', holder);

    const { token, status } = await buyer.again();

    expect(status).toBe('APPROVED');
    expect(ports.sanctions.searched.at(-1)).toMatchObject(holder);
    expect(await buyer.initiate(ports, token)).toHaveProperty('transactionId');
  });

  it('also ends the token of a submission that has read its sources already', async () => {
    const world = await aMinuteLater();
    const { ports, buyer } = world;
    const { search } = ports.sanctions;
    ports.sanctions.search = async (identity) => {
      ports.sanctions.search = search;
      ports.clock.advance(1);
      await world.correct();
      return search(identity);
    };

    const { token, status } = await buyer.again();

    expect(status).toBe('EXPIRED');
    await expect(buyer.initiate(ports, token)).rejects.toThrow(expired);
  });

  it('leaves no token valid although the operator’s clock is an hour behind', async () => {
    const world = await aMinuteLater();
    world.ports.clock.advance(-60 * MINUTE_MS);

    await world.correct();

    world.ports.clock.advance(60 * MINUTE_MS);
    for (const each of [world.buyer, world.other]) await expect(each.initiate()).rejects.toThrow(expired);
  });

  it('answers a repeated submission with the end of its token', async () => {
    const world = await aMinuteLater();
    const { token } = world.buyer;
    const answered = { ...(await lookUp(world, world.buyer)), verificationUrl: 'https://identity.example' };
    await world.correct();

    const replayed = await submission.replay!(answered as never, world.ports as never, world.buyer.partner);

    expect(replayed).toEqual(await lookUp(world, world.buyer));
    expect(replayed).toMatchObject({ token, status: 'EXPIRED' });
  });

  it('lets no waiting submission be approved, and tells its partner nothing', async () => {
    const world = await aMinuteLater();
    const { ports, buyer, cpf } = world;
    await reviewIs(ports, { partnerId: buyer.partner.id, cpf }, 'PENDING');
    const waiting = await buyer.again();
    ports.clock.advance(1);
    await world.correct();
    await reviewIs(ports, { partnerId: buyer.partner.id, cpf }, 'APPROVED');
    ports.clock.advance(MINUTE_MS);

    await reviewPendingKyc(ports);

    expect(waiting.status).toBe('PENDING');
    expect(await lookUp(world, { ...buyer, ...waiting })).toMatchObject({ status: 'EXPIRED' });
    expect(await ports.kycRecords.findRecord(waiting.token)).not.toHaveProperty('nextCheckAt');
    expect(await events(ports)).toEqual([]);
  });

  it('tells the partner nothing of an ended token whose client a changed list refuses', async () => {
    const world = await aMinuteLater();
    const { ports, buyer } = world;
    await world.correct();
    ports.sanctions.index = indexOf(31);
    ports.sanctions.candidates = [onList('OFAC_SDN')];
    ports.clock.advance(1);

    await rescreenClients(ports);
    await reviewPendingKyc(ports);

    expect(await ports.clients.findClient(buyer.clientId)).toMatchObject({ rejectedFor: 'SANCTIONS_HIT' });
    expect(await lookUp(world, buyer)).toMatchObject({ status: 'EXPIRED' });
    expect(await events(ports)).toEqual([]);
  });

  it('tells the partner nothing of an ended token whose client is refused later', async () => {
    const world = await aMinuteLater();
    const { ports, buyer } = world;
    await world.correct();
    ports.clock.advance(1);
    const verdict = { rejectedAt: ports.clock.now(), rejectedFor: 'DOCUMENT_REJECTED' } as const;
    await ports.clients.noteVerdict(buyer.clientId, verdict);

    await reviewPendingKyc(ports);

    expect(await events(ports)).toEqual([]);
  });

  it('may be repeated, and then ends the tokens that came since', async () => {
    const world = await aMinuteLater();
    const { ports, buyer } = world;
    await world.correct();
    ports.clock.advance(1);
    const { token } = await buyer.again();
    ports.clock.advance(1);

    await world.correct({ field: 'birthDate' });

    await expect(buyer.initiate(ports, token)).rejects.toThrow(expired);
    const { corrections, correctedAt } = (await ports.clients.findClient(buyer.clientId))!;
    const noted = { by: 'ana', reason: 'mistaken identity' };
    expect(corrections).toEqual([
      { field: 'name', at: START_AT + MINUTE_MS, ...noted },
      { field: 'birthDate', at: START_AT + MINUTE_MS + 2, ...noted },
    ]);
    expect(correctedAt).toBe(START_AT + MINUTE_MS + 2);
  });

  it('never makes an ended token valid again, if a correction comes late', async () => {
    const world = await aMinuteLater();
    await world.correct();
    world.ports.clock.advance(-MINUTE_MS / 2);

    expect(await world.correct({ field: 'birthDate' })).toContain('Another correction was first');

    world.ports.clock.advance(MINUTE_MS);
    await expect(world.buyer.initiate()).rejects.toThrow(expired);
  });

  it('is completed by a second call, whatever call the first dies at', async () => {
    for (const isAfter of [false, true])
      for (let call = 1; ; call++) {
        const world = await aMinuteLater();
        const client = mortalClient(world.tables.client, { call, isAfter });
        const died = await world.correct({}, { tables: { ...world.tables, client } }).catch((error) => error);
        world.ports.clock.advance(1);

        await world.correct();

        for (const { clientId } of [world.buyer, world.other]) {
          const client = await world.ports.clients.findClient(clientId);
          expect(client, `${call}`).toMatchObject({ correctedAt: START_AT + MINUTE_MS + 1 });
        }
        if (!(died instanceof Died)) break;
      }
  });

  it('is recorded with the person, before and after, and without the CPF', async () => {
    const world = await aMinuteLater();
    await world.correct();
    world.ports.clock.advance(1);
    await world.correct({ field: 'document' });

    const acts = await world.ports.acts.listOfSubject(world.personId);
    const ordered = acts.filter(({ kind }) => kind === 'ORDERED');
    expect(
      ordered.map((act) => [act.who.id, 'before' in act && act.before, 'after' in act && act.after]),
    ).toEqual([
      ['ana', { wrong: [] }, { wrong: ['name'] }],
      ['ana', { wrong: ['name'] }, { wrong: ['name', 'document'] }],
    ]);
    expect(JSON.stringify(acts)).not.toContain(world.cpf);
  });

  it('is shown by subject export, at each record that came before', async () => {
    const world = await aMinuteLater();
    await world.correct();
    world.ports.clock.advance(1);
    await world.buyer.again();

    const said = await world.ops('ana', 'subject export', { flags: { cpf: world.cpf } });

    expect(
      said.match(/fields that were noted as wrong since this submission \(wrong\): name, since/g),
    ).toHaveLength(2);
    expect(said).toContain('data that are wrong at their source: the field, and who noted it, when and why');
  });

  it('is shown by the review of a case that was opened before', async () => {
    const world = await aMinuteLater();
    const { cpf, buyer, ports } = world;
    const { clientId, partner } = buyer;
    const { id } = await openCase(ports, { cpf, clientId, partnerId: partner.id });

    await world.correct();

    const said = await world.ops('ana', `reviews show ${id}`);
    expect(said).toMatch(/wrong +name, noted by ana, .*: mistaken identity/);
  });

  it('takes no new value, because a value that is typed could evade a list', async () => {
    const world = await aMinuteLater();

    expect(await world.correct({ field: 'MARIA CORRIGIDA' })).toBe(
      `--field is one of ${Object.keys(CORRECTABLE).join(', ')}.`,
    );
    expect(await rowIn(world.tables, 'clients', world.buyer.clientId)).not.toHaveProperty('corrections');
  });

  it.each([
    ['an invalid CPF', { cpf: '111.111.111-11' }, 'no CPF'],
    ['a CPF of 10 kB', { cpf: '9'.repeat(10_240) }, 'no CPF'],
    ['an unknown CPF', { cpf: randomCpf() }, 'Nothing is known of this CPF.'],
    ['a field of 10 kB', { field: 'x'.repeat(10_240) }, '--field is one of'],
    ['a field that each object has', { field: 'constructor' }, '--field is one of'],
    ['no field', { field: '' }, '--field is missing'],
  ])('refuses %s', async (_, flags, why) => {
    const world = await correctable();

    const said = await world.correct(flags);

    expect(said).toContain(why);
    expect(said.length).toBeLessThan(200);
  });

  it('is for compliance alone', async () => {
    const world = await correctable();

    expect(await world.correct({}, { role: 'operator' })).toContain('may not do that');
  });

  it('ends no token of another person', async () => {
    const world = await aMinuteLater();
    const stranger = await aBuyer(world.ports);

    await world.correct({ cpf: stranger.cpf });
    world.ports.clock.advance(1);

    expect(await lookUp(world, stranger)).toMatchObject({ status: 'EXPIRED' });
    expect(await lookUp(world, world.buyer)).toMatchObject({ status: 'APPROVED' });
  });
});
