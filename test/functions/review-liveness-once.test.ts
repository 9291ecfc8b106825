import { describe, expect, test } from 'vitest';
import { getTransactionStatus } from '../../functions/api/get-transaction-status.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { livenessUrlOf } from '../../functions/logic/purchase/liveness-link.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aClient, aPartner, MINUTE_MS } from '../support/builders.ts';
import { limitsWith } from '../support/charge-limits.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { eventsOf, MFA_UNTIL, newId, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { HOLDER } from '../support/submissions.ts';
import { memoryTables, tapped } from '../support/tables.ts';

const tables = memoryTables();

const CPF = '52998224725';
const PARTNER_ID = 'shop';
const SHOWN_AT = START_AT + MINUTE_MS;
const FIRST_LINK = { attempt: 1, url: 'https://identity.example/documents', withDocuments: true } as const;

/**
 * Purchases of one client who was never verified. Each has a link to documents and face. The processes that handle
 * them may die at any call to the outside.
 */
async function unverified(count = 2) {
  const outside = mortalOutside();
  const real = openPorts(tables);
  const mortal = openPorts(
    tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
  );
  const pix = outside.around('pix', real.pix, 'createCharge');
  const { clock, identity, machine, vault } = real;
  // Only the reviews limit the charges here.
  const chargeLimits = limitsWith({ openCharges: 10 });
  const ports = { ...mortal, clock, identity, machine, vault, pix, chargeLimits };
  const clientId = newId();
  const cpfCipher = await real.vault.encrypt(CPF, clientId);
  await real.clients.create(aClient({ id: clientId, partnerId: PARTNER_ID, cpfCipher }));
  const liveness = { ...FIRST_LINK, urlExpiresAt: START_AT + 10 * MINUTE_MS };
  const open = (changes: Partial<Transaction> = {}) =>
    putPurchaseIn(real, 'AWAITING_MFA', {
      partnerId: PARTNER_ID,
      clientId,
      model: 2,
      riskTier: 'HIGH',
      challenge: { type: 'LIVENESS' },
      liveness,
      wait: { status: 'AWAITING_MFA', token: newId() },
      ...changes,
    });
  const purchases: Transaction[] = [];
  for (let index = 0; index < count; index++) purchases.push(await open());

  const visit = async (purchase: Transaction, fate?: Fate) => {
    const { attempt } = (await reread(real, purchase)).liveness!;
    const message = { livenessIds: [livenessIdOf(purchase.id, attempt)] };
    return outside.run(() => processCallback(message, ports), fate);
  };
  return {
    ports: real,
    purchases,
    open,
    visit,
    outside,
    /** Lets the client show document and face, and ends the only review that the provider keeps of a person. */
    show: (reviewedAt = SHOWN_AT) =>
      real.identity.reviews.set(clientId, {
        applicantId: 'applicant',
        status: 'APPROVED',
        holder: HOLDER,
        reviewedAt,
      }),
    pass: (purchase: Transaction, attempt: number) =>
      real.identity.checks.set(livenessIdOf(purchase.id, attempt), {
        status: 'PASSED',
        reviewedAt: clock.now(),
        holder: HOLDER,
        verifiedAt: SHOWN_AT,
      }),
    expire: ({ id }: Transaction) => outside.run(() => expireTransaction({ transactionId: id }, ports)),
    read: ({ id }: Transaction) =>
      getTransactionStatus({ id }, { partner: aPartner({ id: PARTNER_ID }), ids: undefined as never }, real),
    now: (purchase: Transaction) => reread(real, purchase),
    charged: () => [...real.pix.charges.keys()],
  };
}
type World = Awaited<ReturnType<typeof unverified>>;

const statusesOf = async ({ purchases, now }: World) =>
  (await Promise.all(purchases.map(now))).map(({ status }) => status).sort();

describe('one review of a client with several open purchases', () => {
  // docs/decisions.md, "The liveness check"
  test('clears one of them, however often and however parallel its callbacks come', async () => {
    const world = await unverified(5);
    const { purchases, visit, show, charged } = world;
    show();

    await Promise.all([...purchases, ...purchases, ...purchases].map((purchase) => visit(purchase)));
    for (const purchase of purchases) await visit(purchase);

    const [cleared, ...others] = ['AWAITING_PIX', ...Array.from({ length: 4 }, () => 'AWAITING_MFA')];
    expect(await statusesOf(world)).toEqual([...others, cleared]);
    expect(charged()).toHaveLength(1);
  });

  test('clears one of them at once, although its callback names only the client', async () => {
    const world = await unverified(3);
    const { ports, purchases, show, charged } = world;
    const reviewed = { clientIds: [purchases[0]!.clientId] };
    await processCallback(reviewed, ports);
    expect(charged()).toEqual([]);
    show();

    await processCallback(reviewed, ports);
    await processCallback(reviewed, ports);

    expect(await statusesOf(world)).toEqual(['AWAITING_MFA', 'AWAITING_MFA', 'AWAITING_PIX']);
    expect(charged()).toHaveLength(1);
  });

  test('gives the other one a link to its own action at the next status read, which clears it', async () => {
    const { ports, purchases, visit, show, pass, read, now, charged } = await unverified();
    const [first, second] = purchases as [Transaction, Transaction];
    show();
    await visit(first);
    await visit(second);

    const { status, authChallenge } = await read(second);

    expect(status).toBe('AWAITING_MFA');
    const { liveness } = await now(second);
    expect(liveness?.url).toContain(livenessIdOf(second.id, 2));
    expect(liveness).not.toHaveProperty('withDocuments');
    expect(authChallenge?.livenessUrl).toBe(livenessUrlOf(ports.apiUrl, second.id, liveness!));
    expect(charged()).toEqual([first.id]);
    // Repeated news of the review clears nothing.
    show(ports.clock.now() + 2 * MINUTE_MS);
    ports.clock.advance(3 * MINUTE_MS);
    await visit(second);
    expect((await now(second)).status).toBe('AWAITING_MFA');
    pass(second, 2);
    await visit(second);
    expect((await now(second)).status).toBe('AWAITING_PIX');
  });

  test('is not followed by another review that clears what was open at that time', async () => {
    const { ports, purchases, visit, show, now } = await unverified();
    const [first, second] = purchases as [Transaction, Transaction];
    show();
    await visit(first);
    // The provider reviews by itself, without a face, before the second purchase is visited.
    show(SHOWN_AT + MINUTE_MS);
    ports.clock.advance(3 * MINUTE_MS);

    await visit(second);

    expect(await now(second)).toMatchObject({ status: 'AWAITING_MFA', liveness: { attempt: 2 } });
  });

  test('clears nothing at the other’s time-out', async () => {
    const { ports, purchases, visit, show, expire, now, charged } = await unverified();
    const [first, second] = purchases as [Transaction, Transaction];
    show();
    await visit(first);
    ports.clock.advance(MFA_UNTIL - START_AT);

    await expire(second);

    expect((await now(second)).status).toBe('EXPIRED');
    expect((await eventsOf(ports, second)).map(({ type }) => type)).toEqual(['transaction.expired']);
    expect(charged()).toEqual([first.id]);
  });

  test('does not count for a later purchase, whose own review does', async () => {
    const { ports, purchases, open, visit, show, now } = await unverified(1);
    show();
    await visit(purchases[0]!);
    ports.clock.advance(5 * MINUTE_MS);
    const createdAt = ports.clock.now();
    const later = await open({ createdAt, expiresAt: createdAt + 15 * MINUTE_MS });
    ports.clock.advance(2 * MINUTE_MS);
    await visit(later);
    expect((await now(later)).status).toBe('AWAITING_MFA');

    // The provider wants to see the document again, and sees it.
    show(createdAt + MINUTE_MS);
    await visit(later);

    expect((await now(later)).status).toBe('AWAITING_PIX');
  });
});

describe.each([
  ['first', 0, 1],
  ['second', 1, 0],
] as const)('a process that dies while it clears the %s of two purchases', (_, mine, other) => {
  const KILLED = [
    { at: 'pix.createCharge', when: 'before' },
    { at: 'pix.createCharge', when: 'after' },
  ] as const;

  test.each(KILLED)(
    '$when $at has the review for that purchase, which is cleared; the other is not',
    async (at) => {
      const { purchases, visit, show, now, charged } = await unverified();
      show();
      expect(await visit(purchases[mine]!, { ...at, kind: 'killed' })).toBe('KILLED');

      await visit(purchases[other]!);
      await visit(purchases[mine]!);
      await visit(purchases[other]!);

      expect((await now(purchases[mine]!)).status).toBe('AWAITING_PIX');
      expect(await now(purchases[other]!)).toMatchObject({
        status: 'AWAITING_MFA',
        liveness: { attempt: 2 },
      });
      expect(charged()).toEqual([purchases[mine]!.id]);
    },
  );

  // docs/decisions.md, "The liveness check"
  test('at any call leaves one purchase cleared and one with its own attempt', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; ; at++) {
        expect(at).toBeLessThan(60);
        const world = await unverified();
        const { purchases, visit, show, charged, outside } = world;
        show();
        await visit(purchases[mine]!, { at, when, kind: 'killed' });
        const isOver = outside.struckAt() === undefined;

        await Promise.all([visit(purchases[other]!), visit(purchases[mine]!)]);
        for (const purchase of purchases) await visit(purchase);

        expect(await statusesOf(world), `${when} call ${at}`).toEqual(['AWAITING_MFA', 'AWAITING_PIX']);
        expect(charged()).toHaveLength(1);
        if (isOver) break;
      }
    }
  });
});

describe('a purchase that has its review', () => {
  /** The review is claimed, and then the payment provider is out. */
  async function claimed() {
    const world = await unverified(1);
    const [purchase] = world.purchases as [Transaction];
    world.show();
    world.ports.pix.isDown = true;
    await expect(world.visit(purchase)).rejects.toThrow('the payment provider is unavailable');
    return { ...world, purchase };
  }

  test('is cleared by it even if the status has shown a fresh link', async () => {
    const { ports, purchase, visit, read, now } = await claimed();
    ports.clock.advance(10 * MINUTE_MS);
    await read(purchase);
    expect((await now(purchase)).liveness).toMatchObject({ askedDocuments: true });
    ports.pix.isDown = false;

    await visit(purchase);

    expect((await now(purchase)).status).toBe('AWAITING_PIX');
  });

  test('is cleared by a review that ended before the status showed a fresh link', async () => {
    const world = await unverified(1);
    const [purchase] = world.purchases as [Transaction];
    world.show();
    world.ports.clock.advance(10 * MINUTE_MS);
    await world.read(purchase);
    const { liveness } = await world.now(purchase);
    expect(liveness).toMatchObject({ attempt: 1, askedDocuments: true });
    expect(liveness).not.toHaveProperty('withDocuments');

    await world.visit(purchase);

    expect((await world.now(purchase)).status).toBe('AWAITING_PIX');
  });

  test('is cleared by it even if the provider has repeated the review after the deadline', async () => {
    const { ports, purchase, expire, show, now } = await claimed();
    ports.clock.advance(MFA_UNTIL - START_AT + 5 * MINUTE_MS);
    show(MFA_UNTIL + MINUTE_MS);
    ports.pix.isDown = false;

    await expire(purchase);

    expect((await now(purchase)).status).toBe('AWAITING_PIX');
  });

  test('is not cleared by it if the provider has refused the person since', async () => {
    const { ports, purchase, visit, now, charged } = await claimed();
    ports.identity.reviews.set(purchase.clientId, { applicantId: 'applicant', status: 'REJECTED' });
    ports.pix.isDown = false;

    await visit(purchase);

    expect(await now(purchase)).toMatchObject({ status: 'AWAITING_MFA', liveness: { attempt: 2 } });
    expect(charged()).toEqual([]);
  });
});
