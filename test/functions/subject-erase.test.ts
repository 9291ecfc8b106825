import { describe, expect, it } from 'vitest';
import { openMedsId } from '../../functions/adapters/dynamodb/person-blocks.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { type DataSubjectWorld, dataSubject } from '../support/data-subject.ts';
import { Died, mortalClient } from '../support/mortal-client.ts';
import { newEndToEndId, newId, START_AT } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';
import { allRowsIn, rowIn, type Tables } from '../support/tables.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

type Changes = (world: DataSubjectWorld) => Promise<unknown>;

/** Ana proposes the erasure. Returns the id of the act, or the refusal. */
const propose = async ({ ops, cpf }: DataSubjectWorld) =>
  (await ops('ana', 'subject erase', { typed: cpf })).split('\n')[0]!;

const approve = ({ ops }: DataSubjectWorld, act: string, tables?: Tables) =>
  ops('rui', `acts approve ${act}`, { tables });

const erase = async (world: DataSubjectWorld) => approve(world, await propose(world));

const stateOf = async ({ tables, purchase, clientId }: DataSubjectWorld) => ({
  event: await rowIn(tables, 'events', `${purchase.id}.1`),
  delivery: await rowIn(tables, 'deliveries', `${purchase.id}.1#one`),
  purchase: await rowIn(tables, 'transactions', purchase.id),
  client: await rowIn(tables, 'clients', clientId),
});

// docs/operations.md, "A client's rights"
describe('subject erase', () => {
  it('erases at once what no law keeps, when two persons want it', async () => {
    const world = await dataSubject();
    const before = await stateOf(world);
    const act = await propose(world);
    expect(await stateOf(world)).toEqual(before);

    await approve(world, act);

    const after = await stateOf(world);
    expect([after.event, after.delivery]).toEqual([undefined, undefined]);
    expect(after.purchase).toMatchObject({ status: 'COMPLETED', amountCentavos: 250_00 });
    for (const field of ['metadataCipher', 'returnUrl']) expect(after.purchase).not.toHaveProperty(field);
    expect(after.client).toMatchObject({ cpfCipher: before.client!.cpfCipher, ttl: before.client!.ttl });
    expect(after.client!.totpCipher).not.toBe(before.client!.totpCipher);
  });

  it('frees the client of no control: wallets, changed caps, and the duty to show the face', async () => {
    const world = await dataSubject();
    const { client } = await stateOf(world);
    const controls = { wallets: [WALLET], limits: { perCharge: 100_00 }, mustProve: START_AT };
    await world.put('clients', { ...client, ...controls });

    await erase(world);

    expect((await stateOf(world)).client).toMatchObject(controls);
  });

  it('takes the CPF as an option, and stores none in the proposal', async () => {
    const world = await dataSubject();

    const said = await world.ops('ana', 'subject erase', { flags: { cpf: world.cpf } });

    expect(JSON.stringify(await allRowsIn(world.tables))).not.toContain(world.cpf);
    await approve(world, said.split('\n')[0]!);
    expect((await stateOf(world)).event).toBeUndefined();
  });

  it('lets the client begin again with a new secret, which nobody has seen', async () => {
    const world = await dataSubject();
    const before = (await world.ports.clients.findClient(world.clientId))!;
    const code = { step: 7, transactionId: world.purchase.id, requestId: 'R', now: START_AT };
    await world.ports.clients.acceptCode(before, code);

    await erase(world);

    const after = (await world.ports.clients.findClient(world.clientId))!;
    expect(after.totpCipher).not.toBe(before.totpCipher);
    for (const field of ['enrolledAt', 'lastStep', 'lastTransactionId', 'lastRequestId'])
      expect(after).not.toHaveProperty(field);
  });

  it('says what stays, until when and why, and records it with both persons', async () => {
    const world = await dataSubject();
    const act = await propose(world);

    const said = await approve(world, act);

    expect(said).toMatch(/keep 1 of transactions until 2\d{3}-\d\d-\d\d .*: LGPD art\. 7 II/);
    expect(said).toContain('erase 1 of events');
    const { first, events } = (await world.ports.acts.findAct(act))!;
    expect(first.will).toEqual(
      expect.arrayContaining([expect.stringMatching(/^keep 1 of kycRecords until/)]),
    );
    expect(events.map(({ kind, who }) => [kind, who.id])).toEqual([
      ['PROPOSED', 'ana'],
      ['APPROVED', 'rui'],
      ['DONE', 'rui'],
    ]);
    expect(JSON.stringify(events)).not.toContain(world.cpf);
  });

  it.each<[string, string, Changes]>([
    ['a hold', 'held', ({ ops, cpf }) => ops('ana', 'subject hold', { flags: { cpf } })],
    [
      'an open purchase',
      'a purchase or its refund is open',
      ({ put, purchase, clientId }) =>
        put('transactions', {
          ...purchase,
          id: newId(),
          clientId,
          status: 'AWAITING_PIX',
          createdAt: START_AT,
        }),
    ],
    [
      'an open refund',
      'a purchase or its refund is open',
      ({ put, ended }) => put('transactions', { ...ended, refund: { status: 'PENDING' } }),
    ],
    [
      'an open MED',
      'taken back a payment',
      ({ put, personId }) =>
        put('personBlocks', { id: openMedsId(personId), cases: new Set(['MED_REFUND#1']) }),
    ],
    [
      'an open case of money',
      'a case of money is open',
      ({ put, clientId }) => put('moneyCases', { id: 'A#1', clientId, status: 'OPEN', openedAt: START_AT }),
    ],
    [
      'a block',
      'a case blocks the client',
      ({ put, clientId }) =>
        put('moneyCases', { id: 'A#1', clientId, status: 'CLOSED', block: 'ACTIVE', openedAt: START_AT }),
    ],
    [
      'an open review case',
      'a review case is open',
      ({ put, clientId }) => put('cases', { id: newId(), clientId, status: 'OPEN', openedAt: START_AT }),
    ],
    [
      'a Pix that is not returned',
      'a Pix is not returned yet',
      ({ put, purchase }) =>
        put('unmatchedPayments', {
          id: newEndToEndId(),
          transactionId: purchase.id,
          foundAt: START_AT,
          refund: { status: 'PENDING' },
        }),
    ],
    [
      'a webhook on its way',
      'a webhook is on its way',
      ({ put, purchase }) => put('deliveries', { id: `${purchase.id}.1#one`, status: 'PENDING' }),
    ],
  ])('is refused by %s, and erases nothing', async (_, why, change) => {
    const world = await dataSubject();
    await change(world);
    const before = await stateOf(world);

    expect(await propose(world)).toContain(why);
    expect(await stateOf(world)).toEqual(before);
  });

  it('is refused at the approval if a hold came meanwhile', async () => {
    const world = await dataSubject();
    const act = await propose(world);
    await world.ops('ana', 'subject hold', { flags: { cpf: world.cpf } });
    const before = await stateOf(world);

    expect(await approve(world, act)).toContain('the person is held');
    expect(await stateOf(world)).toEqual(before);
  });

  it('leaves a block for fraud in force', async () => {
    const world = await dataSubject();
    await world.put('personBlocks', {
      id: world.personId,
      state: 'ACTIVE',
      at: START_AT,
      by: 'ana',
      reason: 'x',
    });

    await erase(world);

    expect(await world.ports.personBlocks.findBlock(world.personId)).toMatchObject({ state: 'ACTIVE' });
  });

  it('may be repeated, and then leaves all rows of purchases as they are', async () => {
    const world = await dataSubject();
    await erase(world);
    const { client: _, ...before } = await stateOf(world);

    expect(await erase(world)).toContain('enrols the app again');

    expect(await stateOf(world)).toMatchObject(before);
  });

  it.each([false, true])(
    'is completed, whatever call the approval dies at, after the effect: %s',
    async (isAfter) => {
      for (let call = 1; ; call++) {
        const world = await dataSubject();
        const before = await stateOf(world);
        const act = await propose(world);
        const client = mortalClient(world.tables.client, { call, isAfter });
        const died = await approve(world, act, { ...world.tables, client }).catch((error: Error) => error);
        world.ports.clock.advance(MINUTE_MS);

        await approve(world, act);

        const after = await stateOf(world);
        expect([after.event, after.delivery], `${call}`).toEqual([undefined, undefined]);
        expect(after.client!.totpCipher, `${call}`).not.toBe(before.client!.totpCipher);
        expect((await world.kindsOf(act))!.at(-1), `${call}`).toBe('DONE');
        if (!(died instanceof Died)) return expect(call).toBeGreaterThan(60);
      }
    },
  );

  it.each([
    ['an invalid CPF', '111.111.111-11', 'no CPF'],
    ['10 kB', '9'.repeat(10_240), 'no CPF'],
    ['an unknown CPF', randomCpf(), 'Nothing is known'],
  ])('refuses %s', async (_, cpf, why) => {
    expect(await propose({ ...(await dataSubject()), cpf })).toContain(why);
  });

  it('refuses words that are no hashes', async () => {
    const { ops, cpf } = await dataSubject();

    expect(await ops('ana', `subject erase ${cpf}`)).toContain('Call it without words');
  });
});
